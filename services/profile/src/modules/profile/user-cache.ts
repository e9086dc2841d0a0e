import { type User, userSchema } from '@parley/contracts/account/profile'
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'

const ttlMs = 60_000
const largestEntryBytes = 128 * 1024
const pauseMs = 1000

/** Sets an entry unless a newer version is held; without a user it only marks the version. */
const storeScript = `
local held = redis.call('HGET', KEYS[1], 'version')
if held and tonumber(held) > tonumber(ARGV[1]) then return 0 end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'version', ARGV[1])
if ARGV[2] ~= '' then redis.call('HSET', KEYS[1], 'entry', ARGV[2]) end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`

const entrySchema = z.object({ workspaceId: z.string(), user: userSchema })

interface Who {
  readonly userId: string
  readonly workspaceId: string
}
interface Versioned {
  readonly id: string
  readonly version: number
}

export type UserCache = ReturnType<typeof createUserCache>

/**
 * Users in Redis, for a minute each. Every write of a record raises its version and then stores the new one here, and an
 * older version never replaces a newer: a read that was under way during the write cannot bring the old user back.
 * If Redis misses a write, this process remembers the version and takes nothing older for as long as an entry lives;
 * another process may then serve the old user for at most that minute. Without Redis every read is a miss.
 */
export function createUserCache({
  redis,
  onRead = () => undefined,
}: {
  redis: Pick<Redis, 'hmget' | 'eval'>
  /** Told of each read whether it found the user. */
  onRead?: (hit: boolean) => void
}) {
  const missedWrites = new LRUCache<string, number>({ max: 100_000, ttl: ttlMs })
  let pausedUntil = 0

  /** One failed command pauses the cache for a second, so that requests do not each wait for the same dead server. */
  async function attempt<T>(command: () => Promise<T>): Promise<T | undefined> {
    if (performance.now() < pausedUntil) return undefined
    return command().catch(() => {
      pausedUntil = performance.now() + pauseMs
      return undefined
    })
  }

  async function read({ userId, workspaceId }: Who): Promise<User | undefined> {
    const [version, json] = (await attempt(() => redis.hmget(keyOf(userId), 'version', 'entry'))) ?? []
    if (!json || Number(version) < (missedWrites.get(userId) ?? 0)) return undefined
    const entry = parseEntry(json)
    return entry?.workspaceId === workspaceId ? entry.user : undefined
  }

  async function write({ id, version }: Versioned, json: string): Promise<void> {
    const written = await attempt(() => redis.eval(storeScript, 1, keyOf(id), version, json, ttlMs))
    if (written === undefined) missedWrites.set(id, Math.max(version, missedWrites.get(id) ?? 0))
  }

  return {
    read: async (who: Who): Promise<User | undefined> => {
      const user = await read(who)
      onRead(user !== undefined)
      return user
    },
    /** Keeps a user as it is at a version of its record. */
    store: ({ workspaceId }: Who, record: Versioned, user: User): Promise<void> => {
      const json = JSON.stringify({ workspaceId, user })
      return write(record, Buffer.byteLength(json) <= largestEntryBytes ? json : '')
    },
    /** Drops what is held of a record that has changed. */
    forget: (record: Versioned): Promise<void> => write(record, ''),
  }
}

const keyOf = (userId: string): string => `profile:user:{${userId}}`

function parseEntry(json: string): z.infer<typeof entrySchema> | undefined {
  try {
    return entrySchema.safeParse(JSON.parse(json)).data
  } catch {
    return undefined
  }
}
