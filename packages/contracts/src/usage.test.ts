import { expect, test } from 'vitest'
import { quotaProblem, type Usage } from './usage.ts'

const usage: Usage = {
  ...{
    plan: 'Starter',
    from: '2026-11-09',
    to: '2026-12-09',
    limit: 25_000,
    used: 23_000,
    held: 1_500,
    left: 500,
    limited: true,
  },
  ...{ renews: true, ended: false },
}
const otherPlan = 'ask Parley’s support for another plan: Settings, Billing lists them.'

test('what does not fit is told with what is left, until when, and what to do', () => {
  expect(quotaProblem(usage, 501)).toBe(
    `This campaign needs 501 credits, and 500 of 25,000 are left until Dec 9, 2026. Choose fewer contacts, wait until then, or ${otherPlan}`,
  )
  expect(quotaProblem({ ...usage, left: 0, renews: false }, 1)).toBe(
    `This campaign needs 1 credit, and 0 of 25,000 are left until Dec 9, 2026. Choose fewer contacts, or ${otherPlan}`,
  )
  expect(quotaProblem({ ...usage, left: 0, ended: true }, 1)).toBe(
    `The free trial ended on Dec 9, 2026. To send campaigns, ${otherPlan}`,
  )
})

test('the last credit fits, and who needs none always does', () => {
  expect([quotaProblem(usage, 500), quotaProblem({ ...usage, left: 0, ended: true }, 0)]).toEqual([
    undefined,
    undefined,
  ])
})
