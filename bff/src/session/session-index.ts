import { randomBytes } from 'node:crypto'
import type { ChainableCommander, Redis } from 'ioredis'
import { z } from 'zod'
import { hashToken } from './session-cipher.ts'
import type { HotRecord } from './session-record.ts'

/** Who is at the other end, as far as a request tells. */
export interface Visitor {
  readonly ip: string
  /** Browser and system in words. */
  readonly device: string
}

const listingSchema = z.object({
  publicId: z.string(),
  sid: z.string().optional(),
  createdAt: z.number(),
  lastSeenAt: z.number(),
  device: z.string(),
  ip: z.string(),
})
type Listing = z.infer<typeof listingSchema>

/** An account, or one session of it at the provider. */
export interface SignInTarget {
  readonly iss: string
  readonly sub?: string | undefined
  readonly sid?: string | undefined
}

const tombstoneSlackMs = 60_000

/**
 * The plain side of stored sessions: which ones belong to an account and to a session at the provider, what a person is
 * shown of them, and which sign-ins were revoked. Nothing in it opens a session.
 */
export function createSessionIndex(redis: Redis, absoluteMs: number) {
  const accountKey = ({ iss, sub }: SignInTarget) => `sub:${hashToken(`${iss}|${sub}`)}`
  const providerKey = ({ iss, sid }: SignInTarget) => `sid:${hashToken(`${iss}|${sid}`)}`
  const listingKey = (key: string) => `s:{${key}}:listing`
  const revokedKey = (target: SignInTarget) => `rv:${target.sid ? providerKey(target) : accountKey(target)}`

  async function add(key: string, hot: HotRecord, visitor: Visitor, ttlMs: number): Promise<void> {
    const { claims, createdAt } = hot
    const listing: Listing = {
      publicId: randomBytes(16).toString('base64url'),
      sid: claims.sid,
      createdAt,
      lastSeenAt: createdAt,
      ...visitor,
    }
    const write = redis.pipeline().set(listingKey(key), JSON.stringify(listing), 'PX', ttlMs)
    write.zadd(accountKey(claims), createdAt, key).pexpire(accountKey(claims), absoluteMs + tombstoneSlackMs)
    if (claims.sid) write.sadd(providerKey(claims), key).pexpire(providerKey(claims), absoluteMs + tombstoneSlackMs)
    await run(write)
  }

  /** Keeps the listing as long as the session, and notes when it was last used. */
  async function touch(key: string, ttlMs: number): Promise<void> {
    const listing = read(await redis.get(listingKey(key)))
    if (!listing) return
    await redis.set(listingKey(key), JSON.stringify({ ...listing, lastSeenAt: Date.now() }), 'PX', ttlMs, 'XX')
  }

  /** The account's live sessions, oldest first; ones that have ended by themselves are struck off. */
  async function list(account: SignInTarget): Promise<(Listing & { key: string })[]> {
    const keys = await redis.zrange(accountKey(account), 0, '-1')
    const listings = await Promise.all(
      keys.map(async (key) => ({ key, listing: read(await redis.get(listingKey(key))) })),
    )
    const ended = listings.filter(({ listing }) => !listing).map(({ key }) => key)
    if (ended.length > 0) await redis.zrem(accountKey(account), ...ended)
    return listings.flatMap(({ key, listing }) => (listing ? [{ key, ...listing }] : []))
  }

  /** Names of the sessions that a target stands for. */
  async function keysOf(target: SignInTarget): Promise<string[]> {
    return target.sid ? redis.smembers(providerKey(target)) : redis.zrange(accountKey(target), 0, '-1')
  }

  async function remove(account: SignInTarget, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    await redis.zrem(accountKey(account), ...keys)
    await Promise.all(keys.map((key) => redis.del(listingKey(key))))
  }

  /** From now on no session may be stored with tokens that were issued before. */
  async function revoke(target: SignInTarget): Promise<void> {
    await redis.set(revokedKey(target), String(Date.now()), 'PX', absoluteMs)
  }

  /** Whether a sign-in was revoked between the provider's tokens and our storing of them. */
  async function isRevoked({ iss, sub, sid, iat }: HotRecord['claims']): Promise<boolean> {
    const [bySession, byAccount] = await Promise.all([
      sid ? redis.get(revokedKey({ iss, sid })) : null,
      redis.get(revokedKey({ iss, sub })),
    ])
    // Tokens tell seconds. A session's own end in the same second counts; an account's must not stop the sign-in after it.
    const issuedAtMs = iat * 1000
    return (
      (bySession !== null && Number(bySession) >= issuedAtMs) ||
      (byAccount !== null && Number(byAccount) > issuedAtMs + 999)
    )
  }

  return { add, touch, list, keysOf, remove, revoke, isRevoked }
}
export type SessionIndex = ReturnType<typeof createSessionIndex>

function read(text: string | null): Listing | undefined {
  if (text === null) return undefined
  const listing = listingSchema.safeParse(JSON.parse(text))
  return listing.success ? listing.data : undefined
}

/** A pipeline resolves even where one of its commands failed. */
async function run(pipeline: ChainableCommander): Promise<void> {
  for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error
}
