import { type ClientRequest, Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { errorCodeHeader, forwardedRequestHeaders } from '@parley/contracts/core/headers'
import { AppError } from '@parley/service-kit/core/errors'
import type { NextFunction, Request, Response } from 'express'
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware'

/** Transport of a call's bodies: whole, as a file in either direction, or as events until one side ends them. */
export type CallKind = 'json' | 'file' | 'events'

/** Connecting, and waiting for the service's next byte. */
const idleTimeoutMs = 9000
/** The same within a file: a person's slow connection holds the service's up. */
const fileIdleTimeoutMs = 60_000

const maxSockets: Record<CallKind, number> = { json: 256, file: 256, events: 10_000 }

/** Headers that a service may set on its answer; the BFF sets the rest itself. */
const forwardedResponseHeaders = [
  'content-type',
  'content-length',
  'content-disposition',
  'content-range',
  'content-security-policy',
  'accept-ranges',
  'etag',
  'cache-control',
  'deprecation',
  'idempotent-replayed',
  'last-modified',
  'location',
  'retry-after',
  'sunset',
  'vary',
] as const

interface Call {
  readonly kind: CallKind
  /** Path and query at the service. */
  readonly address: string
  /** Token in place of the browser's credentials; none for calls that anybody may make. */
  readonly token: string | undefined
  /** Called with a function that ends the answer, once it has begun. */
  readonly onEvents?: (end: () => void) => void
}

interface Attempt extends Pick<Call, 'kind' | 'onEvents'> {
  readonly next: NextFunction
  /** Sends the call once more; absent where that was done, or where it could be carried out twice. */
  again?: (() => void) | undefined
}

declare global {
  namespace Express {
    interface Locals {
      /** Set for a call that is passed on to a service. */
      attempt?: Attempt
      /** Error code of the service's refusal. */
      refusal?: string | undefined
    }
  }
}

class UpstreamTimeout extends Error {}

/**
 * Proxies calls to one service over kept connections, with an allow-list of headers in both directions. A GET is sent once
 * more where its connection is lost before any answer.
 * @returns a function that answers `res`, or hands `next` an `upstream_failed` or `upstream_timeout`.
 */
export function createForwarder(baseUrl: string) {
  const target = new URL(baseUrl)

  const plugin: Plugin<Request, Response> = (proxy) => {
    proxy.on('proxyReq', (proxyReq, _req, res) => {
      limitWaiting(proxyReq, res.locals.attempt?.kind ?? 'json')
    })
    proxy.on('proxyRes', (proxyRes, _req, res) => {
      const { attempt } = res.locals
      if (attempt) answer(proxyRes, res, attempt)
    })
    proxy.on('error', (error, _req, res) => {
      if (res && 'locals' in res && res.locals.attempt) fail(error, res, res.locals.attempt)
    })
  }
  const proxyFor = (kind: CallKind) =>
    createProxyMiddleware<Request, Response>({
      target,
      agent: agentFor(target, kind),
      pathFilter: () => true,
      selfHandleResponse: true,
      ejectPlugins: true,
      plugins: [plugin],
    })
  const proxies = { json: proxyFor('json'), file: proxyFor('file'), events: proxyFor('events') }

  return function forward(req: Request, res: Response, next: NextFunction, call: Call): void {
    const { kind, address, token, onEvents } = call
    // Set before the proxy reads them: its own hook for headers is passed over for `Expect: 100-continue`.
    req.headers = headersFor(req.headers, token, res.locals.requestId)
    req.url = address
    const send = () => void proxies[kind](req, res, next)
    // A WeakMap by request would cost the garbage collector 28 µs a request (record 110).
    res.locals.attempt = { kind, next, ...(onEvents && { onEvents }), ...(req.method === 'GET' && { again: send }) }
    send()
  }
}

function agentFor({ protocol }: URL, kind: CallKind): HttpAgent {
  const Agent = protocol === 'https:' ? HttpsAgent : HttpAgent
  return new Agent({ keepAlive: kind !== 'events', maxSockets: maxSockets[kind], timeout: idleTimeoutMs })
}

function limitWaiting(proxyReq: ClientRequest, kind: CallKind): void {
  if (kind === 'file') proxyReq.setTimeout(fileIdleTimeoutMs)
  proxyReq.on('timeout', () => proxyReq.destroy(new UpstreamTimeout()))
}

function answer(proxyRes: IncomingMessage, res: Response, { kind, next, onEvents }: Attempt): void {
  const { statusCode = 502, headers } = proxyRes
  if (statusCode === 401) {
    // The user's identity was settled here. A service that refuses our own token must not sign a user out.
    proxyRes.resume()
    next(new AppError('upstream_failed', unreachable, { detail: 'internal token refused' }))
    return
  }
  res.statusCode = statusCode
  res.locals.refusal = headers[errorCodeHeader]?.toString()
  for (const name of forwardedResponseHeaders) {
    const value = headers[name]
    if (value !== undefined) res.setHeader(name, value)
  }
  if (kind === 'events') {
    proxyRes.socket.setTimeout(0)
    res.setHeader('X-Accel-Buffering', 'no')
    res.flushHeaders()
    onEvents?.(() => {
      proxyRes.unpipe(res)
      res.end()
      proxyRes.destroy()
    })
  }
  proxyRes.pipe(res)
}

function fail(error: Error, res: Response, attempt: Attempt): void {
  // The browser has left, or its answer has begun and was broken off: nothing can be said any more.
  if (res.destroyed || res.headersSent) return
  const { again } = attempt
  attempt.again = undefined
  if (again && isLost(error)) again()
  else attempt.next(problemOf(error))
}

const losses = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE'])
/** The service's process has died, or has closed a kept connection in the same moment: another one may answer at once. */
const isLost = (error: Error) => 'code' in error && losses.has(String(error.code))

function headersFor(headers: IncomingHttpHeaders, token: string | undefined, requestId: string): IncomingHttpHeaders {
  const kept: IncomingHttpHeaders = { 'x-request-id': requestId }
  if (token !== undefined) kept.authorization = `Bearer ${token}`
  for (const name of forwardedRequestHeaders) {
    const value = headers[name]
    if (typeof value === 'string') kept[name] = value
  }
  return kept
}

const unreachable = 'This part of Parley cannot be reached right now. Try again shortly.'

const problemOf = (cause: Error): AppError =>
  cause instanceof UpstreamTimeout
    ? new AppError('upstream_timeout', 'This takes longer than it should. Try again shortly.', { cause })
    : new AppError('upstream_failed', unreachable, { cause })
