import { randomBytes } from 'node:crypto'
import type { ChainableCommander, Redis } from 'ioredis'
import { z } from 'zod'
import { hashToken } from './session-cipher.ts'
import type { HotRecord } from './session-record.ts'

/** Client of a request, as far as the request identifies it. */
export interface Visitor {
  readonly ip: string
  /** Browser and system in words. */
  readonly device: string
}

const listingSchema = z.object({
  publicId: z.string(),
  /** Account and its session at the provider, whose lists name this session. */
  sub: z.string().optional(),
  sid: z.string().optional(),
  /** Time at which the provider signed them in, in seconds of its clock. */
  iat: z.number().optional(),
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

/**
 * Longest way of a sign-in from the provider's tokens to a stored session: tokens of 40 s, three calls of 8 s to services, and
 * what Redis takes. Older tokens store nothing, so a revocation need not be remembered longer.
 */
const revocationMs = 120_000

/**
 * The plain side of stored sessions: which ones belong to an account and to a session at the provider, what a person is
 * shown of them, and which sign-ins were revoked. Nothing in it opens a session.
 */
export function createSessionIndex(redis: Redis) {
  const accountKey = ({ iss, sub }: SignInTarget) => `sub:${hashToken(`${iss}|${sub}`)}`
  const providerKey = ({ iss, sid }: SignInTarget) => `sid:${hashToken(`${iss}|${sid}`)}`
  const listingKey = (key: string) => `s:{${key}}:listing`
  const revokedKey = (target: SignInTarget) => `rv:${target.sid ? providerKey(target) : accountKey(target)}`

  async function add(key: string, hot: HotRecord, visitor: Visitor, ttlMs: number): Promise<void> {
    const { claims, createdAt } = hot
    const listing: Listing = {
      publicId: randomBytes(16).toString('base64url'),
      sub: claims.sub,
      sid: claims.sid,
      iat: claims.iat,
      createdAt,
      lastSeenAt: createdAt,
      ...visitor,
    }
    const write = redis.pipeline().set(listingKey(key), JSON.stringify(listing), 'PX', ttlMs)
    write.zadd(accountKey(claims), createdAt, key)
    if (claims.sid) write.sadd(providerKey(claims), key)
    extend(write, claims, ttlMs)
    await run(write)
  }

  /** The lists live as long as the session in them that lives longest. */
  function extend(write: ChainableCommander, claims: HotRecord['claims'], ttlMs: number): void {
    const lists = [accountKey(claims), ...(claims.sid ? [providerKey(claims)] : [])]
    for (const list of lists) write.pexpire(list, ttlMs, 'NX').pexpire(list, ttlMs, 'GT')
  }

  /** Keeps listing and lists as long as the session, and notes when it was last used. */
  async function touch(key: string, claims: HotRecord['claims'], ttlMs: number): Promise<void> {
    const listing = read(await redis.get(listingKey(key)))
    if (!listing) return
    const seen = JSON.stringify({ ...listing, lastSeenAt: Date.now() })
    const write = redis.pipeline().set(listingKey(key), seen, 'PX', ttlMs, 'XX')
    extend(write, claims, ttlMs)
    await run(write)
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

  /** Names of the sessions that a target stands for. @param at without those that were begun after this time of the provider. */
  async function keysOf(target: SignInTarget, at?: number): Promise<string[]> {
    const keys = await (target.sid ? redis.smembers(providerKey(target)) : redis.zrange(accountKey(target), 0, '-1'))
    if (at === undefined) return keys
    const begun = await Promise.all(keys.map(async (key) => read(await redis.get(listingKey(key)))?.iat ?? 0))
    return keys.filter((_key, index) => (begun[index] ?? 0) * 1000 <= at)
  }

  /** Strikes sessions off every list that names them. */
  async function remove(target: SignInTarget, keys: readonly string[]): Promise<void> {
    await Promise.all(
      keys.map(async (key) => {
        const { sub = target.sub, sid = target.sid } = read(await redis.get(listingKey(key))) ?? {}
        const write = redis.pipeline().del(listingKey(key))
        if (sub) write.zrem(accountKey({ iss: target.iss, sub }), key)
        if (sid) write.srem(providerKey({ iss: target.iss, sid }), key)
        await run(write)
      }),
    )
  }

  /** Prevents sessions from being stored with tokens that were issued before. */
  async function revoke(target: SignInTarget, at: number = Date.now()): Promise<void> {
    await redis.set(revokedKey(target), String(at), 'PX', revocationMs)
  }

  /** Returns whether a sign-in was revoked after the provider issued its tokens and before they were stored. */
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
