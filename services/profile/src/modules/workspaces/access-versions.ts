import { accessKey, type SessionContext } from '@parley/contracts/account/profile-internal'
import type { EventType, NewEvent } from '@parley/contracts/platform/events'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { Redis } from 'ioredis'

/** Longer than any session. */
const ttlMs = 90 * 24 * 3600_000
const tryAgainMs = 1000
const maxPending = 10_000

/** An older version never replaces a newer one. */
const raiseScript = `
local held = redis.call('GET', KEYS[1])
if held and tonumber(held) > tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`

type Membership = Pick<SessionContext, 'userId' | 'workspaceId' | 'version'>
export type AccessVersions = ReturnType<typeof createAccessVersions>

/** Tells sessions, wherever they are served, that a role has changed or a membership has ended. */
export function createAccessVersions(redis: Pick<Redis, 'eval'>) {
  const pending = new Map<string, number>()
  let waiting = false

  const store = (key: string, version: number) => redis.eval(raiseScript, 1, key, version, ttlMs)

  async function raise(key: string, version: number): Promise<void> {
    try {
      await store(key, version)
      if (pending.get(key) === version) pending.delete(key)
    } catch {
      // No session is served while Redis is away: the version is announced when Redis is back.
      if (pending.size < maxPending) pending.set(key, Math.max(version, pending.get(key) ?? 0))
      tryLater()
    }
  }

  function tryLater(): void {
    if (waiting) return
    waiting = true
    const tryAgain = async () => {
      waiting = false
      for (const [key, version] of [...pending]) await raise(key, version)
    }
    setTimeout(() => void tryAgain(), tryAgainMs).unref()
  }

  return {
    /** Never rejects: the change is stored, and is announced as soon as it can be. */
    announce: (membership: Membership): Promise<void> => raise(accessKey(membership), membership.version),
    /** The same once. @throws where Redis does not take it. */
    raise: async (membership: Membership): Promise<void> => {
      await store(accessKey(membership), membership.version)
    },
    /** Announces a version of something else, under its own key. Never rejects. */
    announceVersion: raise,
  }
}

/** A transaction that announces each membership whose change it has recorded as an event, once it is committed. */
export function announceMembers(transaction: RunInTransaction, announce: AccessVersions['announce']): RunInTransaction {
  return async (work) => {
    let changed: NewMemberEvent[] = []
    const result = await transaction((tx) => {
      // Changes recorded by an attempt that is run again are discarded.
      changed = []
      const emit = (event: NewEvent) => {
        tx.emit(event)
        if (isMemberEvent(event)) changed.push(event)
      }
      return work({ ...tx, emit })
    })
    await Promise.all(changed.map(({ workspaceId, data }) => announce({ ...data, workspaceId })))
    return result
  }
}

type NewMemberEvent = Extract<NewEvent, { type: 'member.changed' }>
const memberChanged: EventType = 'member.changed'
const isMemberEvent = (event: NewEvent): event is NewMemberEvent => event.type === memberChanged
