import { plans } from '@parley/contracts/plans'
import { billingApi, type Usage, usageApi } from '@parley/contracts/usage'
import { dateAfter } from '@parley/contracts/zoned-time'
import { daysIntoPeriod, facts } from '@parley/sample/facts'
import type { Story } from '@parley/sample/story'
import { usageByDay } from '@parley/sample/usage-by-day'
import { answer, refusal } from '../answer.ts'

/** Stands in for the messaging service in tests of the page. */
export const answers = [
  answer(usageApi.read, (_, story) => usageOf(story)),
  answer(usageApi.days, (_, story) => {
    const days = usageByDay(story.traffic).map((used, place, { length }) => ({
      date: dateAfter(dateOf(story), place + 1 - length),
      ...used,
    }))
    return isEmpty(story) ? [] : days.slice(-14)
  }),
  answer(billingApi.choosePlan, ({ body }, story) => {
    const plan = plans.find(({ id }) => id === body.plan)
    if (!plan) throw refusal('not_found', 'There is no such plan.')
    const { id: planId, name, priceMinor, messages: limit } = plan
    const { credits, messages, sample: _sample, ...usage } = usageOf(story)
    return {
      ...usage,
      plan: name,
      planId,
      price: { amount: priceMinor, currency: 'INR' },
      credits: meterOf(limit, credits.used),
      messages: meterOf(limit, messages.used),
    }
  }),
  answer(billingApi.keepPlan, (_, story) => usageOf(story)),
]

const dateOf = ({ now }: Story) => now.toISOString().slice(0, 10)
const isEmpty = ({ contacts }: Story) => contacts.size === 0
const meterOf = (limit: number, used: number) => ({ limit, used, held: 0, left: limit - used })

function usageOf(story: Story): Usage {
  const today = dateOf(story)
  const used = isEmpty(story)
    ? { credits: 0, messages: 0 }
    : { credits: facts.creditsUsed, messages: facts.messagesSent }
  return {
    plan: facts.plan.name,
    price: facts.plan.monthlyPrice,
    choosable: true,
    from: dateAfter(today, -daysIntoPeriod),
    to: dateAfter(today, facts.resetsInDays),
    endsAt: new Date(story.now.getTime() + facts.resetsInDays * 86_400_000).toISOString(),
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
