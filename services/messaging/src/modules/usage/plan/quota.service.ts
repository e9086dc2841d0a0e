import { plans } from '@parley/contracts/usage/plans'
import { quotaProblem, templateProblem, type Usage } from '@parley/contracts/usage/usage'
import type { Clock } from '@parley/service-kit/core/clock'
import { AppError } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import type { MessageRecord } from '../../inbox/messages/messages.service.ts'
import type { UsageCountsRepository } from '../meter/usage-counts.repository.ts'
import type { UsageWatchesRepository } from '../meter/usage-watches.repository.ts'
import type { Allowance, createAllowance, Meters } from './allowance.ts'
import { type Hold, type QuotaHolder, type ReadSenders, uncertainMs } from './quota-hold.ts'
import { roomOf, usageOf } from './usage-of.ts'
import type { UsagePeriodsRepository } from './usage-periods.repository.ts'

const dayMs = 86_400_000
/** Milliseconds after a contact's message within which it can be answered with a template, whatever is used. */
const answerableMs = 7 * dayMs
/** Milliseconds after which a running campaign is checked again, should the event of its end be lost. */
const runningMs = 3600_000
/** Limits of a plan that cannot be chosen, that of the sample data: the highest of all. */
const highest = {
  numbers: Math.max(...plans.map(({ numbers }) => numbers)),
  teamMembers: Math.max(...plans.map(({ teamMembers }) => teamMembers)),
}

/** Limits of a workspace beside messages; absent ones are not enforced. */
interface PlanLimits {
  readonly numbers?: number
  readonly teamMembers?: number
  /** The trial is over: nothing is added any more. */
  readonly ended: boolean
}

type Stored = Pick<MessageRecord, 'sentAt' | 'createdAt'>

interface Dependencies {
  readonly periods: UsagePeriodsRepository
  readonly allowanceAt: ReturnType<typeof createAllowance>
  readonly holders: {
    /** Reads a holder by its latest counts; undefined where it does not exist any more. */
    readonly read: (scope: WorkspaceScope, id: string, tx: Tx) => Promise<QuotaHolder | undefined>
    readonly readMany: ReadSenders
  }
  /** Messages that were sent one by one. */
  readonly counts: Pick<UsageCountsRepository, 'between'>
  readonly watches: Pick<UsageWatchesRepository, 'noteChange'>
  readonly messageRecords: {
    readonly latestInbound: (scope: WorkspaceScope, conversationId: string, since: Date) => Promise<Stored | null>
    readonly templatesSince: (scope: WorkspaceScope, conversationId: string, since: Stored) => Promise<number>
  }
  /** True where owners choose their plan. */
  readonly isChoosable: boolean
  readonly transaction: RunInTransaction
  readonly now?: Clock
}

export type Quota = ReturnType<typeof createQuota>

/**
 * Tracks what a workspace takes of its plan, by two meters: templates, and everything that was sent. Campaigns hold of both what
 * they may need of the period in which they were launched; answers never ask for room.
 */
export function createQuota(deps: Dependencies) {
  const { periods, allowanceAt, holders, counts, messageRecords, isChoosable, transaction } = deps
  const { now = () => new Date() } = deps

  /** @param at in which period; absent: the one that runs. */
  async function usage(scope: WorkspaceScope, at = now()): Promise<Usage> {
    const allowance = await allowanceAt(scope, at)
    const [others, record] = await Promise.all([othersOf(scope, allowance), periods.read(scope, allowance.period)])
    return { ...usageOf(allowance, others, record), choosable: isChoosable }
  }

  /** Returns usage that does not belong to campaigns. */
  async function othersOf(scope: WorkspaceScope, { usedBefore, starts, ends }: Allowance): Promise<Meters> {
    const { credits, messages } = await counts.between(scope, { from: starts, to: ends })
    return { credits: usedBefore.credits + credits, messages: usedBefore.messages + messages }
  }

  /**
   * For the transaction that launches a campaign.
   * @param n templates that it needs. @param before messages of it that were sent already, and are not counted.
   * @returns what is stored with the campaign, and what takes it from the period: throws `quota_exceeded` without room.
   */
  async function prepare(scope: WorkspaceScope, n: number, before = 0) {
    const allowance = await allowanceAt(scope, now())
    const { period } = allowance
    await periods.make(scope, period)
    await settleEnded(scope, period)
    const others = await othersOf(scope, allowance)
    const room = roomOf(allowance, others)
    const reserve = async (campaignId: string, tx: Tx): Promise<void> => {
      if (await periods.hold(scope, { period, campaignId, n, room }, tx)) return
      const left = { ...usageOf(allowance, others, await periods.read(scope, period, tx)), choosable: isChoosable }
      throw new AppError('quota_exceeded', quotaProblem(left, n) ?? 'The messages in the plan are used up.')
    }
    const hold: Hold = { period, n, before }
    return { hold, reserve }
  }

  /** Settles a campaign's hold, in the transaction that counts its recipients. */
  async function settle(scope: WorkspaceScope, { id, hold, share }: QuotaHolder, tx: Tx): Promise<void> {
    if (!hold || !share) return
    if (await periods.settle(scope, { ...hold, campaignId: id, ...share }, tx)) await deps.watches.noteChange(scope, tx)
  }

  /** Settles by the latest counts: for a campaign that was cancelled just now. */
  async function settleCounted(scope: WorkspaceScope, campaignId: string): Promise<void> {
    await transaction(async (tx) => {
      const holder = await holders.read(scope, campaignId, tx)
      if (holder) await settle(scope, holder, tx)
    })
  }

  /**
   * Settles ended campaigns: uncertain recipients are held for some days, and nothing counts them any more by itself.
   * @returns when there is more to give back; undefined where nothing is held.
   */
  async function settleEnded(scope: WorkspaceScope, period: string): Promise<Date | undefined> {
    const { holds = {} } = (await periods.read(scope, period)) ?? {}
    const held = Object.keys(holds).filter((id) => holds[id] !== 0)
    const found = new Map((await holders.readMany(scope, held)).map((campaign) => [campaign.id, campaign]))
    const waits: number[] = []
    for (const campaignId of held) {
      const campaign = found.get(campaignId)
      // The record was removed with the sample data.
      if (!campaign) await transaction((tx) => periods.settle(scope, { period, campaignId, held: 0, used: 0 }, tx))
      else if (campaign.status === 'completed' || campaign.status === 'cancelled') {
        await settleCounted(scope, campaignId)
        const endedAt = campaign.status === 'cancelled' ? campaign.stoppedAt : campaign.completedAt
        waits.push((endedAt ?? now()).getTime() + uncertainMs)
      } else waits.push(now().getTime() + runningMs)
    }
    const later = waits.filter((at) => at > now().getTime())
    return later.length > 0 ? new Date(Math.min(...later)) : undefined
  }

  /** Gives back what a campaign holds that has sent nothing. */
  const giveBack = async (
    { workspaceId, id: campaignId, hold }: WorkspaceScope & { readonly id: string; readonly hold?: Hold | undefined },
    tx: Tx,
  ): Promise<void> => {
    if (hold) await periods.settle({ workspaceId }, { ...hold, campaignId, held: 0, used: 0 }, tx)
  }

  /**
   * Checks whether a person may send a template once the plan is used up: to a contact who has written in the last 7 days one, as
   * an answer; it is counted anyway. To others none, until there is room again.
   * @throws `quota_reached`.
   */
  async function checkTemplate(scope: WorkspaceScope, conversationId: string): Promise<void> {
    const problem = templateProblem(await usage(scope))
    if (problem === undefined) return
    const since = new Date(now().getTime() - answerableMs)
    const written = await messageRecords.latestInbound(scope, conversationId, since)
    if (written && (await messageRecords.templatesSince(scope, conversationId, written)) === 0) return
    throw new AppError('quota_reached', problem)
  }

  /** Tells what the plan of a workspace allows; where a smaller one follows, as much as both allow. */
  async function planLimits(scope: WorkspaceScope): Promise<PlanLimits> {
    const { planId, next, limited, ended } = await allowanceAt(scope, now())
    if (!limited) return { ended }
    const counted = [
      plans.find(({ id }) => id === planId) ?? highest,
      plans.find(({ name }) => name === next?.plan) ?? highest,
    ]
    return {
      numbers: Math.min(...counted.map(({ numbers }) => numbers)),
      teamMembers: Math.min(...counted.map(({ teamMembers }) => teamMembers)),
      ended,
    }
  }

  return {
    usage,
    prepare,
    settle,
    settleCounted,
    settleEnded,
    giveBack,
    checkTemplate,
    planLimits,
    skipTrial: periods.skipTrial,
  }
}
