import { Agent, type IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Endpoint } from '@parley/contracts/endpoint'
import { profileApi } from '@parley/contracts/profile'
import { AppError, errorBody, errors } from '@parley/service-kit/core/errors'
import type { Application, Request, RequestHandler, Response } from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'
import type { RequireSession } from '../session/require-session.ts'
import type { createUserTokens } from './user-token.ts'

const timeoutMs = 9000
/** The only request headers that a service sees of a browser's. */
const forwardedHeaders = [
  'content-type',
  'content-length',
  'transfer-encoding',
  'accept',
  'accept-language',
  'idempotency-key',
]

interface Upstream {
  readonly audience: string
  readonly url: string
  readonly endpoints: readonly Endpoint[]
}

/** Which service owns which calls. What is not listed here does not exist for the outside. */
export const upstreams = (urls: { profile: string }): readonly Upstream[] => [
  { audience: 'profile', url: urls.profile, endpoints: Object.values(profileApi) },
]

/**
 * Forwards each listed call to the service that owns it: under a constant path, with an allow-list of headers and an
 * internal token in place of the browser's credentials. Bodies are streamed and never read here.
 */
export function mountApiProxy(
  app: Application,
  options: {
    upstreams: readonly Upstream[]
    requireSession: RequireSession
    userToken: ReturnType<typeof createUserTokens>
  },
): void {
  for (const upstream of options.upstreams) {
    const proxy = forwardTo(upstream.url)
    for (const [path, endpoints] of Map.groupBy(upstream.endpoints, (endpoint) => endpoint.path)) {
      app.all(path, async (req, res, next) => {
        const endpoint = endpoints.find(({ method }) => method === req.method)
        res.locals.operation = endpoint?.operation ?? 'api.unknown'
        if (!endpoint) {
          res.set('Allow', endpoints.map(({ method }) => method).join(', '))
          return next(new AppError('method_not_allowed', 'This address does not take that method.'))
        }
        const session = await options.requireSession(req, res, { bearer: endpoint.access === 'session+bearer' })
        res.locals.workspaceId = session.hot.context.workspaceId
        const token = await options.userToken(session, upstream.audience)
        req.headers = headersFor(req.headers, token, res.locals.requestId)
        req.url = path
        return proxy(req, res, next)
      })
    }
  }
}

function headersFor(headers: IncomingHttpHeaders, token: string, requestId: string): IncomingHttpHeaders {
  const kept: IncomingHttpHeaders = {}
  for (const name of forwardedHeaders) if (headers[name] !== undefined) kept[name] = headers[name]
  return { ...kept, authorization: `Bearer ${token}`, 'x-request-id': requestId }
}

function forwardTo(target: string): RequestHandler {
  const timedOut = new WeakSet<object>()
  return createProxyMiddleware<Request, Response>({
    target,
    agent: new Agent({ keepAlive: true, maxSockets: 256 }),
    changeOrigin: true,
    xfwd: false,
    proxyTimeout: timeoutMs,
    on: {
      proxyReq: (proxyReq, req) => {
        proxyReq.once('timeout', () => timedOut.add(req))
      },
      proxyRes: (proxyRes, _req, res) => {
        // Who it is was settled here. A service that refuses our own token must not sign anybody out.
        if (proxyRes.statusCode === 401) {
          proxyRes.resume()
          return answerInstead(res, new AppError('upstream_failed', unreachable, { detail: 'internal token refused' }))
        }
        for (const name of ['set-cookie', 'server', 'x-request-id', 'connection', 'keep-alive'])
          delete proxyRes.headers[name]
      },
      error: (error, req, res) => {
        if (!(res instanceof ServerResponse) || res.headersSent) {
          res.destroy()
          return
        }
        const answer = timedOut.has(req)
          ? new AppError('upstream_timeout', 'This takes longer than it should. Try again shortly.', { cause: error })
          : new AppError('upstream_failed', unreachable, { cause: error })
        answerInstead(res as Response, answer)
      },
    },
  })
}

const unreachable = 'This part of Parley cannot be reached right now. Try again shortly.'

function answerInstead(res: Response, answer: AppError): void {
  res.locals.problem = answer
  res.writeHead(answer.status, { 'content-type': 'application/json' })
  res.end(JSON.stringify(errorBody(answer, res.locals.requestId)))
}

/** Whatever no service owns. */
export const unknownApi: RequestHandler = (_req, res, next) => {
  res.locals.operation = 'api.unknown'
  next(errors.notFound())
}
