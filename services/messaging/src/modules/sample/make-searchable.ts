import { endsWithin } from '@parley/service-kit/core/ends-within'
import type { Logger } from '@parley/service-kit/core/logger'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { createSampleSearch } from '../inbox/search/sample-search.ts'
import type { SampleDataRepository } from './sample-data.repository.ts'
import { sampleRecordsOf } from './sample-records-of.ts'

interface Dependencies {
  readonly states: Pick<SampleDataRepository, 'read' | 'isSearchable'>
  readonly search: ReturnType<typeof createSampleSearch>
  readonly logger: Pick<Logger, 'warn'>
  /** Maximum time that a search waits: the BFF would not wait much longer for the answer. */
  readonly maxWaitMs?: number
}

/**
 * Called before a search: the first one of a workspace indexes the messages of the sample data. That costs as much as loading
 * them, and most workspaces with sample data never search. Simultaneous searches wait for the same work.
 * @returns whether all can be found; where that takes long the work continues.
 */
export function createMakeSearchable({ states, search, logger, maxWaitMs = 3000 }: Dependencies) {
  const underWay = new Map<string, Promise<void>>()

  async function insert(scope: WorkspaceScope, toldAt: Date): Promise<void> {
    await search.insert(scope, sampleRecordsOf(scope, toldAt).messages)
    // A call that has cleared it meanwhile did not see all of them.
    if (!(await states.isSearchable(scope, toldAt))) await search.remove(scope)
  }

  function begin(scope: WorkspaceScope, toldAt: Date): Promise<void> {
    const { workspaceId } = scope
    const work = insert(scope, toldAt).finally(() => underWay.delete(workspaceId))
    underWay.set(workspaceId, work)
    // A rejection may have no caller waiting for it; the next search starts again.
    work.catch((err: unknown) => logger.warn({ err, workspaceId }, 'sample data was not made searchable'))
    return work
  }

  return async function makeSearchable(scope: WorkspaceScope): Promise<boolean> {
    const record = await states.read(scope)
    if (record?.state !== 'loaded' || record.searchable) return true
    return endsWithin(underWay.get(scope.workspaceId) ?? begin(scope, record.toldAt), maxWaitMs)
  }
}
