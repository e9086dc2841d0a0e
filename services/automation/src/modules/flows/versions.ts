import type { botsApi } from '@parley/contracts/automation/bots'
import type { FlowVersion } from '@parley/contracts/automation/publication'
import type { EndpointInput, EndpointResponse } from '@parley/contracts/core/endpoint'
import { errors } from '@parley/service-kit/core/errors'
import { type ListSort, pageOf } from '@parley/service-kit/data/page'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Platform } from '../../platform/platform.ts'
import type { FlowVersionRecord } from './flows.model.ts'
import type { FlowsRepository } from './flows.repository.ts'
import type { RunsOfFlows } from './runs-of-flows.ts'

const newest: ListSort<FlowVersionRecord> = { field: 'number', direction: -1, index: 'number' }

interface Dependencies extends Pick<Platform, 'cursors'> {
  readonly repository: FlowsRepository
  readonly runs: Pick<RunsOfFlows, 'countRunning'>
}

/** Shows the published versions of a flow, and how many runs there are on each. */
export function createVersions({ repository, runs, cursors }: Dependencies) {
  async function versions(
    scope: WorkspaceScope,
    id: string,
    { limit, cursor }: EndpointInput<typeof botsApi.versions>['query'],
  ): Promise<EndpointResponse<typeof botsApi.versions>> {
    await repository.require(scope, id)
    const [page, running] = await Promise.all([
      pageOf(repository.versions(scope), {
        sort: newest,
        cursors,
        workspaceId: scope.workspaceId,
        filter: { flowId: id },
        limit,
        cursor,
      }),
      runs.countRunning(scope, id),
    ])
    return { ...page, items: page.items.map((version) => shownVersion(version, running)) }
  }

  /** @throws `not_found`. */
  async function version(scope: WorkspaceScope, id: string, number: number) {
    await repository.require(scope, id)
    const [found, flow] = await Promise.all([
      repository.readVersion(scope, id, number),
      repository.readFlow(scope, id, number),
    ])
    if (!found || !flow) throw errors.notFound('There is no such version.')
    return { ...shownVersion(found, await runs.countRunning(scope, id)), flow }
  }

  return { versions, version }
}

const shownVersion = (
  { number, publishedAt, publishedBy, note, restoredFrom }: FlowVersionRecord,
  running: ReadonlyMap<number, number>,
): FlowVersion => ({
  number,
  publishedAt: publishedAt.toISOString(),
  publishedBy,
  ...(note != null && { note }),
  ...(restoredFrom != null && { restoredFrom }),
  running: running.get(number) ?? 0,
})
