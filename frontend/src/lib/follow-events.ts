import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream'
import { pauseForNetwork } from './pause.ts'

interface Following {
  /** Opens the stream, continued after `lastEventId` where that is known. */
  readonly open: (options: {
    lastEventId: string | undefined
    signal: AbortSignal
  }) => Promise<ReadableStream<Uint8Array>>
  /** @param resumed nothing was missed since the last event; otherwise what was read before may be old. */
  readonly onOpen: (resumed: boolean) => void
  readonly onMessage: (message: EventSourceMessage) => void
  /** Called each time that the stream has ended or could not be opened. */
  readonly onEnd: (error: unknown) => void
  readonly signal: AbortSignal
}

const firstPauseMs = 500
const maxPauseMs = 30_000
/** A stream that has been open for so long worked: the next pause is short again. */
const steadyMs = 10_000
/** The server says something every 15 s: after this long the connection is dead, whatever the browser believes. */
const silenceMs = 40_000
/** Maximum length of an event in characters. */
const maxEvent = 1_000_000

/**
 * Reads server-sent events until `signal` is aborted. A stream that ends is opened again after a pause, which grows with each
 * failure and ends at once when the network is back or the tab is looked at.
 */
export async function followEvents(following: Following): Promise<void> {
  const { signal } = following
  let lastEventId: string | undefined
  let failures = 0
  while (!signal.aborted) {
    const silence = silenceLimit(signal)
    const startedAt = Date.now()
    try {
      const stream = await following.open({ lastEventId, signal: silence.signal })
      following.onOpen(lastEventId !== undefined)
      await stream
        .pipeThrough(silence.watch)
        .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
        .pipeThrough(new EventSourceParserStream({ maxBufferSize: maxEvent }))
        .pipeTo(
          new WritableStream({
            write(message) {
              lastEventId = message.id ?? lastEventId
              following.onMessage(message)
            },
          }),
          { signal },
        )
      following.onEnd(undefined)
    } catch (error) {
      if (!signal.aborted) following.onEnd(error)
    } finally {
      silence.end()
    }
    failures = Date.now() - startedAt > steadyMs ? 1 : failures + 1
    await pauseForNetwork(Math.min(maxPauseMs, firstPauseMs * 2 ** (failures - 1)), signal)
  }
}

/** Aborts when nothing has come for too long. */
function silenceLimit(outer: AbortSignal) {
  const silent = new AbortController()
  const abort = () => silent.abort(new DOMException('Nothing has come for too long.', 'TimeoutError'))
  let timer = setTimeout(abort, silenceMs)
  return {
    signal: AbortSignal.any([outer, silent.signal]),
    watch: new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        clearTimeout(timer)
        timer = setTimeout(abort, silenceMs)
        controller.enqueue(chunk)
      },
    }),
    end: () => clearTimeout(timer),
  }
}
