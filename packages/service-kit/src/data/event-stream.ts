import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { Redis } from 'ioredis'
import type { StreamEvent } from '../http/send-events.ts'
import { createEventInbox, type EventInbox } from './event-inbox.ts'
import { readEvents, readHeads } from './event-log.ts'
import { createStreamReader, unloggedKind } from './event-stream-reader.ts'
import type { ServiceConnection } from './mongo.ts'

const streamLength = 500
const streamLifeSeconds = 3600
const batchSize = 200
/** Milliseconds between comparisons of the heads, should Redis have lost what was published. */
const headCheckMs = 5000

const streamKey = (workspaceId: string): string => `events:{${workspaceId}}`

/** Adds an unlogged entry with an id below the next event number, so that it keeps no event out. */
const publishUnloggedScript = `
local top = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
local seq = top[1] and string.match(top[1][1], '^%d+') or '0'
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], seq .. '-*', '${unloggedKind}', ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[3])`

/**
 * Publishes to the open streams of a workspace. It never fails: what is lost, readers find in the database. Of what is logged Redis
 * holds the numbers alone: an erasure reaches the log, and nothing of it is anywhere else.
 */
export function createEventPublisher(redis: Redis) {
  return {
    /** Publishes the last number; the sequencer calls it. It is the entry's id, so that none goes in behind a higher one. */
    publish: async (workspaceId: string, events: readonly Pick<RecordedEvent, 'seq'>[]): Promise<void> => {
      const last = events.at(-1)
      if (!last) return
      const key = streamKey(workspaceId)
      await redis
        .pipeline()
        .xadd(key, 'MAXLEN', '~', streamLength, `${last.seq}-0`, 'numbered', '')
        .expire(key, streamLifeSeconds)
        .exec()
        .catch(() => undefined)
    },
    /**
     * Publishes presence, typing, progress: not logged, and lost to readers that do not read at this moment. Ids and counts, no
     * text.
     */
    publishUnlogged: async (workspaceId: string, event: string, data: unknown): Promise<void> => {
      const unlogged = JSON.stringify({ event, data })
      await redis
        .eval(publishUnloggedScript, 1, streamKey(workspaceId), unlogged, streamLength, streamLifeSeconds)
        .catch(() => undefined)
    },
  }
}

/**
 * The events of a workspace as they come, from a number on. Redis tells that there are new ones; they are read from the database,
 * once for all readers of a process, and each reader sees every number once and in order. What waits for a slow reader is bounded:
 * it reads on by itself.
 * @param options.redis an ordinary connection; a second one like it waits for entries.
 */
export function createEventStream({ connection, redis }: { connection: ServiceConnection; redis: Redis }) {
  const reader = createStreamReader({
    redis,
    keyOf: streamKey,
    headCheckMs,
    readHeads: (workspaceIds) => readHeads(connection, workspaceIds),
    readEvents: (workspaceId, after) => readEvents(connection, { workspaceId, after, limit: batchSize }),
  })
  const headOf = async (workspaceId: string) => (await readHeads(connection, [workspaceId])).get(workspaceId) ?? 0

  /**
   * Opens the stream that `mount` answers with on an endpoint of `responseType: 'events'`. The id is the number of the last event
   * that the reader has then seen. `reset` says that the events after its number are no longer kept: the reader must read
   * everything again.
   * @param after the number of the last event that was seen; without it only new ones come.
   * @returns once the reader has joined: from then on it misses nothing, whenever it begins to read.
   */
  async function open({ workspaceId, after, signal }: Opening): Promise<AsyncGenerator<StreamEvent>> {
    const inbox = createEventInbox(signal)
    const leave = await reader.join(workspaceId, inbox)
    if (signal.aborted) leave()
    // A generator that was never started ends without running its body.
    else signal.addEventListener('abort', leave, { once: true })
    const head = await headOf(workspaceId)
    return follow({ workspaceId, after, signal, inbox, head })
  }

  async function* follow({ workspaceId, after, signal, inbox, head }: Following): AsyncGenerator<StreamEvent> {
    let last = Math.min(after ?? head, head)
    if (after !== undefined && after > head) yield reset(last)
    let behind = true
    while (!signal.aborted) {
      if (behind) {
        const events = await readEvents(connection, { workspaceId, after: last, limit: batchSize })
        behind = events.length === batchSize
        const [first] = events
        // The head alone reveals a gap where none of the missed events is left.
        if (first ? first.seq !== last + 1 : last < head) {
          last = await headOf(workspaceId)
          yield reset(last)
          continue
        }
        for (const event of events) {
          last = event.seq
          yield itemOf(event)
        }
        continue
      }
      if (inbox.takeBehind()) {
        behind = true
        continue
      }
      const entry = inbox.shift()
      if (!entry) {
        await inbox.filled()
      } else if ('unlogged' in entry) {
        yield { id: String(last), ...entry.unlogged }
      } else if (entry.event.seq > last + 1) {
        behind = true
      } else if (entry.event.seq === last + 1) {
        last = entry.event.seq
        yield itemOf(entry.event)
      }
    }
  }

  return { open, close: reader.close }
}

interface Opening {
  readonly workspaceId: string
  readonly after?: number | undefined
  /** Aborted when the stream is to end. */
  readonly signal: AbortSignal
}

interface Following extends Opening {
  readonly inbox: EventInbox
  /** Number of the last event when the reader joined. */
  readonly head: number
}

const itemOf = (event: RecordedEvent): StreamEvent => ({ id: String(event.seq), event: event.type, data: event })
const reset = (last: number): StreamEvent => ({ id: String(last), event: 'reset', data: {} })
