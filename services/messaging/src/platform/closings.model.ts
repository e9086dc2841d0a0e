import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { Schema } from 'mongoose'

/** Collection of the workspaces of which nothing is sent. */
export const closingWorkspaces = 'closingWorkspaces'
const closes = 'closes'
/** Milliseconds for which a process believes what it has read of all workspaces. */
const keptMs = 1000
/** More than are being deleted at any time. */
const maxClosing = 10_000

interface ClosingRecord {
  readonly id: string
  readonly workspaceId: string
  /** Absent once the workspace was restored. */
  readonly closing?: typeof closes | undefined
}

const closingSchema = new Schema(
  { workspaceId: { type: Schema.Types.ObjectId, required: true }, closing: { type: String } },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
closingSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })
closingSchema.index({ closing: 1 }, { name: 'closing', ...whereExists('closing') })

export type Closings = ReturnType<typeof createClosings>

/** Knows the workspaces that are being deleted: nothing of them is sent, to nobody. Few, so each process reads all of them at once. */
export function createClosings(connection: ServiceConnection, now: () => number = Date.now) {
  const definition = { connection, name: closingWorkspaces, schema: closingSchema, bookkeeping: true as const }
  const records = workspaceCollection<ClosingRecord>(definition)
  const all = scopedCollection<object, ClosingRecord>(definition, () => ({ closing: closes }))
  let known = { until: 0, ids: Promise.resolve<ReadonlySet<string>>(new Set()) }

  const readAll = async () =>
    new Set((await all({}).find().limit(maxClosing).hint('closing')).map(({ workspaceId }) => workspaceId))

  return {
    set: async (scope: WorkspaceScope, closing: boolean, { session }: Required<SessionOption>): Promise<void> => {
      const update = closing ? { $set: { closing: closes } as const } : { $unset: { closing: 1 as const } }
      await records(scope).findOneAndUpdate({}, update, { session, upsert: true })
    },
    /** Returns the workspaces that are closed, as of a second ago at most. */
    ids: (): Promise<ReadonlySet<string>> => {
      if (now() >= known.until) {
        known = { until: now() + keptMs, ids: readAll() }
        known.ids.catch(() => {
          known = { ...known, until: 0 }
        })
      }
      return known.ids
    },
  }
}
