import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { eventSchema, type RecordedEvent } from '@parley/contracts/events'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import type { Entry, EventInbox } from './event-inbox.ts'

const blockMs = 2000
const pauseMs = 1000
const unloggedSchema = z.object({ event: z.string(), data: z.unknown() })

/** A workspace that somebody in this process reads: one position for all of them. */
interface Channel {
  /** Id of the last entry. */
  position: string
  /** Number of the last event that was seen in Redis or as the head. */
  seen: number
  readonly inboxes: Set<EventInbox>
}

/** Reads the streams of all workspaces that this process has readers of, with one connection, and fills their inboxes. */
export function createStreamReader(options: {
  redis: Redis
  keyOf: (workspaceId: string) => string
  headCheckMs: number
  readHeads: (workspaceIds: readonly string[]) => Promise<Map<string, number>>
}) {
  const { redis, keyOf, headCheckMs } = options
  // A read waits for entries, and whatever else its connection carries waits with it.
  const blocking = redis.duplicate({ commandTimeout: blockMs + 10_000, enableOfflineQueue: true })
  blocking.on('error', () => undefined)
  const channels = new Map<string, Channel>()
  /** An entry here ends the wait of a read, so that the next one includes a workspace that has just been joined. */
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
      else for (const [key, entries] of found ?? []) deliver(key, entries, read)
      if (found === 'failed' || Date.now() - headsCheckedAt > headCheckMs) await compareHeads()
    }
  }

  function deliver(key: string, entries: [string, string[]][], read: [string, Channel][]): void {
    const last = entries.at(-1)?.[0]
    if (key === wakeKey) {
      wakePosition = last ?? wakePosition
      return
    }
    const channel = read.find(([workspaceId]) => keyOf(workspaceId) === key)?.[1]
    if (!channel || !last) return
    channel.position = last
    for (const [, [kind, text = '']] of entries) {
      const entry = parse(kind, text)
      if (!entry) continue
      if ('event' in entry) channel.seen = Math.max(channel.seen, entry.event.seq)
      for (const inbox of channel.inboxes) inbox.push(entry)
    }
  }

  /** What is numbered and did not come by Redis is read from the database. A stream that was lost begins again at its start. */
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
    /** @returns what leaves again. */
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

/** `undefined` for what this version does not understand: an event is read from the database then. */
function parse(kind: string | undefined, text: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return kind === 'event'
      ? { event: eventSchema.parse(value) as RecordedEvent }
      : { unlogged: unloggedSchema.parse(value) }
  } catch {
    return undefined
  }
}
