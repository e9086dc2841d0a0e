import type { Plan } from '@parley/contracts/usage/plans'
import type { Usage } from '@parley/contracts/usage/usage'
import type { Clock } from '@parley/service-kit/core/clock'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import type { AskPeople } from '../../../platform/member-facts.ts'
import { countReal } from '../../channel/numbers/connect-number.ts'
import type { UsageWatchesRepository } from '../meter/usage-watches.repository.ts'
import { type createAllowance, planNamed } from './allowance.ts'
import { plansUntil } from './past-plans.ts'
import type { PlanSource } from './quota.model.ts'
import type { Quota } from './quota.service.ts'
import type { UsagePeriodsRepository } from './usage-periods.repository.ts'

interface Dependencies {
  readonly periods: Pick<UsagePeriodsRepository, 'plan' | 'setPlan' | 'setNext'>
  readonly allowanceAt: ReturnType<typeof createAllowance>
  readonly watches: Pick<UsageWatchesRepository, 'noteChange'>
  readonly transaction: RunInTransaction
  readonly now?: Clock
}

/** Changes the plan of a workspace: the only way to do so, whether the owner or the operator decides. */
export function createApplyPlan({ periods, allowanceAt, watches, transaction, now = () => new Date() }: Dependencies) {
  /**
   * A plan that allows as much as the present one, or more, counts at once, and for the whole of the period that runs: what was
   * used stays used. A smaller one follows when that period ends, unless an operator sets it or the trial is over.
   */
  async function applyPlan(
    scope: WorkspaceScope,
    { plan, source }: { readonly plan: Plan['id']; readonly source: PlanSource },
  ): Promise<void> {
    const { limit, to, ended, planId, sampleToldAt, zone } = await allowanceAt(scope, now())
    const before = plansUntil(scope, await periods.plan(scope), { zone, at: now() })
    const isSmaller = planNamed(plan).messages < limit.messages
    const follows = isSmaller && !ended && source === 'owner' && planId !== undefined
    await transaction(async (tx) => {
      const { session } = tx
      if (follows) await periods.setNext(scope, { plan, from: to }, { session })
      else await periods.setPlan(scope, { plan, source, at: now(), sampleToldAt }, before, { session })
      await emitChange(scope, plan, tx)
    })
  }

  /** Cancels the plan that was to follow. */
  const keepPlan = (scope: WorkspaceScope): Promise<void> =>
    transaction(async (tx) => {
      await periods.setNext(scope, undefined, { session: tx.session })
      await emitChange(scope, undefined, tx)
    })

  async function emitChange({ workspaceId }: WorkspaceScope, plan: Plan['id'] | undefined, tx: Tx): Promise<void> {
    await watches.noteChange({ workspaceId }, tx)
    tx.emit({ workspaceId, type: 'usage.changed', by: { kind: 'system' }, data: plan ? { plan } : {} })
  }

  return { applyPlan, keepPlan }
}

/** Lets owners change their plan, where the operator of Parley allows it. */
export function createChoosePlan({
  plans: { applyPlan, keepPlan },
  quota: { usage },
  isChoosable,
  hasLimits,
  numberRecords,
  askPeople,
}: {
  readonly plans: ReturnType<typeof createApplyPlan>
  readonly quota: Pick<Quota, 'usage'>
  readonly isChoosable: boolean
  readonly hasLimits: boolean
  readonly numberRecords: { readonly list: (scope: WorkspaceScope) => PromiseLike<Parameters<typeof countReal>[0]> }
  readonly askPeople: AskPeople
}) {
  /** @throws `wrong_state`; `plan_limit` where the workspace has more than the plan has room for, `service_unavailable`. */
  async function choose(scope: WorkspaceScope, plan: Plan['id']): Promise<Usage> {
    if (!isChoosable) throw errors.wrongState('Only Parley’s support can change the plan.')
    if (plan === 'free_trial') throw errors.wrongState('The free trial is only available to new workspaces.')
    if (plan === 'pro') throw errors.wrongState('Pro is arranged with our sales team. Nothing was changed.')
    if (hasLimits && isTighter(planNamed(plan), await usage(scope))) await checkFits(scope, planNamed(plan))
    await applyPlan(scope, { plan, source: 'owner' })
    return usage(scope)
  }

  async function checkFits(scope: WorkspaceScope, { name, numbers, teamMembers }: Plan): Promise<void> {
    const [stored, { seats }] = await Promise.all([numberRecords.list(scope), askPeople(scope)])
    const connected = countReal(stored)
    const tooMany = [
      ...(connected > numbers ? [countedAs(connected - numbers, 'number')] : []),
      ...(seats > teamMembers
        ? [countedAs(seats - teamMembers, 'member or invitation', 'members or invitations')]
        : []),
    ]
    if (tooMany.length === 0) return
    const room = `${countedAs(numbers, 'number')} and ${countedAs(teamMembers, 'team member')}`
    throw new AppError('plan_limit', `${name} has room for ${room}. Remove ${tooMany.join(' and ')} first.`)
  }

  async function keep(scope: WorkspaceScope): Promise<Usage> {
    await keepPlan(scope)
    return usage(scope)
  }

  return { choose, keep }
}

/** Returns whether a plan has room for fewer numbers or members than the present one. */
function isTighter(plan: Plan, { planId, sample }: Usage): boolean {
  const id = sample?.ownPlan?.id ?? planId
  const present = id && planNamed(id)
  return !present || plan.numbers < present.numbers || plan.teamMembers < present.teamMembers
}

const countedAs = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
