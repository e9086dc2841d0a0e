import { type Plan, plans } from '@parley/contracts/plans'
import type { SendingHours } from '@parley/contracts/sending-hours'
import { dateAfter, momentOf, wallTimeOf } from '@parley/contracts/zoned-time'
import { facts } from '@parley/sample/facts'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { daysWith, monthWith, type Period } from './periods.ts'

/** What a workspace may send in the period that has a moment. */
export interface Allowance extends Pick<Period, 'from' | 'to'> {
  readonly starts: Date
  readonly ends: Date
  /** As its record is named. */
  readonly period: string
  /** Name of the plan. */
  readonly plan: string
  /** In credits. */
  readonly limit: number
  /** Credits of the sample data's own past. */
  readonly usedBefore: number
  readonly renews: boolean
  readonly ended: boolean
  readonly limited: boolean
}

interface Dependencies {
  readonly planOf: (scope: WorkspaceScope) => Promise<Plan['id'] | undefined>
  /** What a workspace has of the sample data; null where it never had any. */
  readonly sampleData: (scope: WorkspaceScope) => Promise<{ readonly state: string; readonly toldAt: Date } | null>
  readonly readHours: (scope: WorkspaceScope) => Promise<Pick<SendingHours, 'zone'>>
  /** Without them there is always room. */
  readonly hasLimits: boolean
}

/**
 * Which plan counts, and which of its periods. The zone is that of the sending hours, and a workspace was created when its id
 * was made, which the id tells. A workspace with sample data has the plan of the sample, unless it was given one of its own.
 */
export function createAllowance({ planOf, sampleData, readHours, hasLimits }: Dependencies) {
  return async function allowanceAt(scope: WorkspaceScope, at: Date): Promise<Allowance> {
    const [id, sample, { zone }] = await Promise.all([planOf(scope), sampleData(scope), readHours(scope)])
    const dateOf = (moment: Date) => wallTimeOf(moment, zone).date
    const [created, date] = [dateOf(createdAt(scope)), dateOf(at)]
    const hasSample = sample && sample.state !== 'none' && sample.state !== 'cleared'
    const allowance =
      id === undefined && hasSample
        ? ofSample(dateOf(sample.toldAt), date)
        : ofPlan(planNamed(id ?? 'free_trial'), created, date)
    return {
      ...allowance,
      ended: hasLimits && allowance.ended,
      limited: hasLimits,
      starts: midnightOf(allowance.from, zone),
      ends: midnightOf(allowance.to, zone),
    }
  }
}

type Dated = Omit<Allowance, 'starts' | 'ends' | 'limited'>

function planNamed(id: Plan['id']): Plan {
  const found = plans.find((plan) => plan.id === id)
  if (!found) throw new Error(`there is no plan ${id}`)
  return found
}

function midnightOf(date: string, zone: string): Date {
  const moment = momentOf({ date, time: '00:00' }, zone)
  if (!moment) throw new RangeError(`${date} is no date`)
  return moment
}

const createdAt = ({ workspaceId }: WorkspaceScope) => new Date(Number.parseInt(workspaceId.slice(0, 8), 16) * 1000)

function ofPlan({ name, messages: limit, trialDays }: Plan, created: string, date: string): Dated {
  const { n, from, to } = monthWith(created, date)
  if (trialDays === undefined)
    return { period: `months/${n}`, plan: name, limit, from, to, usedBefore: 0, renews: true, ended: false }
  const end = dateAfter(created, trialDays)
  // What a trial has used counts in the first month of the plan that follows it.
  return {
    ...{ period: 'months/0', plan: name, limit, from: created, to: end },
    ...{ usedBefore: 0, renews: false, ended: date >= end },
  }
}

/** The sample is told as of a day in the middle of a period. */
function ofSample(told: string, date: string): Dated {
  const { n, from, to } = daysWith(dateAfter(told, facts.resetsInDays - facts.periodDays), facts.periodDays, date)
  return {
    ...{ period: `sample ${told}/${n}`, plan: facts.plan.name, limit: facts.creditsLimit, from, to },
    ...{ usedBefore: n === 0 ? facts.creditsUsed : 0, renews: true, ended: false },
  }
}
