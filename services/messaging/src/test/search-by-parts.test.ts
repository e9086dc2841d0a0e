import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const people = [
  ['王小明', '+919876500042'],
  ['สมชาย ใจดี', '+919876042111'],
  ['山田太郎', '+919800742100'],
  ['Asha Rao', '+914219876007'],
  ['Meera', '+919876543210'],
] as const

async function workspaceOf() {
  const ann = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  for (const [name, phone] of people)
    expect((await ann.call('POST', '/api/contacts', { name, phone })).status).toBe(201)
  const found = async (q: string): Promise<string[]> => {
    const { body } = await ann.call('GET', `/api/contacts?sort=name&q=${encodeURIComponent(q)}`)
    expect(body.total).toBe(body.items.length)
    return body.items.map(({ name }: { name: string }) => name).sort()
  }
  return { ann, found }
}

/** Finds all whose number holds these digits. */
const holding = (digits: string) =>
  people
    .filter(([, phone]) => phone.includes(digits))
    .map(([name]) => name as string)
    .sort()

const searches = ['0042', '042', '007', '042111', '210', '876', '9876', '421987', '42100']
const parts = [
  ['小明', '王小明'],
  ['明', '王小明'],
  ['ชาย', 'สมชาย ใจดี'],
  ['太郎', '山田太郎'],
  ['rao', 'Asha Rao'],
] as const

test('digits are found wherever they stand in a number, zeros among them; a national number without its zero', async () => {
  const { found } = await workspaceOf()
  for (const digits of searches) expect(await found(digits)).toEqual(holding(digits))
  for (const whole of ['09876543210', '0091 98765 43210', '+91 98765 43210', '(0)98765-43210'])
    expect(await found(whole)).toEqual(['Meera'])
})

test('names that are written without spaces are found by any part, others by the beginnings of their words', async () => {
  const { found } = await workspaceOf()
  for (const [part, name] of parts) expect(await found(part)).toEqual([name])
  expect(await found('ao')).toEqual([])
})
