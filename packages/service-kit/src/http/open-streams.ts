import { errors } from '../core/errors.ts'
import type { InternalCaller } from '../core/internal-token.ts'

/** Maximum streams of a person: more than the tabs that anyone has open; it stops a page that reconnects in a loop. */
const streamsPerPerson = 20

/** One stream of server-sent events that is open. */
export interface OpenStream {
  /** Aborted when the stream is to end. */
  readonly signal: AbortSignal
  /** Ends it: the reader has left, or there is nothing more to send. */
  readonly close: () => void
}

export interface OpenStreams {
  /** @throws `rate_limited` where a person has {@link streamsPerPerson} open. */
  readonly open: (caller: InternalCaller | null) => OpenStream
  /** Ends the streams of the callers that are chosen: after a sign-out, a removal. */
  readonly end: (chosen: (caller: InternalCaller | null) => boolean) => void
  /** Ends all; one that is opened afterwards ends at once. */
  readonly endAll: () => void
  readonly count: () => number
}

declare module 'fastify' {
  interface FastifyInstance {
    openStreams: OpenStreams
  }
}

/** Tracks the open streams of a process. */
export function createOpenStreams(): OpenStreams {
  const streams = new Set<{ caller: InternalCaller | null; abort: AbortController }>()
  let stopped = false

  const end: OpenStreams['end'] = (chosen) => {
    for (const { caller, abort } of streams) if (chosen(caller)) abort.abort()
  }
  const countOf = ({ claims }: InternalCaller) =>
    [...streams].filter(({ caller }) => caller?.claims.sub === claims.sub).length

  return {
    open: (caller) => {
      if (caller?.kind === 'user' && countOf(caller) >= streamsPerPerson) {
        throw errors.rateLimited(10, 'Parley is open in too many tabs. Close some.')
      }
      const stream = { caller, abort: new AbortController() }
      streams.add(stream)
      if (stopped) stream.abort.abort()
      const close = () => {
        streams.delete(stream)
        stream.abort.abort()
      }
      return { signal: stream.abort.signal, close }
    },
    end,
    endAll: () => {
      stopped = true
      end(() => true)
    },
    count: () => streams.size,
  }
}
