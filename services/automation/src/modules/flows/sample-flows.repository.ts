import type { DraftFlow } from '@parley/contracts/automation/flow'
import { foldText } from '@parley/rules/fold-text'
import type { ScopedCollection, WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Session } from '../../platform/platform.ts'
import type { FlowRecord } from './flow-records.model.ts'
import { flowHash, flowText } from './flow-text.ts'
import { draftNumber, type FlowTextRecord, type FlowVersionRecord } from './flows.model.ts'

/** A flow of the sample as it is first stored. */
interface SampleFlowRecord
  extends Omit<
    FlowRecord,
    | 'id'
    | 'workspaceId'
    | 'nameKey'
    | 'draftHash'
    | 'publishedHash'
    | 'publishedVersion'
    | 'counts'
    | 'deletedAt'
    | 'removal'
    | 'version'
  > {
  readonly _id: string
  readonly flow: DraftFlow
}

/** Stores the flows of the sample data. */
export function createSampleRecords({
  records,
  versions,
  flows,
  countsOf,
}: {
  records: (scope: WorkspaceScope) => ScopedCollection<FlowRecord>
  versions: (scope: WorkspaceScope) => ScopedCollection<FlowVersionRecord>
  flows: (scope: WorkspaceScope) => ScopedCollection<FlowTextRecord>
  countsOf: (flow: DraftFlow) => Pick<FlowRecord, 'counts'>
}) {
  return {
    /** Stores flows of the sample with version 1 of their flows, in the caller's transaction. */
    insertSample: async (scope: WorkspaceScope, sample: readonly SampleFlowRecord[], { session }: Session) => {
      const flowRows = sample.flatMap(({ _id: flowId, flow }) =>
        [draftNumber, 1].map((number) => ({ flowId, number, flow: flowText(flow) })),
      )
      await records(scope).insertPlain(
        sample.map(({ flow, name, ...bot }) => {
          const hash = flowHash(flow)
          return {
            ...bot,
            name,
            nameKey: foldText(name),
            draftHash: hash,
            ...countsOf(flow),
            publishedHash: hash,
            publishedVersion: 1,
          }
        }),
        { session },
      )
      await versions(scope).insertPlain(
        sample.map(({ _id: flowId, flow, updatedAt: publishedAt }) => ({
          flowId,
          number: 1,
          hash: flowHash(flow),
          publishedBy: 'sample',
          publishedAt,
        })),
        { session },
      )
      await flows(scope).insertPlain(flowRows, { session })
    },
    isSampleThere: async (scope: WorkspaceScope, options: Partial<Session> = {}): Promise<boolean> =>
      (await records(scope).countDocuments({ sample: { $exists: true } }, { ...options, hint: 'sample' })) > 0,
  }
}
