import { keyNoticeDays } from '@parley/contracts/account/api-keys'
import type { Clock } from '@parley/service-kit/core/clock'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { ApiKeyRecord } from './api-keys.model.ts'
import type { ApiKeysRepository } from './api-keys.repository.ts'

const dayMs = 86_400_000

/** Returns when members are told next of a key's end; undefined where no notice is left. */
export function noticeAfter(expiresAt: Date | null, now: Date): Date | undefined {
  if (expiresAt === null) return undefined
  const times = keyNoticeDays.map((days) => expiresAt.getTime() - days * dayMs).sort((a, b) => a - b)
  const next = times.find((time) => time > now.getTime())
  return next === undefined ? undefined : new Date(next)
}

/** Has messaging tell members of keys that will end: each notice once, whatever is killed. */
export function createKeyNotices(deps: {
  readonly keys: Pick<ApiKeysRepository, 'withNotice' | 'noteNotice'>
  readonly transaction: RunInTransaction
  readonly now?: Clock
}) {
  const { keys, transaction, now = () => new Date() } = deps

  const tell = (key: ApiKeyRecord, expiresAt: Date): Promise<void> =>
    transaction(async (tx) => {
      const at = now()
      const isFirst = await keys.noteNotice(key, noticeAfter(expiresAt, at), tx)
      const { workspaceId, publicId: keyId, name } = key
      const days = Math.max(0, Math.ceil((expiresAt.getTime() - at.getTime()) / dayMs))
      const data = { keyId, name, expiresAt: expiresAt.toISOString(), days }
      if (isFirst && expiresAt > at)
        tx.send({ workspaceId, to: 'messaging', type: 'apiKey.ending', by: { kind: 'system' }, data })
    })

  return async function tellAll(): Promise<void> {
    for (const key of await keys.withNotice(now())) if (key.expiresAt) await tell(key, key.expiresAt)
  }
}
