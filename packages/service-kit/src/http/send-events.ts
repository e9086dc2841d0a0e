import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OpenStream } from './open-streams.ts'

/** One event of a stream. A reader that comes back names the last `id` that it has seen. */
export interface StreamEvent {
  readonly id: string
  /** The event's type. */
  readonly event: string
  /** Data, sent as JSON. */
  readonly data: unknown
}

/** Additional input of a handler of `responseType: 'events'`. */
export interface EventsInput {
  /** The last event that the reader has seen; `undefined` where it starts afresh. */
  readonly lastEventId: string | undefined
  /** Aborted when the stream ends: the reader is gone, or the server stops. */
  readonly signal: AbortSignal
}

/** Pause between heartbeats, shorter than the time after which proxies end a silent connection. */
const heartbeatMs = 15_000
/** Milliseconds after which a reader that takes nothing is closed; it comes back and resumes by its last event. */
const slowReaderMs = 10_000
/** Milliseconds that the reader waits before it reconnects, by its own clock. */
const reconnectMs = 2000

/**
 * Answers with server-sent events (HTML standard) until the iterator or the stream ends or the reader leaves. What waits to
 * be sent is bounded: the next event is asked for when the connection has taken the one before.
 * @param options.events is left (`return`) when the stream ends, whatever it waits for.
 */
export function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  options: { events: AsyncIterable<StreamEvent>; stream: OpenStream; heartbeatMs?: number; slowReaderMs?: number },
): FastifyReply {
  reply.headers({ 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
  reply.hijack()
  const { raw } = reply
  const { stream } = options
  raw.once('close', stream.close)
  // The reader may have left before there was anything to answer with.
  if (raw.destroyed) stream.close()
  raw.on('error', stream.close)
  raw.writeHead(200, reply.getHeaders() as Record<string, string>)
  raw.write(`retry: ${reconnectMs}\n\n`)
  writeAll(raw, { heartbeatMs, slowReaderMs, ...options }, stream.signal)
    .catch((error: unknown) => request.log.error({ err: error }, 'a stream of events failed'))
    .finally(() => {
      stream.close()
      raw.end()
    })
  return reply
}

interface Limits {
  readonly events: AsyncIterable<StreamEvent>
  readonly heartbeatMs: number
  readonly slowReaderMs: number
}

async function writeAll(raw: ServerResponse, limits: Limits, signal: AbortSignal): Promise<void> {
  const iterator = limits.events[Symbol.asyncIterator]()
  const ended = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  const beat = setInterval(() => {
    if (!raw.writableNeedDrain) raw.write(':\n\n')
  }, limits.heartbeatMs)
  try {
    while (!signal.aborted) {
      const next = await Promise.race([iterator.next(), ended])
      if (!next || next.done === true) return
      if (!raw.write(frame(next.value))) await drained(raw, limits.slowReaderMs, signal)
    }
  } finally {
    clearInterval(beat)
    // Not awaited: an iterator that waits for its next event answers when it has one.
    iterator.return?.()?.catch(() => undefined)
  }
}

async function drained(raw: ServerResponse, slowReaderMs: number, signal: AbortSignal): Promise<void> {
  const late = AbortSignal.timeout(slowReaderMs)
  await once(raw, 'drain', { signal: AbortSignal.any([signal, late]) }).catch(() => {
    if (late.aborted) raw.destroy()
  })
}

function frame({ id, event, data }: StreamEvent): string {
  if (/[\r\n\0]/.test(id + event)) throw new Error('id and type of an event are one line each')
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
