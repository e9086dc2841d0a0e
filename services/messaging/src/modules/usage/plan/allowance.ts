import type { SendingHours } from '@parley/contracts/campaigns/sending-hours'
import type { Money } from '@parley/contracts/core/records'
import { dateAfter, momentOf, wallTimeOf } from '@parley/contracts/core/zoned-time'
import type { SampleDataState } from '@parley/contracts/platform/sample-data'
import { type Plan, plans } from '@parley/contracts/usage/plans'
import { facts } from '@parley/sample/facts'
import { madeAt } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { WorkspacePlanRecord } from './quota.model.ts'

/** An amount of each of the two meters. */
export interface Meters {
  readonly credits: number
  readonly messages: number
}

/** Amounts that a workspace may send in the period that contains a given time. */
export interface Allowance extends Pick<Period, 'from' | 'to'> {
  readonly starts: Date
  readonly ends: Date
  /** Key of its record. */
  readonly period: string
  /** Name of the plan. */
  readonly plan: string
  /** Absent for the plan of the sample data. */
  readonly planId: Plan['id'] | undefined
  readonly price: Money
  /** The plan that follows, and the day on which it does. */
  readonly next: { readonly plan: string; readonly from: string } | undefined
  readonly limit: Meters
  /** Use in the sample data's own past. */
  readonly usedBefore: Meters
  /** Plan that the workspace has without the sample data; set where the sample's plan applies. */
  readonly ownPlan:
    | { readonly id: Plan['id']; readonly name: string; readonly to: string; readonly ended: boolean }
    | undefined
  readonly renews: boolean
  readonly ended: boolean
  readonly limited: boolean
  /** Zone in which its days begin. */
  readonly zone: string
  /** Reference moment of the sample data whose periods these are. */
  readonly sampleToldAt: Date | undefined
}

interface Dependencies {
  readonly periods: { readonly plan: (scope: WorkspaceScope) => Promise<WorkspacePlanRecord | null> }
  readonly sampleStates: {
    /** Returns the sample data of a workspace; null where it never had any. */
    readonly read: (
      scope: WorkspaceScope,
    ) => Promise<(Pick<SampleDataState, 'state'> & { readonly toldAt: Date }) | null>
  }
  readonly readHours: (scope: WorkspaceScope) => Promise<Pick<SendingHours, 'zone'>>
  /** False where no limits are enforced: there is always room. */
  readonly hasLimits: boolean
}

/**
 * Determines which plan counts, and which of its periods. The zone is that of the sending hours, and a workspace was created when
 * its id was made, which the id shows. A workspace with sample data has the plan of the sample, unless it was given one of its
 * own, and the periods of the sample, unless it had a plan before.
 */
export function createAllowance({ periods, sampleStates, readHours, hasLimits }: Dependencies) {
  return async function allowanceAt(scope: WorkspaceScope, at: Date): Promise<Allowance> {
    const [record, sample, { zone }] = await Promise.all([
      periods.plan(scope),
      sampleStates.read(scope),
      readHours(scope),
    ])
    const dateOf = (moment: Date) => wallTimeOf(moment, zone).date
    const date = dateOf(at)
    const loadedAt = sample && sample.state !== 'none' && sample.state !== 'cleared' ? sample.toldAt : undefined
    // No person has chosen the trial that a workspace begins without.
    const chosen = record?.noTrial && record.plan === 'free_trial' ? null : record
    const isOfSample = loadedAt && (!chosen || chosen.sampleToldAt?.getTime() === loadedAt.getTime())
    const plan = planOn(chosen, date)
    const ownPlan = plan ?? planNamed('free_trial')
    const ofOwn = ofPlan(ownPlan, dateOf(createdAt(scope)), date, record?.noTrial)
    const dated = isOfSample ? ofSample(dateOf(loadedAt), date, plan) : ofOwn
    const next = record?.next && date < record.next.from ? record.next : undefined
    return {
      ...dated,
      next: next && { plan: planNamed(next.plan).name, from: next.from },
      ended: hasLimits && dated.ended,
      ownPlan:
        isOfSample && !plan
          ? { id: ownPlan.id, name: ownPlan.name, to: ofOwn.to, ended: hasLimits && ofOwn.ended }
          : undefined,
      limited: hasLimits,
      zone,
      starts: midnightOf(dated.from, zone),
      ends: midnightOf(dated.to, zone),
      sampleToldAt: isOfSample ? loadedAt : undefined,
    }
  }
}

type Dated = Omit<Allowance, 'starts' | 'ends' | 'limited' | 'next' | 'zone' | 'sampleToldAt' | 'ownPlan'>

export function planNamed(id: Plan['id']): Plan {
  const found = plans.find((plan) => plan.id === id)
  if (!found) throw new Error(`there is no plan ${id}`)
  return found
}

/** Returns the name of a plan, and its price for a month. */
export function priceOfPlan(id: Plan['id']): { name: string; price: Money } {
  const { plan, price } = termsOf(planNamed(id))
  return { name: plan, price }
}

function planOn(record: WorkspacePlanRecord | null, date: string): Plan | undefined {
  if (!record) return undefined
  return planNamed(record.next && date >= record.next.from ? record.next.plan : record.plan)
}

export function midnightOf(date: string, zone: string): Date {
  const moment = momentOf({ date, time: '00:00' }, zone)
  if (!moment) throw new RangeError(`${date} is no date`)
  return moment
}

/** Returns the time at which a workspace was created. */
export const createdAt = ({ workspaceId }: WorkspaceScope) => madeAt(workspaceId)

const none: Meters = { credits: 0, messages: 0 }

const termsOf = ({ id, name, priceMinor, messages }: Plan) => ({
  plan: name,
  planId: id,
  price: { amount: priceMinor, currency: 'INR' },
  limit: { credits: messages, messages },
})

/** @param noTrial a workspace begins as one whose trial has ended on the day on which it was created. */
function ofPlan(plan: Plan, created: string, date: string, noTrial = false): Dated {
  const { n, from, to } = monthWith(created, date)
  const terms = termsOf(plan)
  if (plan.trialDays === undefined)
    return { ...terms, period: `months/${n}`, from, to, usedBefore: none, renews: true, ended: false }
  const begun = noTrial ? dateAfter(created, -plan.trialDays) : created
  const end = dateAfter(begun, plan.trialDays)
  // Usage of a trial counts in the first month of the plan that follows it.
  return {
    ...terms,
    period: 'months/0',
    from: begun,
    to: end,
    usedBefore: none,
    renews: false,
    ended: date >= end,
  }
}

const sampleTerms = {
  plan: facts.plan.name,
  planId: undefined,
  price: facts.plan.monthlyPrice,
  limit: { credits: facts.creditsLimit, messages: facts.messagesQuota },
}
const usedInSample: Meters = { credits: facts.creditsUsed, messages: facts.messagesSent }

/** Returns the plan of the sample, which is set in the middle of a period. @param plan its own, if one was chosen since. */
function ofSample(loadedAt: string, date: string, plan: Plan | undefined): Dated {
  const { n, from, to } = daysWith(dateAfter(loadedAt, facts.resetsInDays - facts.periodDays), facts.periodDays, date)
  return {
    ...(plan ? termsOf(plan) : sampleTerms),
    period: `sample ${loadedAt}/${n}`,
    from,
    to,
    usedBefore: n === 0 ? usedInSample : none,
    renews: true,
    ended: false,
  }
}

/** The n-th period from a day on, from 0: dates as `2026-11-25`, the first day and the first one after it. */
interface Period {
  readonly n: number
  readonly from: string
  readonly to: string
}

/** Returns the day that is `months` after another: the 31st, or where a month has none its last day. */
export function monthsAfter(anchor: string, months: number): string {
  const [year = 0, month = 1, day = 1] = anchor.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastDay))).toISOString().slice(0, 10)
}

/** The calendar month, counted from a day on, that has a date; of an earlier date the first. */
export function monthWith(anchor: string, date: string): Period {
  const [years = 0, months = 0] = date.split('-').map((part, index) => Number(part) - Number(anchor.split('-')[index]))
  const begun = 12 * years + months
  const n = Math.max(0, monthsAfter(anchor, begun) <= date ? begun : begun - 1)
  return { n, from: monthsAfter(anchor, n), to: monthsAfter(anchor, n + 1) }
}

/** Same as `monthWith`, with periods of `days` days. */
export function daysWith(anchor: string, days: number, date: string): Period {
  const passed = (Date.parse(date) - Date.parse(anchor)) / 86_400_000
  const n = Math.max(0, Math.floor(passed / days))
  return { n, from: dateAfter(anchor, n * days), to: dateAfter(anchor, (n + 1) * days) }
}
