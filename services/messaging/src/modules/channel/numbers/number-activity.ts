import type { Clock } from '@parley/service-kit/core/clock'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type ActivityRecord, activitySchema, type NumberRecord } from './numbers.model.ts'

const checkEveryMs = 15 * 60_000
/** A number that receives much is noted this often. */
const seenEveryMs = 20_000
const maxDue = 100

export type NumberActivity = ReturnType<typeof createNumberActivity>

/** Stores number data that changes constantly: webhooks seen, messages sent, when WhatsApp is asked again. */
export function createNumberActivity(
  connection: ServiceConnection,
  messageRecords: {
    readonly countSent: (scope: WorkspaceScope, numberId: string, since: Date) => PromiseLike<number>
  },
  now: Clock = () => new Date(),
) {
  const definition = { connection, name: 'numberActivity', schema: activitySchema }
  const activity = workspaceCollection<ActivityRecord>(definition)
  // The watch covers every workspace's numbers: callers use the workspace that each number names.
  const watched = scopedCollection<{ watch: 'numbers' }, ActivityRecord>(definition, ({ watch }) => ({ watch }))
  const seenAt = new Map<string, number>()
  const later = () => new Date(now().getTime() + checkEveryMs)

  return {
    begin: ({ workspaceId, id: numberId }: NumberRecord) =>
      activity({ workspaceId }).findOneAndUpdate(
        { numberId },
        { $set: { watch: 'numbers', nextCheckAt: later() } },
        { upsert: true },
      ),
    end: (scope: WorkspaceScope, numberId: string) => activity(scope).deleteOne({ numberId }),
    of: async (scope: WorkspaceScope): Promise<Map<string, ActivityRecord>> =>
      new Map((await activity(scope).find({}).hint('number')).map((entry) => [entry.numberId, entry])),
    /** Numbers that WhatsApp is to be asked about. */
    due: (): PromiseLike<ActivityRecord[]> =>
      watched({ watch: 'numbers' })
        .find({ nextCheckAt: { $lte: now() } })
        .sort({ nextCheckAt: 1 })
        .limit(maxDue)
        .hint('due'),
    checked: (scope: WorkspaceScope, numberId: string) =>
      activity(scope).updateOne({ numberId }, { $set: { nextCheckAt: later() } }),
    /** Schedules a check of all numbers of the workspace, since WhatsApp has announced a change. */
    askSoon: (scope: WorkspaceScope, { session }: Tx) =>
      activity(scope).updateMany({}, { $set: { nextCheckAt: now() } }, { session }),
    /** Notes that webhooks came; not each one. */
    saw: async (scope: WorkspaceScope, numberIds: Iterable<string>): Promise<void> => {
      const at = now().getTime()
      for (const numberId of numberIds) {
        if ((seenAt.get(numberId) ?? 0) > at - seenEveryMs) continue
        seenAt.set(numberId, at)
        await activity(scope).updateOne({ numberId }, { $max: { lastEventAt: new Date(at) } })
      }
    },
    /** Messages that a number has sent since the first of the month, UTC. */
    sentThisMonth: (scope: WorkspaceScope, numberId: string): PromiseLike<number> => {
      const today = now()
      return messageRecords.countSent(scope, numberId, new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth())))
    },
  }
}
