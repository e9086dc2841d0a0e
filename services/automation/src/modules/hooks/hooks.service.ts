import { randomBytes } from 'node:crypto'
import { type Hook, type HookCall, maxHooks } from '@parley/contracts/automation/hooks'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Platform, Session } from '../../platform/platform.ts'
import type { HookCallRecord, HookRecord } from './hooks.model.ts'
import type { HookPlace, HooksRepository } from './hooks.repository.ts'
import { hashOf } from './read-call.ts'

export type { HooksRepository } from './hooks.repository.ts'

interface Dependencies extends Pick<Platform, 'transaction' | 'namesWorkspace'> {
  readonly hooks: HooksRepository
  /** @throws `not_found` where there is no such workflow. */
  readonly requireWorkflow: (scope: WorkspaceScope, id: string) => Promise<unknown>
  /** Has changes of flows in a workspace take turns. */
  readonly hold: (scope: WorkspaceScope, tx: Session) => Promise<void>
  readonly now: () => Promise<number>
}

/** Addresses of triggers as people make and revoke them. */
export function createHooksService({ hooks, requireWorkflow, hold, now, transaction, namesWorkspace }: Dependencies) {
  async function list(scope: WorkspaceScope, flowId: string): Promise<{ items: Hook[] }> {
    await requireWorkflow(scope, flowId)
    return { items: (await hooks.list(scope, flowId)).map(toHook) }
  }

  /**
   * Makes the address of a trigger; the one that it had is refused from then on.
   * @returns it with the token, which is not kept. @throws `not_found`, `limit_reached`.
   */
  async function replace(scope: WorkspaceScope, place: HookPlace): Promise<Hook & { token: string }> {
    await requireWorkflow(scope, place.flowId)
    const token = `whk_${namesWorkspace ? `${scope.workspaceId}_` : ''}${randomBytes(32).toString('base64url')}`
    const fresh = { tokenHash: hashOf(token), last4: token.slice(-4), createdAt: new Date(await now()) }
    await transaction(async (tx) => {
      // Two at once would both find room; one that deletes the workflow would leave the address.
      await hold(scope, tx)
      await requireWorkflow(scope, place.flowId)
      const isNew = (await hooks.read(scope, place, tx)) === null
      if (isNew && (await hooks.countOf(scope, place.flowId, tx)) >= maxHooks)
        throw new AppError('limit_reached', `A workflow has at most ${maxHooks} addresses. Revoke one first.`)
      await hooks.replace(scope, place, fresh, tx)
    })
    return { ...toHook({ ...place, ...fresh }), token }
  }

  /** @throws `not_found`. */
  async function revoke(scope: WorkspaceScope, place: HookPlace): Promise<void> {
    await requireWorkflow(scope, place.flowId)
    if (!(await transaction((tx) => hooks.revoke(scope, place, tx))))
      throw errors.notFound('This trigger has no address.')
  }

  async function calls(scope: WorkspaceScope, place: HookPlace): Promise<{ items: HookCall[] }> {
    await requireWorkflow(scope, place.flowId)
    return { items: (await hooks.calls(scope, place)).map(toCall) }
  }

  return { list, replace, revoke, calls }
}

const toHook = ({
  nodeId,
  last4,
  createdAt,
  lastCallAt,
}: Pick<HookRecord, 'nodeId' | 'last4' | 'createdAt' | 'lastCallAt'>): Hook => ({
  nodeId,
  last4,
  createdAt: createdAt.toISOString(),
  lastCallAt: lastCallAt?.toISOString() ?? null,
})

const toCall = ({ id, at, result, problem, fields, repeats, runId }: HookCallRecord): HookCall => ({
  id,
  at: at.toISOString(),
  result,
  problem: problem ?? null,
  fields: [...fields],
  repeats,
  runId: runId ?? null,
})
