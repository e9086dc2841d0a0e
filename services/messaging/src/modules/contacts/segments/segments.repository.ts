import { maxSegments, type NewSegment } from '@parley/contracts/contacts/segments'
import { foldText } from '@parley/rules/fold-text'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { updateVersion } from '@parley/service-kit/data/versioned'
import { type SegmentRecord, segmentSchema } from './segments.model.ts'

export type SegmentsRepository = ReturnType<typeof createSegmentsRepository>
type Session = Pick<Tx, 'session'>

interface Change {
  readonly id: string
  readonly version: number
  readonly fields: Partial<NewSegment>
  readonly toAnswer: (record: SegmentRecord) => unknown
}

export function createSegmentsRepository(connection: ServiceConnection) {
  const segments = workspaceCollection<SegmentRecord>({ connection, name: 'segments', schema: segmentSchema })
  const keyed = (fields: Partial<NewSegment>) => ({
    ...fields,
    ...(fields.name !== undefined && { nameKey: foldText(fields.name) }),
  })
  return {
    /** Lists segments by name. */
    list: async (scope: WorkspaceScope, { session = null }: { session?: Tx['session'] | null } = {}) =>
      segments(scope).find({}).sort({ nameKey: 1 }).limit(maxSegments).hint('name').session(session),
    read: (scope: WorkspaceScope, id: string) => segments(scope).findOne({ _id: id }),
    size: (scope: WorkspaceScope, { session }: Session) =>
      segments(scope).countDocuments({}, { hint: 'name', session }),
    create: (scope: WorkspaceScope, { _id, ...fields }: NewSegment & { _id: string }, { session }: Session) =>
      segments(scope).create({ _id, ...keyed(fields) }, { session }),
    update: (scope: WorkspaceScope, { fields, ...change }: Change, { session }: Session) =>
      updateVersion(segments(scope), { ...change, update: { $set: keyed(fields) } }, { session }),
    remove: async (scope: WorkspaceScope, id: string, { session }: Session): Promise<boolean> =>
      (await segments(scope).deleteOne({ _id: id }, { session })).deletedCount > 0,
  }
}
