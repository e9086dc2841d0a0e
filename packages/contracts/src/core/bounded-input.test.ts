import { expect, test } from 'vitest'
import { completeDraftSchema } from '../campaigns/campaign-fields.ts'
import { credentialsChangeSchema } from '../channel/credentials.ts'
import { newContactSchema } from '../contacts/contacts.ts'
import { daySchema, recordKey } from './records.ts'

test.each(['9999-12-31', '2100-01-01', '1999-12-31', '0000-01-01', '2026-02-30'])('%s is no day to plan with', (day) =>
  expect(daySchema.safeParse(day).success).toBe(false),
)
test.each(['2000-01-01', '2026-03-14', '2099-12-31'])('%s is a day', (day) => expect(daySchema.parse(day)).toBe(day))

test('what a record calls its entries is nothing that a database or JavaScript takes for its own', () => {
  for (const key of ['', 'a\0b', '__proto__', 'x'.repeat(65)]) expect(recordKey.safeParse(key).success).toBe(false)
  for (const key of ['city', 'a.b', '$set', 'constructor']) expect(recordKey.parse(key)).toBe(key)
  const variables = JSON.parse('{"__proto__": {"kind": "text", "text": "x"}}')
  expect(Object.keys(completeDraftSchema.shape.variables.parse(variables))).toEqual([])
})

test('a contact carries so many fields and no more', () => {
  const withFields = (count: number) => ({
    name: 'Mira',
    phone: '+919811100001',
    attributes: Object.fromEntries(Array.from({ length: count }, (_, at) => [`field ${at}`, 'x'])),
  })
  expect(newContactSchema.safeParse(withFields(200)).success).toBe(true)
  expect(newContactSchema.safeParse(withFields(201)).success).toBe(false)
})

test('what comes along with a pasted token and nobody sees is no part of it', () => {
  const token = 'EAAGm0PX4ZCpsBAKZBZC'
  const ids = { phoneNumberId: '106540352242922\u200b', businessAccountId: '\ufeff102290129340398 ' }
  const pasted = {
    ...ids,
    accessToken: `\u200b${token.slice(0, 9)}\n${token.slice(9)}\u00a0`,
    appSecret: '0123456789abcdef\u2060',
  }
  expect(credentialsChangeSchema.parse(pasted)).toEqual({
    phoneNumberId: '106540352242922',
    businessAccountId: '102290129340398',
    accessToken: token,
    appSecret: '0123456789abcdef',
  })
  expect(credentialsChangeSchema.safeParse({ ...pasted, accessToken: `${token}é` }).success).toBe(false)
})
