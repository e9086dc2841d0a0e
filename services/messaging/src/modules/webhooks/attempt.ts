import { createHash } from 'node:crypto'
import type { Envelope } from '@parley/contracts/platform/public-events'
import { OutboundError } from '@parley/service-kit/core/outbound-error'
import type { OutboundHttp } from '@parley/service-kit/core/outbound-http'
import { inStoredTrace } from '@parley/service-kit/core/tracing'
import type { Attempt, DeliveryRecord } from './deliveries.model.ts'

const maxAnswerKept = 2048
const maxRetryAfterMs = 3_600_000
/** Tolerance of the libraries of Standard Webhooks. */
const maxSkewMs = 300_000

/** Result of sending one event to one address. */
export interface AttemptResult extends Attempt {
  readonly kind: 'delivered' | 'failed' | 'gone' | 'aborted'
  readonly sha256: string
  /** Milliseconds that the receiver asks to be left alone. */
  readonly retryAfterMs?: number | undefined
  /** The receiver is overloaded, or does not answer in time. */
  readonly isOverloaded: boolean
}

/** Signs and sends an event, as a part of the trace in which it was recorded. 2xx is success, whatever its body; a redirect is a failure, and 410 the end. */
export async function attempt(
  http: Pick<OutboundHttp, 'send'>,
  {
    row,
    url,
    envelope,
    sign,
    now,
  }: {
    readonly row: Pick<DeliveryRecord, 'traceparent'>
    readonly url: string
    readonly envelope: Envelope
    readonly sign: (id: string, at: Date, body: string) => Record<string, string>
    readonly now: () => Date
  },
): Promise<AttemptResult> {
  const body = JSON.stringify(envelope)
  const sha256 = hashOf(body)
  const at = now()
  const begun = performance.now()
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Parley-Webhooks/1.0',
    ...sign(envelope.id, at, body),
  }
  const took = () => Math.round(performance.now() - begun)
  try {
    const answer = await inStoredTrace('deliver', [row.traceparent], () =>
      http.send({ url, method: 'POST', headers, body, answer: 'cut' }),
    )
    const text = readable(answer.body)
    const clock = headerOf(answer.headers, 'date')
    const attempted = { at, ms: took(), status: answer.status, ...(text !== '' && { answer: text }), sha256 }
    const isOverloaded = answer.status === 429 || answer.status >= 500
    if (answer.status >= 200 && answer.status < 300) return { ...attempted, kind: 'delivered', isOverloaded: false }
    if (answer.status === 410) return { ...attempted, kind: 'gone', isOverloaded }
    if (headerOf(answer.headers, 'webhook-delivery') === 'abort-message')
      return { ...attempted, kind: 'aborted', isOverloaded }
    const retryAfterMs = retryAfterOf(headerOf(answer.headers, 'retry-after'), clockOf(clock) ?? at)
    // Receivers refuse signatures that are older than five minutes by their own clock.
    const isClockOff = answer.status < 500 && Math.abs((clockOf(clock) ?? at).getTime() - at.getTime()) > maxSkewMs
    return { ...attempted, ...(isClockOff && { error: 'clock_off' }), kind: 'failed', isOverloaded, retryAfterMs }
  } catch (error) {
    const reason = error instanceof OutboundError ? error.reason : 'failed'
    return { at, ms: took(), error: reason, sha256, kind: 'failed', isOverloaded: reason === 'timeout' }
  }
}

/** SHA-256 of a body, in hex. */
export const hashOf = (body: string): string => createHash('sha256').update(body).digest('hex')

type Headers = Record<string, string | string[] | undefined>
const headerOf = (headers: Headers, name: string): string | undefined => [headers[name]].flat()[0]

/** The time that a header tells; undefined where it tells none. */
function clockOf(text: string | undefined): Date | undefined {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? undefined : new Date(time)
}

/** Seconds or a date (RFC 9110, section 10.2.3), an hour at most. @param now by the clock that has written the date. */
function retryAfterOf(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, maxRetryAfterMs) : undefined
}

/** The beginning of an answer as text: no control characters, no half letter at its end. */
const readable = (body: Buffer): string =>
  body
    .subarray(0, maxAnswerKept)
    .toString('utf8')
    .replaceAll(/[^\P{C}\n\t]|\uFFFD/gu, '')
    .slice(0, maxAnswerKept)
    .toWellFormed()
