import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<typeof parley.signIn>
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
})
afterAll(() => parley.stop())

const write = (phone: string, body: string) =>
  parley.simulator.call('/inbound', { from: phone, name: `Of ${phone}`, type: 'text', text: { body } })
/** The contact and conversation of a customer who has just written. */
async function customer(phone: string) {
  await write(phone, 'Hi')
  return eventually(async () => {
    const [conversation] = (await ann.call('GET', `/api/conversations?q=${phone}`)).body.items
    expect(conversation?.lastMessage.text).toBe('Hi')
    return { id: conversation.contact.id as string, conversationId: conversation.id as string }
  })
}
const read = async (id: string) => (await ann.call('GET', `/api/contacts/${id}`)).body
const setBlocked = (id: string, blocked: boolean, by = ann) =>
  by.call('PUT', `/api/contacts/${id}/blocked`, { blocked })
const texts = async (conversationId: string): Promise<string[]> =>
  (await ann.call('GET', `/api/conversations/${conversationId}/messages`)).body.items.map(
    ({ content }: { content: { text: string } }) => content.text,
  )
/** Returns the customers whom WhatsApp blocks for the number. */
async function blockedThere(): Promise<string[]> {
  const { phoneNumberId, accessToken } = parley.simulatedNumber
  const answer = await fetch(`${parley.simulator.url}/v26.0/${phoneNumberId}/block_users`, {
    headers: { authorization: `Bearer ${accessToken}` },
  })
  return ((await answer.json()) as { data: { wa_id: string }[] }).data.map(({ wa_id }) => wa_id)
}

test('whoever is blocked gets nothing and, at WhatsApp too, is not heard until unblocked', async () => {
  const { id, conversationId } = await customer('919812350001')
  expect((await setBlocked(id, true)).body).toMatchObject({ id, blocked: true })
  await eventually(async () => expect(await read(id)).toMatchObject({ blocked: true, blockedAtWhatsApp: true }))
  expect(await blockedThere()).toContain('919812350001')
  const refused = await ann.call('POST', `/api/conversations/${conversationId}/messages`, {
    content: { type: 'text', text: 'Hello' },
  })
  expect([refused.status, refused.body.code]).toEqual([409, 'wrong_state'])
  await write('919812350001', 'Do you hear me?')

  expect((await setBlocked(id, false)).body).toMatchObject({ blocked: false })
  await eventually(async () => expect(await blockedThere()).not.toContain('919812350001'))
  await write('919812350001', 'And now?')
  await eventually(async () => expect(await texts(conversationId)).toEqual(['Hi', 'And now?']))
  expect(await read(id)).not.toHaveProperty('blockedAtWhatsApp')
})

test('whom WhatsApp does not block yet, since they have not written lately, it blocks with their next message', async () => {
  const { body: contact } = await ann.call('POST', '/api/contacts', { name: 'Quiet', phone: '+919812350002' })
  await setBlocked(contact.id, true)
  await parley.database.connection
    .collection('jobs')
    .findOne({ kind: 'contact-block', 'input.contactId': contact.id })
    .then((job) => expect(job).toBeTruthy())
  expect(await blockedThere()).not.toContain('919812350002')
  await write('919812350002', 'Hello?')
  await eventually(async () => expect(await blockedThere()).toContain('919812350002'))
  await eventually(async () => expect(await read(contact.id)).toMatchObject({ blockedAtWhatsApp: true }))
})

test('blocked and unblocked in a hurry, WhatsApp ends up with what holds', async () => {
  const { id } = await customer('919812350003')
  for (const blocked of [true, false, true, false]) expect((await setBlocked(id, blocked)).status).toBe(200)
  const jobs = parley.database.connection.collection('jobs')
  await eventually(async () =>
    expect(await jobs.countDocuments({ 'input.contactId': id, leaseEndsAt: { $exists: true } })).toBe(0),
  )
  expect(await blockedThere()).not.toContain('919812350003')
  expect(await read(id)).toMatchObject({ blocked: false })
})

test('nobody blocks contacts of another workspace, nor without the permission', async () => {
  const { id } = await customer('919812350004')
  const eve = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await setBlocked(id, true, eve)).status).toBe(404)
  expect((await setBlocked('guessed', true)).status).toBe(404)
  expect((await setBlocked(id, true, parley.signIn({ role: 'viewer' }))).status).toBe(403)
  expect(await read(id)).toMatchObject({ blocked: false })
})
