import { newNumberSchema } from '@parley/contracts/channel/numbers'
import { expect, test } from 'vitest'
import { newNumberFormSchema, newNumberOf, numberSettingsSchema } from './number-form.ts'

const typed = {
  displayName: 'Chai & Co',
  country: 'IN' as const,
  number: '98765 43210',
  phoneNumberId: '109645872310041',
  businessAccountId: '102290129340398',
  accessToken: 'EAAG-a-token-that-is-long-enough',
}
const problems = (over: object) =>
  newNumberFormSchema.safeParse({ ...typed, ...over }).error?.issues.map(({ path }) => path.join('.'))

test('code and number are joined to what the contract takes', () => {
  expect(newNumberSchema.parse(newNumberOf(newNumberFormSchema.parse(typed))).phoneNumber).toBe('+919876543210')
})

test.each([
  [{}, undefined],
  [{ number: '12' }, ['number']],
  [{ number: '' }, ['number']],
  [{ country: 'SG' }, ['number']],
  [{ phoneNumberId: 'abc' }, ['phoneNumberId']],
  [{ businessAccountId: '' }, ['businessAccountId', 'businessAccountId']],
  [{ accessToken: 'short' }, ['accessToken']],
  [{ displayName: ' ' }, ['displayName']],
])('%j has the problems %j', (over, expected) => expect(problems(over)).toEqual(expected))

test('an empty access token keeps the stored one, a short one is refused', () => {
  const settings = { displayName: 'Chai & Co', isDefault: false }
  expect(numberSettingsSchema.safeParse({ ...settings, accessToken: '' }).success).toBe(true)
  expect(numberSettingsSchema.safeParse({ ...settings, accessToken: 'short' }).success).toBe(false)
})
