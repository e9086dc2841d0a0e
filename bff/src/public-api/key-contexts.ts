import { type KeyContext, keysInternalApi, keyVersionKey } from '@parley/contracts/account/api-keys'
import { isInNetworks } from '@parley/service-kit/core/address-group'
import { hashOfKey, looksLikeApiKey, readApiKey } from '@parley/service-kit/core/api-key'
import { AppError } from '@parley/service-kit/core/errors'
import type { InternalTokenSigner } from '@parley/service-kit/core/internal-token'
import type { ServiceClient } from '@parley/service-kit/core/service-client'
import type { Request, Response } from 'express'
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { guard } from '../session/session-store.ts'
import type { TrackedReads } from '../session/tracked-reads.ts'
import type { FailedKeys } from './key-limits.ts'

const keptKeys = 10_000
/** A change that no announcement has reported counts after this time. */
const keptMs = 60_000
const tokenReuseMs = 80_000

/** A key as a request carries it, and the latest version of it that was announced. */
interface SentKey {
  readonly id: string
  readonly hash: string
  readonly newest: number
}

interface Dependencies {
  readonly redis: Redis
  readonly reads: TrackedReads | undefined
  readonly callProfile: ServiceClient
  readonly failedKeys: FailedKeys
  readonly signer: Pick<InternalTokenSigner, 'sign'>
}

/** Finds out what the API key of a request may do, and signs for it. */
export function createKeyContexts({ redis, reads, callProfile, failedKeys, signer }: Dependencies) {
  const read = reads ? reads.get : (key: string) => redis.get(key)
  /** By hash of the key, so that another secret under a known id finds nothing. */
  const contexts = new LRUCache<string, KeyContext>({ max: keptKeys, ttl: keptMs, noDeleteOnStaleGet: true })
  /** Versions of keys that were refused, by what was sent: a program that goes on with one is told so, and counts once. */
  const refused = new LRUCache<string, number>({ max: keptKeys, ttl: keptMs })
  const underWay = new Map<string, Promise<KeyContext>>()
  const tokens = new LRUCache<string, Promise<string>>({ max: keptKeys, ttl: tokenReuseMs })

  /**
   * Returns what the key of a request may do. A change counts as soon as Redis has reported it. Cookies are not looked at.
   * @throws `unauthenticated` without a valid key; `forbidden` from an address that it is not for; `rate_limited` for an address
   * with too many keys that are not valid.
   */
  async function require(req: Request): Promise<KeyContext> {
    const ip = req.ip ?? ''
    const text = /^Bearer +(\S{1,200})$/i.exec(req.get('authorization') ?? '')?.[1] ?? ''
    if (!looksLikeApiKey(text)) throw noKey()
    const named = readApiKey(text)
    if (!named) throw await refuse({ hash: hashOfKey(text), newest: 0 }, ip)
    const newest = Number((await guard(() => read(keyVersionKey(named.id)))) ?? 0)
    const context = await currentOf({ ...named, newest }, ip)
    if (context.expiresAt !== null && Date.parse(context.expiresAt) <= Date.now())
      throw await refuse({ ...named, newest }, ip)
    if (context.networks.length > 0 && !isInNetworks(ip, context.networks))
      throw new AppError('forbidden', `This API key may not be used from ${ip}. Ask who has made it to allow it.`)
    return context
  }

  async function currentOf(sent: SentKey, ip: string): Promise<KeyContext> {
    const known = contexts.get(sent.hash)
    if (known && known.version >= sent.newest) return known
    if (isKnownDead(sent)) throw notValid()
    return underWay.get(sent.hash) ?? fetchContext(sent, ip)
  }

  function fetchContext(sent: SentKey, ip: string): Promise<KeyContext> {
    const { id, hash } = sent
    const fetching = (async () => {
      // A key that was valid is no guess.
      if (!contexts.peek(hash, { allowStale: true })) await failedKeys.check(ip)
      const context = await callProfile(keysInternalApi.context, { body: { id, hash } }).catch(
        async (error: unknown) => {
          contexts.delete(hash)
          throw error instanceof AppError && error.code === 'not_found' ? await refuse(sent, ip) : error
        },
      )
      contexts.set(hash, context)
      return context
    })().finally(() => underWay.delete(hash))
    underWay.set(hash, fetching)
    return fetching
  }

  const isKnownDead = ({ hash, newest }: Pick<SentKey, 'hash' | 'newest'>): boolean =>
    (refused.get(hash) ?? -1) >= newest

  /** Counts a key that is not valid against the address that has sent it, once a minute. */
  async function refuse(sent: Pick<SentKey, 'hash' | 'newest'>, ip: string): Promise<AppError> {
    if (isKnownDead(sent)) return notValid()
    await failedKeys.count(ip)
    refused.set(sent.hash, sent.newest)
    return notValid()
  }

  /** Returns an internal token with which one service takes a call for the key's, from an address. */
  function tokenFor(key: KeyContext, audience: string, ip: string): Promise<string> {
    const { id, version, workspaceId: wid, scopes, numbers } = key
    const cacheKey = `${id}.${version}.${audience}.${ip}`
    const known = tokens.get(cacheKey)
    if (known) return known
    const claims = { aud: audience, sub: `key:${id}` as const, wid, scopes, ip }
    const signed = signer.sign(numbers.length > 0 ? { ...claims, numbers } : claims)
    tokens.set(cacheKey, signed)
    signed.catch(() => tokens.delete(cacheKey))
    return signed
  }

  return { require, tokenFor }
}
export type KeyContexts = ReturnType<typeof createKeyContexts>

/** Lets a call in that carries a valid key and is within its limits. */
export type RequireKey = (req: Request, res: Response) => Promise<KeyContext>

const notValid = () =>
  new AppError('unauthenticated', 'This API key is not valid: it is wrong, has expired or was revoked.')

const noKey = () =>
  new AppError(
    'unauthenticated',
    'Send an API key of your workspace: `Authorization: Bearer ply_…`. Owners make one in Settings.',
  )
