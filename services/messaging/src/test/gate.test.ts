import { messageSchema } from '@parley/contracts/inbox/messages'
import { Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<(typeof parley)['signIn']>
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
})
afterAll(() => parley.stop())

/** Causes that can write to a customer. */
const causes = messageSchema.shape.cause.shape.kind.options.filter((kind) => kind !== 'customer')

const templates: Record<string, { id: string; name: string }> = {}
beforeAll(async () => {
  for (const category of ['marketing', 'utility']) {
    const name = `offer_${category}`
    const text = { name, language: 'en', category, body: 'Good morning from all of us at the shop.' }
    const written = { ...text, buttons: [], examples: {}, accepted: ['no_way_out', 'same_text'] }
    const { body } = await ann.call('POST', '/api/templates', written)
    templates[category] = { id: body.id, name }
    await eventually(async () =>
      expect((await ann.call('GET', `/api/templates/${body.id}`)).body.status).toBe('approved'),
    )
  }
})
beforeEach(() => parley.simulator.call('/reset', {}))

let count = 0
/** A customer who has written. */
async function someone() {
  count += 1
  const from = `91981238${String(count).padStart(4, '0')}`
  const { id: waMessageId } = await parley.simulator.call('/inbound', { from, type: 'text', text: { body: 'Hi' } })
  const { contactId, conversationId } = await eventually(async () => {
    const message = await parley.database.connection.collection('messages').findOne({ waMessageId })
    expect(message).not.toBeNull()
    return { contactId: String(message?.['contactId']), conversationId: String(message?.['conversationId']) }
  })
  return { from, contactId, id: conversationId }
}
const setContact = (id: string, fields: object) =>
  parley.database.connection.collection('contacts').updateOne({ _id: new Types.ObjectId(id) }, { $set: fields })
const consented = (marketing: string) => ({ optIn: { marketing, source: 'test', at: new Date() } })

const sendTemplate = (id: string, category: string, kind: string) => {
  const { id: templateId = '', name = '' } = templates[category] ?? {}
  const content = { type: 'template' as const, templateId, name, language: 'en', text: 'Good morning', components: [] }
  return parley.services.outgoing.send(parley.scope, id, { content, cause: { kind, id: 'a'.repeat(24) } })
}
const sendText = (id: string, text: string, kind = 'member') =>
  parley.services.outgoing.send(parley.scope, id, {
    content: { type: 'text', text },
    cause: { kind, id: 'a'.repeat(24) },
  })
const shown = async (id: string, messageId: string) => {
  const { body } = await ann.call('GET', `/api/conversations/${id}/messages`)
  return body.items.find((item: { id: string }) => item.id === messageId)
}
const arrived = async (from: string): Promise<{ type: string }[]> =>
  (
    await parley.simulator.call(`/messages?phone_number_id=${parley.simulatedNumber.phoneNumberId}&to=${from}`)
  ).items.filter(({ direction }: { direction: string }) => direction === 'outbound')

test.each(causes)('%s reaches nobody who has opted out with marketing, and may still answer them', async (kind) => {
  const { from, contactId, id } = await someone()
  await setContact(contactId, consented('out'))
  const offer = await sendTemplate(id, 'marketing', kind)
  const notice = await sendTemplate(id, 'utility', kind)
  const answer = await sendText(id, 'You are welcome.', kind)
  // Messages of one conversation leave in order: the last one has, so the first one never will.
  await eventually(async () => expect(await shown(id, answer.id)).toMatchObject({ dispatch: 'accepted' }))
  expect(await shown(id, offer.id)).toMatchObject({
    dispatch: 'cancelled',
    status: 'failed',
    error: { title: 'The customer has opted out' },
  })
  expect(await shown(id, notice.id)).toMatchObject({ dispatch: 'accepted' })
  expect((await arrived(from)).map(({ type }) => type)).toEqual(['template', 'text'])
})

test('marketing needs an opt-in; once there is one, the same message may be sent again', async () => {
  const { contactId, id } = await someone()
  const offer = await sendTemplate(id, 'marketing', 'member')
  await eventually(async () =>
    expect(await shown(id, offer.id)).toMatchObject({
      dispatch: 'cancelled',
      error: { title: 'The customer has not agreed to marketing' },
    }),
  )
  await setContact(contactId, consented('in'))
  const again = await ann.call('POST', `/api/conversations/${id}/messages/${offer.id}/retry`)
  expect(again.body).toMatchObject({ message: { dispatch: 'queued' } })
  await eventually(async () => expect(await shown(id, offer.id)).toMatchObject({ dispatch: 'accepted' }))
  expect(await shown(id, offer.id)).not.toHaveProperty('error')
})

test('what was accepted before somebody was blocked, or their window closed, is judged when it leaves', async () => {
  const [blocked, closed] = [await someone(), await someone()]
  const numbers = parley.database.connection.collection('numbers')
  await numbers.updateOne(parley.inWorkspace, { $set: { stopped: { code: 190, reason: 'test', at: new Date() } } })
  const toBlocked = await sendText(blocked.id, 'one')
  const toClosed = await sendText(closed.id, 'two')
  await setContact(blocked.contactId, { blocked: true })
  await parley.database.connection
    .collection('conversations')
    .updateOne({ _id: new Types.ObjectId(closed.id) }, { $set: { windowExpiresAt: new Date(Date.now() - 1000) } })
  await numbers.updateOne(parley.inWorkspace, { $unset: { stopped: '' } })
  await eventually(async () =>
    expect(await shown(blocked.id, toBlocked.id)).toMatchObject({ error: { title: 'This contact is blocked' } }),
  )
  await eventually(async () =>
    expect(await shown(closed.id, toClosed.id)).toMatchObject({ error: { title: 'The 24-hour window is closed' } }),
  )
  expect([...(await arrived(blocked.from)), ...(await arrived(closed.from))]).toEqual([])
})

test('what a campaign sends of a paused template is held, not lost', async () => {
  const { from, contactId, id } = await someone()
  await setContact(contactId, consented('in'))
  const all = parley.database.connection.collection('templates')
  await all.updateOne({ ...parley.inWorkspace, name: 'offer_marketing' }, { $set: { status: 'paused' } })
  const offer = await sendTemplate(id, 'marketing', 'campaign')
  await eventually(async () => expect(await shown(id, offer.id)).toMatchObject({ dispatch: 'held', status: 'queued' }))
  expect(await arrived(from)).toEqual([])
  await all.updateOne({ ...parley.inWorkspace, name: 'offer_marketing' }, { $set: { status: 'approved' } })
})

test('a window that WhatsApp says is closed is closed here too, until the customer writes again', async () => {
  const { from, id } = await someone()
  // The customer wrote a minute ago.
  const earlier = { $dateSubtract: { startDate: '$windowExpiresAt', unit: 'minute', amount: 1 } }
  await parley.database.connection
    .collection('conversations')
    .updateOne({ _id: new Types.ObjectId(id) }, [{ $set: { windowExpiresAt: earlier } }])
  await parley.simulator.call('/clock', { advance: 25 * 3600_000 })
  const late = await sendText(id, 'Are you still there?')
  await eventually(async () => expect(await shown(id, late.id)).toMatchObject({ error: { code: 131047 } }))
  const refused = await ann.call('POST', `/api/conversations/${id}/messages`, { content: { type: 'text', text: 'x' } })
  expect(refused).toMatchObject({ status: 409, body: { code: 'window_closed' } })
  await parley.simulator.call('/inbound', { from, type: 'text', text: { body: 'Yes' } })
  await eventually(async () => {
    const again = await ann.call('POST', `/api/conversations/${id}/messages`, { content: { type: 'text', text: 'y' } })
    expect(again.status).toBe(201)
  })
})
