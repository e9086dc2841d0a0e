import { expect, test } from 'vitest'
import { fullerMeter, quotaProblem, templateProblem, tighterMeter, type Usage, usedPercent } from './usage.ts'

const meter = { limit: 25_000, used: 23_000, held: 1_500, left: 500 }
const usage: Usage = {
  plan: 'Starter',
  planId: 'starter',
  price: { amount: 999_00, currency: 'INR' },
  choosable: false,
  from: '2026-11-09',
  to: '2026-12-09',
  endsAt: '2026-12-08T18:30:00Z',
  renews: true,
  ended: false,
  limited: true,
  credits: meter,
  messages: meter,
}
const withLeft = (left: number): Pick<Usage, 'credits' | 'messages'> => ({
  credits: { ...meter, left },
  messages: { ...meter, left },
})
const otherPlan = 'ask Parley’s support for another plan: Settings, Billing lists them.'

test('what does not fit is told with what is left, until when, and what to do', () => {
  expect(quotaProblem(usage, 501)).toBe(
    `This campaign needs 501 credits, and 500 of 25,000 are left until Dec 9, 2026. Choose fewer contacts, wait until then, or ${otherPlan}`,
  )
  expect(quotaProblem({ ...usage, ...withLeft(0), renews: false }, 1)).toBe(
    `This campaign needs 1 credit, and 0 of 25,000 are left until Dec 9, 2026. Choose fewer contacts, or ${otherPlan}`,
  )
  expect(quotaProblem({ ...usage, ...withLeft(0), ended: true }, 1)).toBe(
    `The free trial ended on Dec 9, 2026. To send campaigns, ${otherPlan}`,
  )
})

test('the meter that is used up first is the one that is named', () => {
  const fewer = { ...usage, messages: { ...meter, limit: 10_000, left: 400 } }
  expect(tighterMeter(fewer)).toBe('messages')
  expect(quotaProblem({ ...fewer, choosable: true }, 450)).toBe(
    'This campaign needs 450 messages, and 400 of 10,000 are left until Dec 9, 2026. Choose fewer contacts, wait until then, or ask the owner to choose a larger plan in Settings, Billing.',
  )
  expect(tighterMeter({ ...usage, credits: { ...meter, left: 499 } })).toBe('credits')
})

test('the last credit fits, and who needs none always does', () => {
  expect([quotaProblem(usage, 500), quotaProblem({ ...usage, ...withLeft(0), ended: true }, 0)]).toEqual([
    undefined,
    undefined,
  ])
})

test('a single template is refused once nothing is left, with what campaigns hold, and never without limits', () => {
  const full = { ...usage, ...withLeft(0) }
  expect([templateProblem(usage), templateProblem({ ...full, limited: false })]).toEqual([undefined, undefined])
  expect(templateProblem(full)).toBe(
    `All 25,000 credits in your plan until Dec 9, 2026 are used up, 1,500 of them held by campaigns that are being sent. You can still send one template to contacts who wrote in the last 7 days. This contact did not, or already got it. To send another, wait until then, or ${otherPlan}`,
  )
  expect(templateProblem({ ...full, ended: true, renews: false })).toMatch(/^The free trial ended on Dec 9, 2026\. /)
})

test('how near the limit is does not count what the sample data says to have used', () => {
  const sample = { credits: meter.used, messages: meter.used - 100 }
  expect(usedPercent({ ...usage, sample })).toBeCloseTo((100 / meter.limit) * 100)
  expect(fullerMeter({ ...usage, sample })).toMatchObject({ name: 'messages', used: 100 })
})

test('how near the limit is follows from the meter that is fuller, and from the end of a trial', () => {
  expect(usedPercent(usage)).toBe(92)
  expect(usedPercent({ ...usage, messages: { ...meter, limit: 24_000 } })).toBeCloseTo(95.83)
  expect(fullerMeter({ ...usage, messages: { ...meter, used: 100 } })).toMatchObject({ name: 'credits', percent: 92 })
  expect([usedPercent({ ...usage, ended: true }), usedPercent({ ...usage, limited: false })]).toEqual([100, 0])
})
