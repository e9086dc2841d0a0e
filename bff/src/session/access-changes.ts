import { accessKey } from '@parley/contracts/account/profile-internal'
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import type { SessionWithContext } from './session-record.ts'
import { guard } from './session-store.ts'
import type { TrackedReads } from './tracked-reads.ts'

const keptAnswers = 50_000

/** Detects whether role and membership have changed since a session received them. */
export function createAccessChanges({ redis, reads }: { redis: Redis; reads: TrackedReads | undefined }) {
  const read = reads ? reads.get : (key: string) => redis.get(key)
  /** Announced versions that were requested from profile already: a restored database has older ones. */
  const asked = new LRUCache<string, number>({ max: keptAnswers })

  /** @returns the version that was announced, where the session's is older. */
  async function newerThan({ key, hot: { context } }: SessionWithContext): Promise<number | undefined> {
    const text = await guard(() => read(accessKey(context)))
    const newest = Number(text ?? 0)
    return newest > context.version && newest !== asked.get(key) ? newest : undefined
  }

  return {
    newerThan,
    /** Notes that the session's context has been fetched since that version was announced. */
    noteFetched: ({ key }: SessionWithContext, version: number): void => void asked.set(key, version),
  }
}
export type AccessChanges = ReturnType<typeof createAccessChanges>
