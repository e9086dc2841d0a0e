import { mostPopularPlan, plans } from '@parley/contracts/usage/plans'
import { expect, test } from 'vitest'
import { planRows, priceText } from './pricing.tsx'

test.each([
  ['Free Trial', '₹0', 'for 14 days', '1,000 messages', '1 WhatsApp number', '2 team members'],
  ['Starter', '₹999', 'per month', '25,000 messages', '1 WhatsApp number', '2 team members'],
  ['Growth', '₹2,999', 'per month', '100,000 messages', '2 WhatsApp numbers', '5 team members'],
  ['Pro', '₹5,999', 'per month', '200,000 messages', '2 WhatsApp numbers', '10 team members'],
])('%s costs %s %s and holds what the price list says', (name, amount, period, ...rows) => {
  const plan = plans.find((candidate) => candidate.name === name)
  expect(plan && priceText(plan)).toEqual({ amount, period })
  expect(plan && planRows(plan).slice(0, 3)).toEqual(rows)
})

test('every other cell of the price list is there, and Growth is the most popular plan', () => {
  expect(Object.fromEntries(plans.map(({ id, extras }) => [id, extras]))).toEqual({
    free_trial: ['Basic AI chatbot', 'Email support'],
    starter: ['AI chatbot with training', 'Priority support'],
    growth: ['Advanced AI', '24/7 support'],
    pro: ['Custom AI training', 'Advanced AI', 'Dedicated and 24/7 support'],
  })
  expect(mostPopularPlan).toBe('growth')
})
