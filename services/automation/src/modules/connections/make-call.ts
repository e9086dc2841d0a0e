import { defaultCallSeconds } from '@parley/contracts/automation/http-request'
import { notJson, takeValues } from '@parley/flow/fill-call'
import { OutboundError } from '@parley/service-kit/core/outbound-error'
import type { OutboundHttp } from '@parley/service-kit/core/outbound-http'
import type { CallRecord, CallResult } from './calls.model.ts'
import { maxAnswerBytes } from './connection-http.ts'
import type { ConnectionRecord } from './connections.model.ts'

/** Number of times that one call is begun. */
export const maxTries = 3
/** Milliseconds before each of them but the first. */
const pausesMs = [1000, 4000]
const maxRetryAfterMs = 30_000
const maxShownBytes = 64 * 1024

/** Outcome of one try: it has ended, or is made again after a pause. */
export interface Tried {
  readonly result: CallResult
  readonly againAfterMs?: number
  /** True where the host has failed, and not the request. */
  readonly hostFailed: boolean
}

/**
 * Makes one call. It is made again where that does no harm: it only reads, has never left, or the other system does a repeated one
 * once. What may have been done although no answer came is `uncertain`.
 */
export async function makeCall(
  http: Pick<OutboundHttp, 'send'>,
  { baseUrl, repeatable }: Pick<ConnectionRecord, 'baseUrl' | 'repeatable'>,
  call: CallRecord,
  authentication: Readonly<Record<string, string>>,
): Promise<Tried> {
  const { request, tries, key } = call
  const failed = (code: string, more: Partial<CallResult> = {}): CallResult => ({ state: 'failed', code, ...more })
  if (!request) return { result: failed('lost'), hostFailed: false }
  const url = `${baseUrl}${request.path}`
  // The path was filled with care; a call that would leave the host is refused here all the same.
  if (URL.parse(url)?.origin !== new URL(baseUrl).origin)
    return { result: failed('address_refused'), hostFailed: false }
  const isRepeatable = request.method === 'GET' || repeatable
  const again = (mayRepeat: boolean, askedMs?: number) =>
    mayRepeat && tries < maxTries
      ? { againAfterMs: askedMs ?? (pausesMs[tries - 1] ?? 0) * (0.75 + Math.random() / 2) }
      : {}
  const begun = performance.now()
  const took = () => ({ ms: Math.round(performance.now() - begun) })
  try {
    const { status, headers, body } = await http.send({
      url,
      method: request.method,
      headers: {
        accept: 'application/json',
        'user-agent': 'Parley/1.0',
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
        ...(request.method !== 'GET' && { 'idempotency-key': key }),
        ...Object.fromEntries((request.headers ?? []).map(({ name, value }) => [name.toLowerCase(), value])),
        ...authentication,
      },
      ...(request.body !== undefined && { body: request.body }),
      timeoutMs: (request.timeoutSeconds ?? defaultCallSeconds) * 1000,
      // Once the status is there the outcome is known, whatever becomes of the rest.
      answer: 'cut',
    })
    const told = { status, bytes: body.length, ...took(), ...(!call.run && { answer: shownOf(body) }) }
    const hostFailed = status >= 500
    if (status === 429 || hostFailed)
      return {
        result: failed('http_status', told),
        hostFailed,
        ...again(isRepeatable, retryAfterOf(headers['retry-after'])),
      }
    if (status >= 300) return { result: failed(status < 400 ? 'redirected' : 'http_status', told), hostFailed }
    if (body.length >= maxAnswerBytes) return { result: failed('answer_too_large', told), hostFailed }
    const values = request.pick ? takeValues(request.pick, body.toString()) : {}
    return { result: values ? { state: 'answered', ...told, values } : failed(notJson, told), hostFailed }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const { reason, isUnsent } = error
    const isBroken = reason === 'unreachable'
    const hostFailed = reason !== 'address_refused' && reason !== 'too_large'
    const isKnown = request.method === 'GET' || isUnsent
    const result: CallResult = isKnown ? failed(reason, took()) : { state: 'uncertain', code: reason, ...took() }
    return { result, hostFailed, ...again(isBroken && (isRepeatable || isUnsent)) }
  }
}

/** Milliseconds of a `Retry-After` in seconds, at most half a minute; a date is not followed. */
function retryAfterOf(value: string | string[] | undefined): number | undefined {
  const seconds = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : undefined
  return seconds === undefined ? undefined : Math.min(seconds * 1000, maxRetryAfterMs)
}

const shownOf = (body: Buffer): string => body.subarray(0, maxShownBytes).toString().replaceAll('\0', '\uFFFD')
