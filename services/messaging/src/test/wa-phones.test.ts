import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<(typeof parley)['signIn']>
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
})
afterAll(() => parley.stop())

const rows = (name: string, filter: object) =>
  parley.database.connection
    .collection(name)
    .find({ ...parley.inWorkspace, ...filter })
    .toArray()

/** Adds a contact by hand, to whom any message may be sent. */
async function known(phone: string) {
  const { id } = await ann.ask('POST', '/api/contacts', { name: `Of ${phone}`, phone, attributes: {} })
  const pair = { numberId: parley.number.id, contactId: id }
  const ids = await parley.services.conversations.ensure(parley.scope, [pair])
  const conversationId = ids.get(`${pair.numberId}/${id}`) ?? ''
  await parley.database.connection
    .collection('conversations')
    .updateOne(
      { _id: new Types.ObjectId(conversationId) },
      { $set: { windowExpiresAt: new Date(Date.now() + 3600_000) } },
    )
  return { id: String(id), conversationId }
}
const send = async (conversationId: string, text: string) => {
  const cause = { kind: 'member', id: 'a'.repeat(24) }
  const { id } = await parley.services.outgoing.send(parley.scope, conversationId, {
    content: { type: 'text', text },
    cause,
  })
  await eventually(async () => {
    const [message] = await rows('messages', { _id: new Types.ObjectId(id) })
    expect(message).toMatchObject({ dispatch: { state: 'accepted' } })
  })
}
/** Sends a customer's message from the phone. @returns contact and conversation. */
async function hear(from: string) {
  const { id } = await parley.simulator.call('/inbound', { from, name: 'A name', type: 'text', text: { body: 'Hi' } })
  return eventually(async () => {
    const [message] = await rows('messages', { waMessageId: id })
    expect(message).toBeDefined()
    return { id: String(message?.['contactId']), conversationId: String(message?.['conversationId']) }
  })
}
const stored = async (id: string): Promise<Record<string, unknown>> =>
  (await rows('contacts', { _id: new Types.ObjectId(id) }))[0] ?? {}

const forms = [
  { of: 'Brazil', phone: '+5511987654321', from: '551187654321' },
  { of: 'Mexico', phone: '+5215512345678', from: '525512345678' },
  { of: 'Argentina', phone: '+5491123456789', from: '541123456789' },
  { of: 'the simulator', phone: '+919812000777', from: '91812000777' },
]

test.each(forms)(
  'an answer from a number that WhatsApp knows by another form ($of) comes to whom it answers',
  async ({ phone, from }) => {
    const person = await known(phone)
    await send(person.conversationId, 'Are you there?')
    expect(await hear(from)).toEqual(person)
    expect(await rows('contacts', { phone: `+${from}` })).toEqual([])
    expect(await stored(person.id)).toMatchObject({ phone, waPhone: { of: phone, number: `+${from}` } })
    // The number is stored once, and not written again with each message.
    const version = (await stored(person.id))['version']
    await send(person.conversationId, 'Good.')
    expect(await stored(person.id)).toMatchObject({ version })
  },
)

test('a number that is its own form is not stored twice', async () => {
  const person = await known('+491701234567')
  await send(person.conversationId, 'Hello')
  expect(await stored(person.id)).not.toHaveProperty('waPhone')
})

test('whoever takes another number is no longer known by the form of the old one', async () => {
  const [first, from] = [await known('+5511987650001'), '551187650001']
  await send(first.conversationId, 'Hello')
  await ann.ask('PATCH', `/api/contacts/${first.id}`, {
    phone: '+491701230001',
    version: (await stored(first.id))['version'],
  })
  const second = await known('+5511987650001')
  await send(second.conversationId, 'Hello')
  expect(await hear(from)).toEqual(second)
})

test('a merge hands on by which form a number is known, and its undo takes it back', async () => {
  const other = await known('+5511987650002')
  await send(other.conversationId, 'Hello')
  const person = { phone: undefined, waUserId: 'BR.4711', name: 'Bia', username: undefined }
  const kept = (await parley.services.contacts.ensure(parley.scope, [person]))(person)
  const versions = { version: (await stored(kept))['version'], otherVersion: (await stored(other.id))['version'] }
  const taken = { name: false, account: false, attributes: [] }
  await ann.ask('POST', `/api/contacts/${kept}/merge`, { otherId: other.id, taken, ...versions })
  expect((await hear('551187650002')).id).toBe(kept)
  await ann.ask('POST', `/api/contacts/${kept}/unmerge`, { otherId: other.id })
  expect((await hear('551187650002')).id).toBe(other.id)
})

test('somebody who has written under that form before is another contact, and suggested as a duplicate', async () => {
  const written = await hear('91813000777')
  const typed = await known('+919813000777')
  await send(typed.conversationId, 'Hello')
  expect(await hear('91813000777')).toEqual(written)
  const suggested = async (id: string) => (await ann.ask('GET', `/api/contacts/${id}/duplicates`)).items
  expect(await suggested(typed.id)).toMatchObject([{ contact: { id: written.id }, because: 'phone' }])
  expect(await suggested(written.id)).toMatchObject([{ contact: { id: typed.id }, because: 'phone' }])
  await expectIndexed(parley.database.connection, () => suggested(written.id))
})
