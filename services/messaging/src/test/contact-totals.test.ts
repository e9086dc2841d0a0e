import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addContacts } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

// The test writes tens of thousands of contacts.
vi.setConfig({ testTimeout: 240_000 })

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

test('where too many match to be counted a total says that it is about so many, and is', async () => {
  const ann = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  const { connection } = parley.database
  await addContacts(connection, ann, { count: 44_000, firstPhone: 917_000_000_000, tags: ['lead'] })
  const contacts = connection.collection('contacts')
  const workspaceId = new Types.ObjectId(ann.workspaceId)
  const recent = { $set: { lastContactAt: new Date() } }
  // Every second one matches, whatever the order of the list.
  await contacts.updateMany({ workspaceId, phone: /[02468]$/ }, recent)
  const list = async (query: string) => (await ann.call('GET', `/api/contacts?${query}`)).body
  for (const sort of ['last_contact', 'name', 'newest']) {
    const { items, total, approximate } = await list(`sort=${sort}&tags=lead&lastContact=7d`)
    expect(items.map(({ phone }: { phone: string }) => Number(phone.at(-1)) % 2)).toEqual(items.map(() => 0))
    expect(items).toHaveLength(25)
    expect(approximate, sort).toBe(true)
    expect(total, sort).toBeGreaterThan(20_000)
    expect(total, sort).toBeLessThan(24_000)
  }
  // As few as these are counted.
  await contacts.updateMany({ workspaceId, phone: /77[02468]$/ }, { $push: Object({ tags: 'vip' }) })
  const few = await list('tags=vip&lastContact=7d')
  expect(few).toMatchObject({ total: 220 })
  expect(few).not.toHaveProperty('approximate')
})
