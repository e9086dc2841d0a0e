import { usageApi } from '@parley/contracts/usage'
import { dateAfter } from '@parley/contracts/zoned-time'
import { daysIntoPeriod, facts } from '@parley/sample/facts'
import { answer } from '../answer.ts'

/** Stands in for the messaging service in tests of the page. */
export const answers = [
  answer(usageApi.read, (_, { now }) => {
    const today = now.toISOString().slice(0, 10)
    const [limit, used] = [facts.creditsLimit, facts.creditsUsed]
    return {
      ...{ plan: facts.plan.name, from: dateAfter(today, -daysIntoPeriod), to: dateAfter(today, facts.resetsInDays) },
      ...{ limit, used, held: 0, left: limit - used, renews: true, ended: false, limited: true },
    }
  }),
]
