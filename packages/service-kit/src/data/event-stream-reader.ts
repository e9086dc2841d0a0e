import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import type { EventInbox } from './event-inbox.ts'

const blockMs = 2000
const pauseMs = 1000
/** Field of an entry that carries no event's number. */
export const unloggedKind = 'told'
const unloggedSchema = z.object({ event: z.string(), data: z.unknown() })

/** A workspace with readers in this process: one position for all of them. */
interface Channel {
  /** Id of the last entry. */
  position: string
  /** Number of the last event that was handed on, or announced as the head. */
  seen: number
  readonly inboxes: Set<EventInbox>
}

/** Reads the streams of all workspaces that this process has readers of, with one connection, and fills their inboxes. */
export function createStreamReader(options: {
  redis: Redis
  keyOf: (workspaceId: string) => string
  headCheckMs: number
  readHeads: (workspaceIds: readonly string[]) => Promise<Map<string, number>>
  /** Reads numbered events after a number, in their order: as many as are read at once. */
  readEvents: (workspaceId: string, after: number) => Promise<readonly RecordedEvent[]>
}) {
  const { redis, keyOf, headCheckMs } = options
  // A blocking read delays every other command of its connection.
  const blocking = redis.duplicate({ commandTimeout: blockMs + 10_000, enableOfflineQueue: true })
  blocking.on('error', () => undefined)
  const channels = new Map<string, Channel>()
  /** Stream of this process alone: an entry ends the wait of a read, so that the next one includes a workspace just joined. */
  const wakeKey = `events:wake:${randomUUID()}`
  let wakePosition = '0-0'
  let running: Promise<void> | undefined
  let closed = false
  let headsCheckedAt = Date.now()

  async function join(workspaceId: string, inbox: EventInbox): Promise<() => void> {
    const known = channels.get(workspaceId)
    const channel = known ?? { position: await lastEntryOf(workspaceId), seen: 0, inboxes: new Set() }
    const current = channels.get(workspaceId) ?? channel
    channels.set(workspaceId, current)
    current.inboxes.add(inbox)
    running ??= readOn().finally(() => {
      running = undefined
    })
    return () => {
      current.inboxes.delete(inbox)
      if (current.inboxes.size === 0) channels.delete(workspaceId)
    }
  }

  const lastEntryOf = async (workspaceId: string): Promise<string> => {
    const [last] = await redis.xrevrange(keyOf(workspaceId), '+', '-', 'COUNT', 1).catch(() => [])
    return last?.[0] ?? '0-0'
  }

  async function readOn(): Promise<void> {
    while (!closed && channels.size > 0) {
      const read = [...channels]
      const keys = [wakeKey, ...read.map(([workspaceId]) => keyOf(workspaceId))]
      const positions = [wakePosition, ...read.map(([, { position }]) => position)]
      const found = await blocking
        .xread('COUNT', 200, 'BLOCK', blockMs, 'STREAMS', ...keys, ...positions)
        .catch(() => 'failed' as const)
      if (closed) return
      if (found === 'failed') await wait(pauseMs)
      else await Promise.all((found ?? []).map(([key, entries]) => deliver(key, entries, read)))
      if (found === 'failed' || Date.now() - headsCheckedAt > headCheckMs) await compareHeads()
    }
  }

  async function deliver(key: string, entries: [string, string[]][], read: [string, Channel][]): Promise<void> {
    const last = entries.at(-1)?.[0]
    if (key === wakeKey) {
      wakePosition = last ?? wakePosition
      return
    }
    const [workspaceId, channel] = read.find(([id]) => keyOf(id) === key) ?? []
    if (!channel || !workspaceId || !last) return
    channel.position = last
    const numbers = entries.flatMap(([id, [kind]]) => (kind === unloggedKind ? [] : Number.parseInt(id, 10)))
    await handOn(workspaceId, channel, Math.max(0, ...numbers))
    for (const [, [kind, text = '']] of entries) {
      const unlogged = kind === unloggedKind ? parse(text) : undefined
      if (unlogged) for (const inbox of channel.inboxes) inbox.push({ unlogged })
    }
  }

  /**
   * Hands on the events numbered up to here. A reader that has just joined, and all of them where there is too much, read on by
   * themselves.
   */
  async function handOn(workspaceId: string, channel: Channel, upTo: number): Promise<void> {
    const { seen } = channel
    if (upTo <= seen) return
    channel.seen = upTo
    const events = seen === 0 ? [] : await options.readEvents(workspaceId, seen).catch(() => [])
    for (const event of events) for (const inbox of channel.inboxes) inbox.push({ event })
    const newest = events.at(-1)?.seq ?? 0
    if (newest < upTo) for (const inbox of channel.inboxes) inbox.setBehind()
    else channel.seen = newest
  }

  /**
   * Makes readers fetch from the database the numbered events that did not come by Redis. A stream that was lost begins again at
   * its start.
   */
  async function compareHeads(): Promise<void> {
    headsCheckedAt = Date.now()
    const heads = await options.readHeads([...channels.keys()]).catch(() => new Map<string, number>())
    for (const [workspaceId, head] of heads) {
      const channel = channels.get(workspaceId)
      if (!channel || head <= channel.seen) continue
      channel.seen = head
      for (const inbox of channel.inboxes) inbox.setBehind()
    }
  }

  async function wakeUp(): Promise<void> {
    const woken = redis.pipeline().xadd(wakeKey, 'MAXLEN', 1, '*', 'wake', '').expire(wakeKey, 60).exec()
    await woken.catch(() => undefined)
  }

  return {
    /** @returns a function that leaves again. */
    join: async (workspaceId: string, inbox: EventInbox): Promise<() => void> => {
      const leave = await join(workspaceId, inbox)
      await wakeUp()
      return leave
    },
    close: async (): Promise<void> => {
      closed = true
      blocking.disconnect()
      await running
    },
  }
}

/** Returns `undefined` for entries that this version does not understand. */
function parse(text: string): z.infer<typeof unloggedSchema> | undefined {
  try {
    return unloggedSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
