import { type DraftFlow, flowFormat } from '@parley/contracts/automation/flow'
import type { FlowStatus } from '@parley/contracts/automation/flow-summary'
import type { PageOf } from '@parley/contracts/core/records'
import { foldText } from '@parley/rules/fold-text'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { type ListSort, pageOf } from '@parley/service-kit/data/page'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { OneAtATime } from '../../platform/one-at-a-time.ts'
import type { Platform, Session } from '../../platform/platform.ts'
import type { Viewed } from '../../platform/visibility.ts'
import { deleted, type FlowRecord } from './flow-records.model.ts'
import { type FlowChange, type FlowsRepository, missing, type NewFlow } from './flows.repository.ts'
import type { RoutingRepository } from './routing.ts'
import type { RunsOfFlows } from './runs-of-flows.ts'

const maxFlows = 100
const maxNameLength = 80
const byName: ListSort<FlowRecord> = { field: 'nameKey', direction: 1, index: 'name' }
const emptyFlow: DraftFlow = { format: flowFormat, nodes: [], edges: [] }

/** Converts stored flows of a kind to the answers of endpoints: `S` as lists show them, `W` with the draft. */
export interface ShowFlows<S, W> {
  readonly summaries: (scope: Viewed, records: readonly FlowRecord[]) => Promise<S[]>
  readonly whole: (scope: Viewed, record: FlowRecord) => Promise<W>
}

interface ListQuery {
  readonly q?: string | undefined
  readonly status?: FlowStatus | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

interface Dependencies<S, W, C> extends Pick<Platform, 'cursors' | 'transaction'> {
  readonly repository: FlowsRepository
  readonly routing: RoutingRepository
  readonly runs: Pick<RunsOfFlows, 'end'>
  readonly show: ShowFlows<S, W>
  readonly oneAtATime: OneAtATime
  readonly tell: (scope: WorkspaceScope) => Promise<void>
  /** Has open pages read a flow again: another person may have it before them. */
  readonly tellPages: (scope: WorkspaceScope, id: string) => void
  /** Settings of a new flow. */
  readonly fresh: Omit<NewFlow, 'name' | 'draft'>
  /** Completes a change by what the flow has. */
  readonly merge: (before: FlowRecord, change: C) => FlowChange
}

/** Lists, edits and deletes bots, or workflows, for people. Only publishing changes the version that runs. */
export function createFlowsService<S, W, C extends { readonly version: number }>(dependencies: Dependencies<S, W, C>) {
  const { repository, routing, runs, show, oneAtATime, tell, tellPages, cursors, transaction, fresh, merge } =
    dependencies
  const { kind, require } = repository

  async function list(scope: Viewed, { q = '', status, limit, cursor }: ListQuery): Promise<PageOf<S>> {
    const wanted = foldText(q)
    const page = await pageOf(repository.records(scope), {
      sort: byName,
      cursors,
      workspaceId: scope.workspaceId,
      filter: {
        deletedAt: null,
        ...(wanted !== '' && { nameKey: { $regex: wanted.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&') } }),
        ...(status && { status }),
      },
      limit,
      cursor,
    })
    return { ...page, items: await show.summaries(scope, page.items) }
  }

  const read = async (scope: Viewed, id: string): Promise<W> => show.whole(scope, await require(scope, id))

  /** @throws `limit_reached`. */
  async function create(scope: WorkspaceScope, flow: NewFlow): Promise<W> {
    const created = await oneAtATime(scope.workspaceId, () =>
      transaction(async (tx) => {
        await routing.hold(scope, tx)
        await checkRoom(scope, tx)
        return repository.create(scope, flow, tx)
      }),
    )
    tellPages(scope, created.id)
    return show.whole(scope, created)
  }

  async function checkRoom(scope: WorkspaceScope, tx: Session): Promise<void> {
    if ((await repository.count(scope, tx)) < maxFlows) return
    const sentence = `A workspace has at most ${maxFlows} ${kind}s. Delete one that is no longer needed.`
    throw new AppError('limit_reached', sentence)
  }

  async function duplicate(scope: WorkspaceScope, id: string, name: string | undefined): Promise<W> {
    const { name: before, settings, enrolment, numberIds } = await require(scope, id)
    const draft = (await repository.readDraft(scope, id)) ?? emptyFlow
    const copied = name ?? `${before.slice(0, maxNameLength - ' (copy)'.length)} (copy)`
    return create(scope, { name: copied, settings, enrolment, numberIds, draft })
  }

  /** @throws `not_found`, `stale_version` with the record as it is now, `keyword_taken` where an active bot listens at more numbers. */
  async function update(scope: WorkspaceScope, id: string, body: C): Promise<W> {
    const before = await require(scope, id)
    const { version } = body
    const change = merge(before, body)
    const save = (tx: Session) => repository.update(scope, { id, version, change }, tx)
    const tellCurrent = async (error: unknown) => {
      throw error instanceof AppError && error.code === 'stale_version'
        ? errors.staleVersion(await read(scope, id))
        : error
    }
    // Starting and pausing raise the version as well.
    if ((!change.numberIds && !change.enrolment) || before.status !== 'active') {
      const saved = await transaction(save).catch(tellCurrent)
      tellPages(scope, id)
      return show.whole(scope, saved)
    }
    const changed = await oneAtATime(scope.workspaceId, () =>
      transaction(async (tx) => {
        await routing.raise(scope, tx)
        const saved = await save(tx)
        const flow = await repository.publishedFlow(scope, saved, tx)
        if (flow) await routing.claim(scope, saved, flow, tx)
        return saved
      }),
    ).catch(tellCurrent)
    await tell(scope)
    tellPages(scope, id)
    return show.whole(scope, changed)
  }

  /** Deletes a flow; its runs end, and what they hold goes to people. @throws `not_found`, `in_use` naming the bot that continues to it. */
  async function remove(scope: WorkspaceScope, id: string): Promise<void> {
    await require(scope, id)
    await oneAtATime(scope.workspaceId, () =>
      transaction(async (tx) => {
        await routing.raise(scope, tx)
        const user = await repository.leadingTo(scope, id, tx)
        if (user && user.id !== id)
          throw new AppError('in_use', `${user.name} goes on to this bot. Publish it without that step first.`, {
            existing: { id: user.id, name: user.name },
          })
        const update = { $set: { status: 'paused' as const, deletedAt: new Date(), removal: deleted } } as const
        if (!(await repository.change(scope, id, update, tx))) throw missing(kind)
        await routing.release(scope, id, tx)
        await runs.end(scope, id, { reason: `The ${kind} was deleted.` }, tx)
      }),
    )
    await tell(scope)
    tellPages(scope, id)
  }

  /** Restores a deleted flow, paused. One that is not deleted stays as it is. @throws `not_found`, `limit_reached`. */
  async function restore(scope: WorkspaceScope, id: string): Promise<W> {
    const record = await repository.read(scope, id)
    if (!record) throw missing(kind)
    if (!record.deletedAt) return show.whole(scope, record)
    const restored = await oneAtATime(scope.workspaceId, () =>
      transaction(async (tx) => {
        await routing.hold(scope, tx)
        await checkRoom(scope, tx)
        const update = { $unset: { deletedAt: 1, removal: 1 } } as const
        return repository.change(scope, id, update, { ...tx, isDeleted: true })
      }),
    )
    tellPages(scope, id)
    return restored ? show.whole(scope, restored) : read(scope, id)
  }

  return {
    list,
    read,
    create: (scope: WorkspaceScope, { name, draft = emptyFlow }: { name: string; draft?: DraftFlow | undefined }) =>
      create(scope, { ...fresh, name, draft }),
    duplicate,
    update,
    remove,
    restore,
  }
}
