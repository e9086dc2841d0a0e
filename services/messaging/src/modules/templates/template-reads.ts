import type { Clock } from '@parley/service-kit/core/clock'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type TemplateReadRecord, templateReadSchema } from './template-reads.model.ts'

/** A read that takes longer has died; one that failed is tried again then. */
const leaseMs = 60_000
const maxDue = 100

export type TemplateReads = ReturnType<typeof createTemplateReads>

export function createTemplateReads(connection: ServiceConnection, now: Clock) {
  const definition = { connection, name: 'templateReads', schema: templateReadSchema }
  const reads = workspaceCollection<TemplateReadRecord>(definition)
  // The worker looks in every workspace, and continues by the one that each names.
  const watched = scopedCollection<{ watch: 'templates' }, TemplateReadRecord>(definition, ({ watch }) => ({ watch }))

  return {
    ask: (
      scope: WorkspaceScope,
      { businessAccountId, waTemplateId }: Pick<TemplateReadRecord, 'businessAccountId' | 'waTemplateId'>,
      { session }: Pick<Tx, 'session'>,
    ) =>
      reads(scope).updateOne(
        { waTemplateId },
        {
          $set: { businessAccountId, nextAt: now(), attempts: 0 },
          $inc: { asked: 1 },
          $setOnInsert: { watch: 'templates' },
        },
        { session, upsert: true },
      ),
    due: (): PromiseLike<TemplateReadRecord[]> =>
      watched({ watch: 'templates' })
        .find({ nextAt: { $lte: now() } })
        .sort({ nextAt: 1 })
        .limit(maxDue)
        .hint('due'),
    claim: (scope: WorkspaceScope, id: string) =>
      reads(scope).findOneAndUpdate(
        { _id: id, nextAt: { $lte: now() } },
        { $set: { nextAt: new Date(now().getTime() + leaseMs) }, $inc: { attempts: 1 } },
      ),
    /** Deletes the request, unless it was repeated meanwhile. */
    end: (scope: WorkspaceScope, { id, asked }: TemplateReadRecord) => reads(scope).deleteOne({ _id: id, asked }),
  }
}
