import type { Approval } from '@parley/contracts/platform/approvals'
import { errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { UserContext } from '@parley/service-kit/http/context'
import type { ApprovalRulesService } from '../../approvals/approval-rules.service.ts'
import type { Approvals, AskedNow } from '../../approvals/approvals.service.ts'
import type { NumbersRepository } from './numbers.repository.ts'

export type NumberApprovals = ReturnType<typeof createNumberApprovals>

const placeOf = (numberId: string) => ({ key: `number_removal:${numberId}` })

/** Approvals of the removal of numbers: its conversations can be answered by nobody from then on. */
export function createNumberApprovals({
  approvals,
  approvalRules,
  numbers,
}: {
  approvals: Pick<Approvals, 'ask' | 'approved' | 'take'>
  approvalRules: Pick<ApprovalRulesService, 'read'>
  numbers: Pick<NumbersRepository, 'read'>
}) {
  /** @throws `not_found`; `wrong_state` where no approval is needed, or nobody else could give it. */
  async function ask(ctx: UserContext, numberId: string, note: string): Promise<Approval> {
    const number = await numbers.read(ctx, numberId)
    if (!number) throw errors.notFound('This number is no longer connected.')
    if (!(await approvalRules.read(ctx)).numberRemoval)
      throw errors.wrongState('No approval is needed to delete a number.')
    const asked = { kind: 'number_removal' as const, numberId, name: number.displayName }
    return approvals.ask(ctx, { place: placeOf(numberId), note, describe: async () => ({ asked }) })
  }

  /** @returns what takes the approval, in the transaction of the removal. @throws `approval_required`. */
  async function require(scope: WorkspaceScope, numberId: string): Promise<(tx: Tx) => Promise<void>> {
    if (!(await approvalRules.read(scope)).numberRemoval) return async () => undefined
    const rule = 'Deleting a number needs the approval of a second member.'
    const approval = await approvals.approved(scope, placeOf(numberId), rule)
    return (tx) => approvals.take(scope, approval, tx)
  }

  async function numberNow(scope: WorkspaceScope, numberId: string): Promise<AskedNow> {
    const number = await numbers.read(scope, numberId)
    return number ? { name: number.displayName } : { changed: 'The number was deleted.' }
  }

  return { ask, require, numberNow }
}
