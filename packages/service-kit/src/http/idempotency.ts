import { createHash } from 'node:crypto'
import { finished } from 'node:stream/promises'
import type { Endpoint } from '@parley/contracts/core/endpoint'
import type { ErrorCode } from '@parley/contracts/core/errors'
import { errorCodeHeader, idempotencyKeyHeader } from '@parley/contracts/core/headers'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, errorBody, errors } from '../core/errors.ts'
import type { Intent } from './context.ts'
import { StreamedBody } from './received-bodies.ts'

/** One call that its caller may repeat. */
export interface IdempotentCall {
  readonly workspaceId: string
  /** Member or key that makes the call. */
  readonly callerId: string
  readonly operation: string
  /** The caller's `Idempotency-Key`. */
  readonly key: string
  /**
   * Hash of parameters and body, of a stream its length, since its call begins before it is read: the same key for something
   * else is a mistake of the caller.
   */
  readonly inputHash: string
  /** Set where the answer holds a secret. */
  readonly secretAnswer?: true | undefined
}

/** A kept answer: to an error's body the request id of the repeated call is added. */
export interface KeptAnswer {
  readonly status: number
  /** JSON text; empty where the answer has no body. */
  readonly body: string
  readonly isError: boolean
  /** Hash of the bytes of an upload that was read to its end. */
  readonly contentHash?: string | undefined
}

export type Begun =
  /** This call is to be carried out; `lease` names it in what follows. `at`: when it was begun for the first time. */
  | { readonly state: 'begun'; readonly lease: string; readonly at: Date }
  | { readonly state: 'running'; readonly retryAfterSeconds: number }
  | { readonly state: 'done'; readonly answer: KeptAnswer }
  /** The key was used with another input. */
  | { readonly state: 'reused' }

/** Keeps the answers of calls for as long as they may be repeated. */
export interface IdempotencyStore {
  readonly begin: (call: IdempotentCall) => Promise<Begun>
  /** Extends the lease for a call that takes longer than one. */
  readonly renew: (call: IdempotentCall, lease: string) => Promise<void>
  readonly finish: (call: IdempotentCall, lease: string, answer: KeptAnswer) => Promise<void>
  /** Ends the lease: a repetition is carried out, under the same intent. */
  readonly abandon: (call: IdempotentCall, lease: string) => Promise<void>
  /** Forgets a call of which nothing was carried out. */
  readonly forget: (call: IdempotentCall, lease: string) => Promise<void>
}

/** Names a caller's intent: the same for each repetition. */
export const intentIdOf = ({ workspaceId, callerId, operation, key }: IdempotentCall): string =>
  createHash('sha256')
    .update(JSON.stringify([workspaceId, callerId, operation, key]))
    .digest('base64url')

declare module 'fastify' {
  interface FastifyInstance {
    idempotency: IdempotencyStore | null
  }
}

/**
 * Carries a call out and answers; a call with an `Idempotency-Key` that was carried out before gets the same answer again.
 * @throws `idempotency_key_reused` for the same key with another input, `request_in_progress` while the first call runs.
 */
export async function answerOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint,
  work: (intent?: Intent) => Promise<unknown>,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store')
  const store = request.server.idempotency
  const call = store && readCall(request, endpoint)
  if (!store || !call) return reply.code(endpoint.status).send(await work())

  const begun = await store.begin(call)
  if (begun.state === 'reused') throw keyReused()
  if (begun.state === 'running') {
    const { retryAfterSeconds } = begun
    throw new AppError('request_in_progress', 'This request is still being carried out.', { retryAfterSeconds })
  }
  const upload = request.body instanceof StreamedBody ? request.body : undefined
  if (begun.state === 'done') {
    if (upload) await requireSameBytes(upload, begun.answer)
    return answerAgain(request, reply, begun.answer)
  }

  // An upload that was broken off may come again with another length.
  const letGo = upload ? store.forget : store.abandon
  const keep = (answer: KeptAnswer | undefined) =>
    (answer ? store.finish(call, begun.lease, answer) : letGo(call, begun.lease)).catch((error: unknown) => {
      // The work is done, and the caller gets its result. The lease expires by itself.
      request.log.warn({ err: error }, 'the answer to an idempotency key was not kept')
    })
  const renewal =
    endpoint.bodyType === 'stream'
      ? setInterval(() => {
          store.renew(call, begun.lease).catch((error: unknown) => {
            request.log.warn({ err: error }, 'the lease of an upload was not renewed')
          })
        }, renewEveryMs).unref()
      : undefined
  try {
    const body = await work({ id: intentIdOf(call), at: begun.at })
    const answer = { status: endpoint.status, body: JSON.stringify(body) ?? '', isError: false }
    await keep({ ...answer, contentHash: upload?.contentHash() })
    return reply.code(endpoint.status).send(body)
  } catch (error) {
    // An error in an interrupted upload says nothing about the whole upload.
    await keep(endpoint.bodyType === 'stream' && !request.raw.complete ? undefined : keptError(error))
    throw error
  } finally {
    clearInterval(renewal)
  }
}

const keyReused = () => new AppError('idempotency_key_reused', 'This key was used for another request. Send a new one.')

/** Reads an upload that was answered before. @throws `idempotency_key_reused` where it has other bytes of the same length. */
async function requireSameBytes(upload: StreamedBody, { contentHash }: KeptAnswer): Promise<void> {
  if (contentHash === undefined) return
  await finished(upload.resume())
  if (upload.contentHash() !== contentHash) throw keyReused()
}

/** Pause between renewals: an upload may take minutes, and each renewal is well within the lease. */
const renewEveryMs = 20_000

/** Codes of answers that ask for a retry. */
const passing: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'request_in_progress'])

function keptError(error: unknown): KeptAnswer | undefined {
  if (!(error instanceof AppError) || error.status >= 500 || passing.has(error.code)) return undefined
  const { requestId: _ofThisCall, ...body } = errorBody(error, '')
  return { status: error.status, body: JSON.stringify(body), isError: true }
}

function answerAgain(request: FastifyRequest, reply: FastifyReply, { status, body, isError }: KeptAnswer) {
  reply.code(status).header('idempotent-replayed', 'true')
  if (body === '') return reply.send()
  const kept: unknown = JSON.parse(body)
  if (isError && kept instanceof Object && 'code' in kept) reply.header(errorCodeHeader, String(kept.code))
  return reply.send(isError && kept instanceof Object ? { ...kept, requestId: request.id } : kept)
}

function readCall(request: FastifyRequest, endpoint: Endpoint): IdempotentCall | undefined {
  const key = request.headers[idempotencyKeyHeader.toLowerCase()]
  const { caller, params, query, body } = request
  if (key === undefined || endpoint.method === 'GET') return undefined
  if (endpoint.repeatable) return undefined
  if (caller?.kind !== 'user' && caller?.kind !== 'key') return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw errors.badRequest(`${idempotencyKeyHeader} must be 1 to 255 printable characters.`)
  }
  const content = endpoint.bodyType === 'stream' ? request.headers['content-length'] : body
  const input = JSON.stringify([params, query, content instanceof Buffer ? content.toString('base64') : content])
  return {
    workspaceId: caller.claims.wid,
    callerId: caller.claims.sub,
    operation: endpoint.operation,
    key,
    inputHash: createHash('sha256').update(input).digest('base64url'),
    secretAnswer: endpoint.secretAnswer,
  }
}
