import type { SessionContext } from '@parley/contracts/account/profile-internal'
import { type Endpoint, isOpenCall } from '@parley/contracts/core/endpoint'
import { endpointsOf } from '@parley/processes/endpoints'
import { processes, type UrlVariable, urlVariable } from '@parley/processes/processes'
import type { Cells } from '@parley/service-kit/core/cells'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { allowLongBody } from '@parley/service-kit/core/request-bodies'
import type { Application, Request, RequestHandler, Response } from 'express'
import { visitorOf } from '../http/visitor.ts'
import type { RequireSession } from '../session/require-session.ts'
import { isFresh, isUnverified, notConfirmed, roleOf, type SessionWithContext } from '../session/session-record.ts'
import { createCallAddress } from './call-address.ts'
import { createCellForwarder, type Upstream } from './cells.ts'
import type { EventStreams } from './event-streams.ts'
import type { CallKind } from './forward.ts'
import type { createUserTokens } from './user-token.ts'

type Called = (typeof processes.bff.calls)[number]

/** Services and the calls that they own. A call that no process lists does not exist for the outside. */
export const upstreams = (urls: Readonly<Record<UrlVariable<Called>, string>>, cells: Cells): readonly Upstream[] =>
  processes.bff.calls.map((name) => ({
    audience: name,
    url: urls[urlVariable(name)],
    ...((name === 'messaging' || name === 'automation') && {
      cells: new Map([...cells.urls].map(([cell, ofCell]) => [cell, ofCell[name]])),
    }),
    endpoints: (endpointsOf[name] ?? []).filter(({ access }) => access !== 'service'),
  }))

interface Options {
  readonly upstreams: readonly Upstream[]
  readonly requireSession: RequireSession
  readonly userToken: ReturnType<typeof createUserTokens>
  readonly eventStreams: EventStreams
  /** Notes that a person has used a workspace. */
  readonly noteSeen?: (context: SessionContext) => void
}

/**
 * Forwards each listed call to the service that owns it: under an address built from the endpoint's own parameters, with an
 * allow-list of headers and an internal token in place of the browser's credentials. Bodies are streamed and never read here.
 * @throws for an endpoint that is not for browsers.
 */
export function mountApiProxy(app: Application, options: Options): void {
  mountRoutes(
    app,
    options.upstreams.flatMap((upstream) => {
      const forwarderOf = createCellForwarder(upstream)
      return upstream.endpoints
        .filter((endpoint) => endpoint.access !== 'key' && !isOpenCall(endpoint))
        .map((endpoint) => ({
          path: endpoint.path,
          endpoint,
          handle: createHandler(endpoint, { ...options, audience: upstream.audience, forwarderOf }),
        }))
    }),
  )
}

export interface Route {
  readonly path: string
  readonly endpoint: Endpoint
  readonly handle: RequestHandler
}

/**
 * Serves each endpoint at its path; another method there is 405.
 * @throws for two that a request could not tell apart.
 */
export function mountRoutes(app: Application, routes: readonly Route[]): void {
  requireDistinct(routes)
  const byPath = [...Map.groupBy(routes, ({ path }) => path)]
  for (const [path, known] of byPath.sort(([a], [b]) => compareShapes(a, b))) {
    app.all(path, async (req, res, next) => {
      const route = known.find(({ endpoint }) => endpoint.method === req.method)
      res.locals.operation = route?.endpoint.operation ?? 'api.unknown'
      if (route) return route.handle(req, res, next)
      res.set('Allow', known.map(({ endpoint }) => endpoint.method).join(', '))
      return next(errors.methodNotAllowed())
    })
  }
}

function createHandler(
  endpoint: Endpoint,
  options: Omit<Options, 'upstreams'> & { audience: string; forwarderOf: ReturnType<typeof createCellForwarder> },
): RequestHandler {
  const { audience, forwarderOf, requireSession, userToken, eventStreams, noteSeen } = options
  const { access } = endpoint
  if (access === 'service' || access === 'key') throw new Error(`${endpoint.operation} is not for browsers`)
  const kind = kindOf(endpoint)
  const addressOf = createCallAddress(endpoint)
  const needs = { bearer: access === 'session+bearer', anyWorkspace: endpoint.allowsUnverified === true }

  return async function handle(req, res, next) {
    const session = access === 'public' ? undefined : await requireSession(req, res, needs)
    if (session) {
      res.locals.workspaceId = session.hot.context.workspaceId
      noteSeen?.(session.hot.context)
      if (!endpoint.allowsUnverified && isUnverified(session.hot.claims)) throw notVerified()
      if (isClosedTo(session, endpoint)) throw workspaceClosing(session)
      if (endpoint.fresh && !isFresh(session)) throw notConfirmed()
      // Calls about the person alone have no role.
      if (endpoint.method !== 'GET' && !endpoint.allowsUnverified && roleOf(session).viewing) throw onlyViewing()
    }
    refuseUnframedBody(req, endpoint)
    const forward = forwarderOf(session?.hot.context.cell)
    const call = {
      kind,
      address: addressOf(req),
      token: session && (await userToken(session, audience, visitorOf(req))),
    }
    if (endpoint.bodyType === 'stream') allowLongBody(req)
    if (kind !== 'events' || !session) return forward(req, res, next, call)
    const stream = eventStreams.admit(session)
    res.once('close', stream.release)
    return forward(req, res, next, { ...call, onEvents: stream.onEvents })
  }
}

/** A workspace that is being deleted can be read and restored by its owners; calls about the person alone go on for everybody. */
function isClosedTo(session: SessionWithContext, endpoint: Endpoint): boolean {
  const { closing, role } = session.hot.context
  if (!closing || endpoint.allowsUnverified || ('permission' in endpoint && endpoint.permission === 'self'))
    return false
  return role !== 'owner' || (endpoint.method !== 'GET' && !endpoint.whileClosing)
}

const workspaceClosing = ({ hot: { context } }: SessionWithContext) =>
  new AppError(
    'workspace_closing',
    context.role === 'owner'
      ? 'This workspace is being deleted. Restore it first, to change something.'
      : 'This workspace is being deleted. An owner can restore it.',
  )

export const notVerified = () =>
  new AppError('email_not_verified', 'Open the link in the mail that we sent to your address, then go on here.')

const onlyViewing = () =>
  errors.forbidden('You look at the workspace as another role sees it. Stop that first, to change something.')

export const kindOf = ({ bodyType, responseType, waits }: Endpoint): CallKind => {
  if (responseType === 'events') return 'events'
  return bodyType === 'stream' || responseType === 'stream' || waits ? 'file' : 'json'
}

/**
 * Refuses a body where HTTP gives it no meaning: sent on without its length, such a body would be the service's next request. One that is
 * compressed is refused too, since the header that says so is not sent on.
 */
export function refuseUnframedBody({ headers, method }: Request, endpoint: Endpoint): void {
  const { 'content-encoding': encoding = 'identity' } = headers
  if (encoding !== 'identity')
    throw new AppError('unsupported_media_type', 'Send the body as it is, without Content-Encoding.')
  if (method === 'POST' || method === 'PUT' || method === 'PATCH') return
  const isChunked = headers['transfer-encoding'] !== undefined
  const hasBody = isChunked || Number(headers['content-length'] ?? 0) > 0
  if (isChunked || (hasBody && !endpoint.body)) throw errors.badRequest('This call takes no request body.')
}

/** Marks each segment of a path as fixed (0) or a parameter (1): paths of one shape match the same requests. */
const shapeOf = (path: string) => path.replace(/[^/]+/g, (segment) => (segment.startsWith(':') ? '1' : '0'))
/** Sorts fixed segments before parameters, whatever the order of declaration. */
const compareShapes = (a: string, b: string) => (shapeOf(a) < shapeOf(b) ? -1 : 1)

function requireDistinct(routes: readonly Route[]): void {
  const paths = new Map<string, string>()
  const calls = new Set<string>()
  for (const { path, endpoint } of routes) {
    const { method, operation } = endpoint
    const pattern = path.replace(/:\w+/g, ':')
    const call = `${method} ${pattern}`
    if (calls.has(call)) throw new Error(`${operation} is a second endpoint for ${method} ${path}`)
    const other = paths.get(pattern) ?? path
    if (other !== path) throw new Error(`${operation}: ${path} and ${other} must name their parameters alike`)
    calls.add(call)
    paths.set(pattern, path)
  }
}

/** Refuses paths that no service owns. */
export const unknownApi: RequestHandler = (_req, res: Response, next) => {
  res.locals.operation = 'api.unknown'
  next(errors.notFound())
}
