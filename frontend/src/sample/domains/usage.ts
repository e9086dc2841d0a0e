import { dateAfter } from '@parley/contracts/core/zoned-time'
import { plans } from '@parley/contracts/usage/plans'
import { billingApi, type Usage, usageApi } from '@parley/contracts/usage/usage'
import { daysIntoPeriod, facts } from '@parley/sample/facts'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import { usageByDay } from '@parley/sample/usage-by-day'
import { answer, refusal } from '../answer.ts'

/** Stands in for the messaging service in tests of the page. */
export const answers = [
  answer(usageApi.read, (_, sampleDataset) => usageOf(sampleDataset)),
  answer(usageApi.days, (_, sampleDataset) => {
    const days = usageByDay(sampleDataset.traffic).map((used, place, { length }) => ({
      date: dateAfter(dateOf(sampleDataset), place + 1 - length),
      ...used,
    }))
    return isEmpty(sampleDataset) ? [] : days.slice(-14)
  }),
  answer(billingApi.choosePlan, ({ body }, sampleDataset) => {
    const plan = plans.find(({ id }) => id === body.plan)
    if (!plan) throw refusal('not_found', 'There is no such plan.')
    const { id: planId, name, priceMinor, messages: limit } = plan
    const { credits, messages, sample: _sample, ...usage } = usageOf(sampleDataset)
    return {
      ...usage,
      plan: name,
      planId,
      price: { amount: priceMinor, currency: 'INR' },
      credits: meterOf(limit, credits.used),
      messages: meterOf(limit, messages.used),
    }
  }),
  answer(billingApi.keepPlan, (_, sampleDataset) => usageOf(sampleDataset)),
]

const dateOf = ({ now }: SampleDataset) => now.toISOString().slice(0, 10)
const isEmpty = ({ contacts }: SampleDataset) => contacts.size === 0
const meterOf = (limit: number, used: number) => ({ limit, used, held: 0, left: limit - used })

function usageOf(sampleDataset: SampleDataset): Usage {
  const today = dateOf(sampleDataset)
  const used = isEmpty(sampleDataset)
    ? { credits: 0, messages: 0 }
    : { credits: facts.creditsUsed, messages: facts.messagesSent }
  return {
    plan: facts.plan.name,
    price: facts.plan.monthlyPrice,
    choosable: true,
    from: dateAfter(today, -daysIntoPeriod),
    to: dateAfter(today, facts.resetsInDays),
    endsAt: new Date(sampleDataset.now.getTime() + facts.resetsInDays * 86_400_000).toISOString(),
    credits: meterOf(facts.creditsLimit, used.credits),
    messages: meterOf(facts.messagesQuota, used.messages),
    renews: true,
    ended: false,
    limited: true,
    sample: {
      ...used,
      ownPlan: { id: 'free_trial', name: 'Free Trial', to: dateAfter(today, 14), ended: false },
    },
  }
}
