import { facts } from '@parley/sample/facts'
import { expect, test } from 'vitest'
import { priceText } from './billing-labels.ts'
import { accountSchema, credentialsSchema, passwordSchema } from './forms.ts'

const messages = (result: { error?: { issues: { message: string }[] } | undefined }) =>
  result.error?.issues.map(({ message }) => message)

test.each([
  [{ current: 'old', next: 'secret1', confirmation: 'secret1' }, undefined],
  [{ current: 'old', next: 'abc', confirmation: 'abd' }, ['Passwords do not match']],
  [{ current: 'old', next: 'abc', confirmation: 'abc' }, ['Password must be at least 6 characters']],
  [{ current: '', next: 'abc', confirmation: 'abd' }, ['Enter your current password', 'Passwords do not match']],
])('%j is told %j', (form, expected) => expect(messages(passwordSchema.safeParse(form))).toEqual(expected))

test('the account needs a name; address and number are those that can exist, or none', () => {
  const account = { name: 'Chai & Co', email: 'hello@chaiandco.example', country: 'IN', number: '80 4123 4567' }
  expect(accountSchema.safeParse(account).success).toBe(true)
  expect(accountSchema.safeParse({ ...account, email: '', number: '' }).success).toBe(true)
  expect(accountSchema.safeParse({ ...account, name: ' ' }).success).toBe(false)
  expect(accountSchema.safeParse({ ...account, number: '12' }).success).toBe(false)
  expect(accountSchema.safeParse({ ...account, email: 'hello' }).success).toBe(false)
})

test('credentials obey the rules of a number', () => {
  expect(
    credentialsSchema.safeParse({ phoneNumberId: 'x', businessAccountId: '1', accessToken: 'x', appSecret: '' }).error
      ?.issues,
  ).toHaveLength(3)
})

test('the price reads alike in dollars and in rupees', () => {
  expect(priceText(facts.plan.monthlyPrice)).toBe('$99/month')
  expect(priceText({ amount: 2_999_00, currency: 'INR' })).toBe('₹2,999/month')
})
