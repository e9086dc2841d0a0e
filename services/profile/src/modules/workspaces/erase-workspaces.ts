import { homeCell } from '@parley/contracts/account/cells'
import { maxErasures } from '@parley/contracts/account/workspace-deletion'
import { internalTokenMaxSeconds } from '@parley/contracts/core/internal-token'
import type { Cells } from '@parley/service-kit/core/cells'
import type { Clock } from '@parley/service-kit/core/clock'
import { errors } from '@parley/service-kit/core/errors'
import type { Logger } from '@parley/service-kit/core/logger'
import type { Filter } from '@parley/service-kit/data/collection-types'
import { eraseWorkspace } from '@parley/service-kit/data/erase-workspace'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { hasMessages } from '@parley/service-kit/data/outbox'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { ServiceContext } from '@parley/service-kit/http/context'
import { createIsMoving } from '../moves/moves.service.ts'
import type { ProfileService } from '../profile/profile.service.ts'
import { type ErasingService, type ErasureRecord, erasing, erasingServices, erasureSchema } from './erasures.model.ts'
import { recordMember } from './record-member.ts'
import type { WorkspaceRecord } from './workspaces.model.ts'
import type { WorkspacesRepository } from './workspaces.repository.ts'

/** Erasure begins when no token of a former member is accepted any more. */
const settleMs = internalTokenMaxSeconds * 1500
/** The collection that says what is erased is kept. */
const collectionName = 'workspaceErasures'

/**
 * Erases workspaces whose days have ended. Each step may be repeated: memberships end first, then each service erases what it has until a
 * run finds nothing, and profile follows at last.
 */
export function createErasures(deps: {
  mongo: ServiceConnection
  workspaces: Pick<WorkspacesRepository, 'closed' | 'beginErasure' | 'activeMembers' | 'changeMember' | 'everybody'>
  profile: Pick<ProfileService, 'forgetWorkspace'>
  transaction: RunInTransaction
  cells: Pick<Cells, 'urls'>
  logger: Pick<Logger, 'info'>
  now?: Clock
}) {
  const { mongo, workspaces, profile, transaction, cells, logger, now = () => new Date() } = deps
  const definition = { connection: mongo, name: collectionName, schema: erasureSchema, bookkeeping: true as const }
  const records = workspaceCollection<ErasureRecord>(definition)
  const isMoving = createIsMoving(mongo)
  const open = scopedCollection<object, ErasureRecord>(definition, () => ({ open: erasing }))

  const settled = (filter: Filter<ErasureRecord> = {}): PromiseLike<ErasureRecord[]> =>
    open({})
      .find({ ...filter, begunAt: { $lte: new Date(now().getTime() - settleMs) } })
      .sort({ begunAt: 1 })
      .limit(maxErasures)
      .hint('open')

  /** Ends all memberships of a workspace whose days have ended; from then on nobody is in it. */
  async function begin({ id: workspaceId }: WorkspaceRecord): Promise<void> {
    const scope = { workspaceId }
    // Two cells have it: an operator ends or gives up the move first.
    if (await isMoving(scope)) return
    await transaction(async (tx) => {
      const workspace = await workspaces.beginErasure(scope, now(), tx)
      // An owner has restored it at this moment.
      if (!workspace) return
      const { deletion = { at: now() }, cell } = workspace
      const begun = { open: erasing, cell, askedAt: deletion.at, begunAt: now(), done: [], removed: 0 } as const
      await records(scope).create(begun, { session: tx.session })
      for (const member of await workspaces.activeMembers(scope))
        recordMember(tx, await workspaces.changeMember(scope, member.id, { status: 'removed' }, tx), { kind: 'system' })
    })
  }

  /**
   * Workspaces of a cell of which a service has still something to erase: in another cell it would find nothing, and say so.
   * @throws `validation_failed` where there are several cells and the process does not say to which it belongs.
   */
  async function due({ caller }: Pick<ServiceContext, 'caller'>, cell: string | undefined): Promise<string[]> {
    const service = serviceOf(caller)
    if (cell === undefined && cells.urls.size > 0)
      throw errors.validation({
        cell: `There are several cells: set CELL of ${service}-worker to the one it belongs to.`,
      })
    const asking = cell ?? homeCell
    const inCell = { cell: asking === homeCell ? { $exists: false } : asking }
    const found = (await settled(inCell)).filter(({ done }) => !done.includes(service))
    // Events that profile has sent before would be stored after the erasure.
    const waiting = await Promise.all(found.map(({ workspaceId }) => hasMessages(mongo, workspaceId)))
    return found.filter((_, index) => !waiting[index]).map(({ workspaceId }) => workspaceId)
  }

  async function report({ caller }: Pick<ServiceContext, 'caller'>, workspaceId: string, removed: number) {
    const done = removed === 0 ? { $addToSet: { done: serviceOf(caller) } } : {}
    await records({ workspaceId }).updateOne({ open: erasing }, { ...done, $inc: { removed } })
  }

  /** Erases what profile itself has of a workspace of which no other service has anything left. */
  async function finish({ workspaceId }: ErasureRecord): Promise<void> {
    const scope: WorkspaceScope = { workspaceId }
    // A person who had their own workspace there gets another one with their next session.
    for await (const { userId } of workspaces.everybody(scope)) await profile.forgetWorkspace(userId, workspaceId)
    const { removed, done } = await eraseWorkspace(mongo, workspaceId, { keep: [collectionName] })
    const ended = done && removed === 0
    await records(scope).updateOne(
      { open: erasing },
      { $inc: { removed }, ...(ended && { $set: { erasedAt: now() }, $unset: { open: 1 } }) },
    )
    if (ended) logger.info({ workspaceId }, 'a deleted workspace is erased')
  }

  /** Moves every deletion on by a step. */
  async function run(): Promise<void> {
    for (const workspace of await workspaces.closed(now())) await begin(workspace)
    for (const erasure of await settled())
      if (erasingServices.every((service) => erasure.done.includes(service))) await finish(erasure)
  }

  /** Returns the age of the oldest erasure that waits for each service, in seconds; 0 where none does. */
  async function ages(): Promise<Record<WaitedFor, number>> {
    const found = await open({}).find({}).sort({ begunAt: 1 }).limit(maxErasures).hint('open')
    const since = (service: WaitedFor) => {
      const oldest = found.find((erasure) => waitedFor(erasure).includes(service))
      return oldest ? (now().getTime() - oldest.begunAt.getTime()) / 1000 : 0
    }
    return { messaging: since('messaging'), automation: since('automation'), profile: since('profile') }
  }

  return { run, due, report, ages }
}

type WaitedFor = ErasingService | 'profile'

/** Services that have something left; profile follows the others. */
function waitedFor({ done }: ErasureRecord): WaitedFor[] {
  const left = erasingServices.filter((service) => !done.includes(service))
  return left.length > 0 ? left : ['profile']
}

/** @throws `forbidden` for a process of a service that has nothing to erase. */
function serviceOf(caller: string): ErasingService {
  const service = erasingServices.find((name) => caller === `svc:${name}-worker`)
  if (!service) throw errors.forbidden('This process has nothing to erase.')
  return service
}
