import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const newcomer = () => parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
type Person = ReturnType<typeof newcomer>
const add = async (by: Person, name: string, phone: string, attributes: object = {}) => {
  const { status, body } = await by.call('POST', '/api/contacts', { name, phone, attributes })
  expect(status).toBe(201)
  return body.id as string
}
const suggested = async (by: Person, id: string): Promise<unknown[]> =>
  (await by.call('GET', `/api/contacts/${id}/duplicates`)).body.items.map(
    ({ contact, because }: { contact: { id: string }; because: string }) => [contact.id, because],
  )
/** Adds a customer who hides the phone number. */
async function hidden(by: Person, name: string, waUserId: string): Promise<string> {
  const person = { phone: undefined, waUserId, name, username: undefined }
  return (await parley.services.contacts.ensure({ workspaceId: by.workspaceId }, [person]))(person)
}

test('a number in two ways of writing it, an address, and the other half of a customer are suggested', async () => {
  const ann = newcomer()
  const known = await add(ann, 'Bruna Lima', '+5511987654321', { Email: 'bruna@example.com' })
  await hidden(ann, 'Someone else', 'BR.other')
  const [other, half] = [await hidden(ann, 'Bruna', 'BR.x'), await hidden(ann, 'bruna LIMA', 'BR.y')]
  const mailed = await add(ann, 'Bruna Lima', '+5521998765432', { Contact: 'Bruna@Example.com ' })
  await add(ann, 'Bruna Lima', '+5521998765433', { Email: 'another@example.com' })
  expect(await suggested(ann, known)).toEqual([
    [mailed, 'email'],
    [half, 'name'],
  ])
  expect(await suggested(ann, other)).toEqual([])
  // Contacts as they were stored before numbers of one line were recognised.
  const old = { phone: '+551187654321', waUserId: undefined, name: 'B. Lima', username: undefined }
  const scope = { workspaceId: ann.workspaceId }
  expect((await parley.services.contacts.ensure(scope, [old]))(old)).toBe(known)
  const contacts = parley.database.connection.collection('contacts')
  const stored: Record<string, unknown> = (await contacts.findOne({ _id: new Types.ObjectId(known) })) ?? {}
  const { line, waPhone, ...fields } = stored
  expect([line, waPhone]).toEqual(['+5511987654321', { of: line, number: old.phone }])
  const second = new Types.ObjectId()
  await contacts.insertOne({
    ...fields,
    _id: second,
    phone: old.phone,
    attributes: [],
    name: 'B. Lima',
    nameKey: 'b. lima',
  })
  const written = second.toHexString()
  expect((await suggested(ann, known))[0]).toEqual([written, 'phone'])
  expect(await suggested(ann, written)).toEqual([[known, 'phone']])
  await ann.call('POST', '/api/contacts/bulk', { ids: [written], action: { kind: 'delete' } })
  expect(await suggested(ann, known)).toHaveLength(2)
})

test('nobody is suggested of another workspace, and lists of namesakes go by an index', async () => {
  const [ann, ben] = [newcomer(), newcomer()]
  const known = await add(ann, 'Maria', '+525512345678')
  await add(ben, 'Maria', '+5215512345678')
  expect(await suggested(ann, known)).toEqual([])
  expect((await ben.call('GET', `/api/contacts/${known}/duplicates`)).status).toBe(404)
  await expectIndexed(parley.database.connection, () => suggested(ann, known))
})
