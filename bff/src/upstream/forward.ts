import { EventEmitter } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { PassThrough } from 'node:stream'
import { AppError } from '@parley/service-kit/core/errors'
import type { NextFunction, Request, Response } from 'express'
import { Pool } from 'undici'

const timeoutMs = 9000
const maxConnections = 256

/** The only request headers that a service sees of a browser's. Length and coding of the body are told by the body itself. */
const forwardedHeaders = ['content-type', 'content-length', 'accept', 'accept-language', 'idempotency-key'] as const

/** What a service says of its own connection or of itself; the rest of its headers goes to the browser. */
const keptBack = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'server',
  'set-cookie',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-request-id',
])

interface Call {
  /** Constant: nothing of the browser's address goes on. */
  readonly path: string
  /** In place of the browser's credentials. */
  readonly token: string
}

/**
 * Streams calls to one service over kept connections, with an allow-list of headers in both directions. A call that changes
 * nothing is sent once more where its connection is lost before any answer.
 * @returns a function that answers `res`, or hands `next` an `upstream_failed` or `upstream_timeout`.
 */
export function createForwarder(baseUrl: string) {
  const { origin, pathname } = new URL(baseUrl)
  const prefix = pathname.replace(/\/$/, '')
  const pool = new Pool(origin, {
    connections: maxConnections,
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })

  return function forward(req: Request, res: Response, next: NextFunction, { path, token }: Call): void {
    // A browser that leaves takes its call at the service with it.
    const signal = new EventEmitter()
    res.once('close', () => signal.emit('abort'))
    const call = {
      path: prefix + path,
      method: req.method,
      headers: headersFor(req.headers, token, res.locals.requestId),
      body: bodyOf(req),
      signal,
    }
    const answer = ({ statusCode, headers }: { statusCode: number; headers: IncomingHttpHeaders }) => {
      // Who it is was settled here. A service that refuses our own token must not sign anybody out.
      if (statusCode === 401) throw new AppError('upstream_failed', unreachable, { detail: 'internal token refused' })
      res.statusCode = statusCode
      for (const name in headers) {
        const value = headers[name]
        if (value !== undefined && !keptBack.has(name)) res.setHeader(name, value)
      }
      return res
    }
    const send = (maySendAgain: boolean) =>
      pool.stream(call, answer, (error) => {
        if (!error) return
        if (maySendAgain && isRepeatable(call) && isLost(error) && !res.headersSent && !res.destroyed) send(false)
        else next(problemOf(error))
      })
    send(true)
  }
}

/** A change could be made twice; a body is spent. */
const isRepeatable = ({ method, body }: { method: string; body: unknown }) =>
  (method === 'GET' || method === 'HEAD') && body === null

const losses = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE'])
/** The service's process has died, or has closed a kept connection in the same moment: another one may answer at once. */
const isLost = (error: Error) => 'code' in error && losses.has(String(error.code))

function headersFor(headers: IncomingHttpHeaders, token: string, requestId: string): Record<string, string> {
  const kept: Record<string, string> = { authorization: `Bearer ${token}`, 'x-request-id': requestId }
  for (const name of forwardedHeaders) {
    const value = headers[name]
    if (typeof value === 'string') kept[name] = value
  }
  return kept
}

/** Not the request itself: a service that answers before it has read everything would take the browser's connection down. */
function bodyOf(req: Request): PassThrough | null {
  const { 'content-length': length, 'transfer-encoding': coding } = req.headers
  return coding !== undefined || Number(length ?? 0) > 0 ? req.pipe(new PassThrough()) : null
}

const timeouts = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT'])
const unreachable = 'This part of Parley cannot be reached right now. Try again shortly.'

function problemOf(error: Error): AppError {
  if (error instanceof AppError) return error
  return 'code' in error && timeouts.has(String(error.code))
    ? new AppError('upstream_timeout', 'This takes longer than it should. Try again shortly.', { cause: error })
    : new AppError('upstream_failed', unreachable, { cause: error })
}
