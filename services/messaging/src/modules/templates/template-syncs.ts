import type { TemplateSyncRun } from '@parley/contracts/templates/template-endpoints'
import type { Clock } from '@parley/service-kit/core/clock'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { classifyRefusal } from '../../whatsapp/error-classes.ts'
import type { GraphCallFailed } from '../../whatsapp/graph-answer.ts'
import { type TemplateSyncRecord, templateSyncSchema } from './template-syncs.model.ts'

const everyMs = 6 * 3600_000
/** A run that takes longer has died. */
const leaseMs = 10 * 60_000
const maxDue = 100

export type TemplateSyncs = ReturnType<typeof createTemplateSyncs>

export function createTemplateSyncs(connection: ServiceConnection, now: Clock) {
  const definition = { connection, name: 'templateSyncs', schema: templateSyncSchema }
  const syncs = workspaceCollection<TemplateSyncRecord>(definition)
  // The worker goes over every workspace's accounts, and continues by the workspace that each names.
  const watched = scopedCollection<{ watch: 'templates' }, TemplateSyncRecord>(definition, ({ watch }) => ({ watch }))
  const after = (ms: number) => new Date(now().getTime() + ms)

  return {
    of: (scope: WorkspaceScope): PromiseLike<TemplateSyncRecord[]> => syncs(scope).find({}).hint('account'),
    due: (): PromiseLike<TemplateSyncRecord[]> =>
      watched({ watch: 'templates' })
        .find({ nextAt: { $lte: now() } })
        .sort({ nextAt: 1 })
        .limit(maxDue)
        .hint('due'),
    /** Follows these accounts and no others; a new one is compared at once. */
    follow: async (scope: WorkspaceScope, accountIds: readonly string[], { session }: Pick<Tx, 'session'>) => {
      for (const businessAccountId of accountIds)
        await syncs(scope).updateOne(
          { businessAccountId },
          { $setOnInsert: { watch: 'templates', nextAt: now() } },
          { session, upsert: true },
        )
      await syncs(scope).deleteMany({ businessAccountId: { $nin: accountIds } }, { session })
    },
    /** Schedules a comparison soon, even if a run is under way: it may have passed the change already. */
    askSoon: (scope: WorkspaceScope, businessAccountId?: string, options: Partial<Pick<Tx, 'session'>> = {}) =>
      syncs(scope).updateMany(
        { ...(businessAccountId && { businessAccountId }) },
        { $set: { nextAt: now() } },
        options,
      ),
    claim: (scope: WorkspaceScope, id: string) =>
      syncs(scope).findOneAndUpdate(
        { _id: id, nextAt: { $lte: now() } },
        { $set: { startedAt: now(), nextAt: after(leaseMs) } },
      ),
    /** Notes that an account's forms were read, or why they were not. */
    noteForms: (scope: WorkspaceScope, { id }: TemplateSyncRecord, problem?: string) =>
      syncs(scope).updateOne(
        { _id: id },
        problem === undefined
          ? { $set: { formsReadAt: now() }, $unset: { formsProblem: '' } }
          : { $set: { formsProblem: problem } },
      ),
    /** Schedules the next one, unless one was requested meanwhile. A run that was given up for dead ends no other. */
    end: async (
      scope: WorkspaceScope,
      { id, nextAt, startedAt }: TemplateSyncRecord,
      { problem, retryAfterMs = everyMs }: { problem?: string; retryAfterMs?: number },
    ) => {
      const done = problem === undefined ? { syncedAt: startedAt } : { problem }
      await syncs(scope).updateOne(
        { _id: id, startedAt },
        { $set: done, $unset: { startedAt: '', ...(problem === undefined && { problem: '' }) } },
      )
      const next = after(retryAfterMs)
      await syncs(scope).updateOne({ _id: id, nextAt }, { $set: { nextAt: next } })
    },
  }
}

/** Returns whether an account is compared at this moment, or is next. */
export const isRunning = ({ startedAt, nextAt }: TemplateSyncRecord, now: Date): boolean =>
  startedAt !== undefined || nextAt <= now

type SyncError = NonNullable<TemplateSyncRun['error']>

/** Returns the reason why a comparison was cut short, for a program and in WhatsApp's own words. */
export function syncErrorOf({ refusal, message }: GraphCallFailed): SyncError {
  return { code: codeOf(refusal), message: message.slice(0, 500) }
}

function codeOf(refusal: GraphCallFailed['refusal']): SyncError['code'] {
  if (!refusal) return 'unreachable'
  const known = classifyRefusal(refusal)
  if (refusal.retryAfterSeconds !== undefined || known.class === 'slow_number') return 'rate_limited'
  if (known.class === 'retry') return 'unreachable'
  return known.class === 'stop_number' ? 'access_refused' : 'refused'
}
