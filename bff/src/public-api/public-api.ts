import { keyCallsApi } from '@parley/contracts/account/api-keys'
import { can } from '@parley/contracts/account/permissions'
import { workspaceOfHook } from '@parley/contracts/automation/hooks'
import { isForKeys, isOpenCall, publicPath } from '@parley/contracts/core/endpoint'
import { meApi } from '@parley/contracts/platform/public-api'
import { looksLikeApiKey } from '@parley/service-kit/core/api-key'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { allowLongBody } from '@parley/service-kit/core/request-bodies'
import type { Application, RequestHandler } from 'express'
import type { SessionGate } from '../session/require-session.ts'
import { isUnverified, roleOf } from '../session/session-record.ts'
import { kindOf, mountRoutes, notVerified, type Route, refuseUnframedBody, unknownApi } from '../upstream/api-proxy.ts'
import { createCallAddress } from '../upstream/call-address.ts'
import { type CellOf, createCellForwarder, type Upstream } from '../upstream/cells.ts'
import type { KeyContexts, RequireKey } from './key-contexts.ts'
import type { KeyLimits } from './key-limits.ts'
import type { KeyLog } from './key-log.ts'
import { mountMcp } from './mcp.ts'
import { mountReference } from './reference.ts'

export interface PublicApi {
  readonly contexts: KeyContexts
  readonly limits: KeyLimits
  readonly log: KeyLog
  /** Finds the cell of a workspace that an address names. */
  readonly cellOf: CellOf
}

interface Options extends PublicApi {
  readonly upstreams: readonly Upstream[]
  readonly publicOrigin: string
}

/**
 * The public API: the endpoints of the services that are for keys, under `/v1`. It stands before the guard against forged requests
 * and needs none: no cookie is looked at, no other origin is allowed, and a key is no credential that a browser adds by itself.
 */
export function mountPublicApi(app: Application, options: Options): void {
  const { upstreams, contexts, limits, log, cellOf } = options
  const requireKey: RequireKey = async (req, res) => {
    const key = await contexts.require(req).catch((error: unknown) => {
      log.noteRefused(error instanceof AppError ? error.status : 500)
      if (error instanceof AppError && error.status === 401) res.set('WWW-Authenticate', 'Bearer realm="Parley"')
      throw error
    })
    res.locals.workspaceId = key.workspaceId
    log.note(key, res, req.ip ?? '')
    await limits.count(key, res)
    return key
  }

  const routes = upstreams.flatMap((upstream): Route[] => {
    const { audience, endpoints } = upstream
    const forwarderOf = createCellForwarder(upstream)
    return endpoints.filter(isForKeys).map((endpoint) => {
      const kind = kindOf(endpoint)
      const addressOf = createCallAddress(endpoint, { strict: true })
      const handle: RequestHandler = async (req, res, next) => {
        const key = await requireKey(req, res)
        refuseUnframedBody(req, endpoint)
        const call = { kind, address: addressOf(req), token: await contexts.tokenFor(key, audience, req.ip ?? '') }
        if (endpoint.bodyType === 'stream') allowLongBody(req)
        forwarderOf(key.cell)(req, res, next, call)
      }
      return { path: publicPath(endpoint), endpoint, handle }
    })
  })
  const own: Route = {
    path: meApi.read.path,
    endpoint: meApi.read,
    handle: async (req, res) => {
      const { id, name, scopes, numbers, networks, expiresAt, workspaceId } = await requireKey(req, res)
      res.json(meApi.read.response.parse({ workspaceId, key: { id, name, scopes, numbers, networks, expiresAt } }))
    },
  }
  // Their address is the credential, which the service checks.
  const open = upstreams.flatMap((upstream): Route[] => {
    const forwarderOf = createCellForwarder(upstream)
    return upstream.endpoints.filter(isOpenCall).map((endpoint) => {
      const addressOf = createCallAddress(endpoint)
      const handle: RequestHandler = async (req, res, next) => {
        await limits.countOpenCall(req.ip ?? '')
        refuseUnframedBody(req, endpoint)
        const forward = forwarderOf(await cellOf(workspaceOfHook(String(req.params['token']))))
        forward(req, res, next, { kind: kindOf(endpoint), address: addressOf(req), token: undefined })
      }
      return { path: endpoint.path, endpoint, handle }
    })
  })
  mountRoutes(app, [...routes, ...open, own])
  mountReference(app, { publicOrigin: options.publicOrigin })
  mountMcp(app, { requireKey, contexts, upstreams })
  app.use('/v1', (req, res, next) => (req.path === '/projects' ? next() : unknownApi(req, res, next)))
}

/** Refuses keys outside the public API: what a browser calls changes without notice. */
export const refuseKeys: RequestHandler = (req, res, next) => {
  const [, text = ''] = /^Bearer +(\S+)/i.exec(req.get('authorization') ?? '') ?? []
  if (!looksLikeApiKey(text)) return next()
  res.locals.operation = 'api.key'
  return next(new AppError('unauthenticated', 'API keys are for /v1. What begins with /api is for the page alone.'))
}

/** Lists the calls of a key of the session's workspace, to those who see its keys. */
export function mountKeyCalls(
  app: Application,
  { gate, publicApi }: { gate: SessionGate; publicApi: PublicApi },
): void {
  const endpoint = keyCallsApi.list
  app.get(endpoint.path, async (req, res) => {
    res.locals.operation = endpoint.operation
    const session = await gate.requireContext(req, res, { bearer: false })
    const { hot } = session
    const { workspaceId } = hot.context
    const { role } = roleOf(session)
    if (isUnverified(hot.claims)) throw notVerified()
    if (!can(role, endpoint.permission)) throw errors.forbidden('You may not see API keys.')
    const { id } = endpoint.params.parse(req.params)
    res.json({ items: await publicApi.log.list({ workspaceId, id }) })
  })
}
