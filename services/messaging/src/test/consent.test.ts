import { messageSchema } from '@parley/contracts/inbox/messages'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<(typeof parley)['signIn']>
let template: { id: string; name: string }

beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
  const content = { name: 'offer', language: 'en', category: 'marketing', body: 'Good morning from all at the shop.' }
  const { body } = await ann.call('POST', '/api/templates', {
    ...content,
    buttons: [],
    examples: {},
    accepted: ['no_way_out'],
  })
  template = { id: body.id, name: 'offer' }
  await eventually(async () =>
    expect((await ann.call('GET', `/api/templates/${body.id}`)).body.status).toBe('approved'),
  )
})
afterAll(() => parley.stop())

let count = 0
/** WhatsApp's times have whole seconds: of two messages the later one gets a later second. */
let lastSecond = Math.floor(Date.now() / 1000)
const collection = (name: string) => parley.database.connection.collection(name)
/** A customer writes, and it is in the inbox. */
async function write(from: string, body: string) {
  lastSecond = Math.max(lastSecond + 1, Math.floor(Date.now() / 1000))
  const message = { from, type: 'text', text: { body }, at: lastSecond * 1000 }
  const { id: waMessageId } = await parley.simulator.call('/inbound', message)
  return eventually(async () => {
    const message = await collection('messages').findOne({ waMessageId })
    expect(message).not.toBeNull()
    return { contactId: String(message?.['contactId']), id: String(message?.['conversationId']) }
  })
}
async function someone() {
  count += 1
  const from = `91981239${String(count).padStart(4, '0')}`
  return { from, ...(await write(from, 'Hi')) }
}
const contact = async (id: string) => (await ann.call('GET', `/api/contacts/${id}`)).body
const history = async (id: string) => (await ann.call('GET', `/api/contacts/${id}/consent`)).body.items
const recordConsent = (id: string, value: 'in' | 'out', note = 'On the phone.', category = 'marketing') =>
  ann.call('POST', `/api/contacts/${id}/consent`, { category, value, note })
const offer = (id: string, kind: string) =>
  parley.services.outgoing.send(parley.scope, id, {
    content: { type: 'template', templateId: template.id, name: 'offer', language: 'en', text: 'Hi', components: [] },
    cause: { kind, id: 'a'.repeat(24) },
  })
const thread = async (id: string) => (await ann.call('GET', `/api/conversations/${id}/messages`)).body.items
const ended = (id: string, messageId: string) =>
  eventually(async () => {
    const message = (await thread(id)).find((message: { id: string }) => message.id === messageId)
    expect(message.dispatch).toMatch(/^(accepted|cancelled)$/)
    return message
  })
const offersTo = async (from: string) =>
  (
    await parley.simulator.call(`/messages?phone_number_id=${parley.simulatedNumber.phoneNumberId}&to=${from}`)
  ).items.filter(({ type }: { type: string }) => type === 'template')

/** All causes of messages to a customer: a new one is tested as soon as it exists. */
const causes = messageSchema.shape.cause.shape.kind.options.filter((kind) => kind !== 'customer')

test.each(causes)(
  'after STOP no marketing leaves by way of %s, until START',
  async (kind) => {
    const { from, contactId, id } = await someone()
    expect((await recordConsent(contactId, 'in')).status).toBe(201)
    expect(await ended(id, (await offer(id, kind)).id)).toMatchObject({ dispatch: 'accepted' })
    // They were accepted before STOP, and are about to leave after it.
    await collection('numbers').updateOne(parley.inWorkspace, {
      $set: { stopped: { code: 190, reason: 'test', at: new Date() } },
    })
    const waiting = await offer(id, kind)
    await write(from, 'stop!')
    await collection('numbers').updateOne(parley.inWorkspace, { $unset: { stopped: '' } })
    const refused = { dispatch: 'cancelled', error: { title: 'The customer has opted out' } }
    const later = await offer(id, kind)
    expect(await ended(id, waiting.id)).toMatchObject(refused)
    expect(await ended(id, later.id)).toMatchObject(refused)
    expect(await offersTo(from)).toHaveLength(1)
    await write(from, 'Start')
    expect(await ended(id, (await offer(id, kind)).id)).toMatchObject({ dispatch: 'accepted' })
  },
  180_000,
)

test('a word is confirmed once and stands in the inbox; a sentence with it is no word', async () => {
  const { from, contactId, id } = await someone()
  await write(from, 'I will stop by the shop')
  expect(await contact(contactId)).toMatchObject({ optIn: { marketing: 'unknown' } })
  await write(from, 'STOP')
  expect(await contact(contactId)).toMatchObject({ optIn: { marketing: 'out', source: 'keyword' } })
  await eventually(async () => {
    const texts = (await thread(id)).map(({ content }: { content: { text: string } }) => content.text)
    expect(texts.toSorted()).toEqual(['Hi', 'I will stop by the shop', 'STOP', expect.stringContaining('Write START')])
  })
  expect(await history(contactId)).toMatchObject([{ value: 'out', source: 'keyword', note: 'STOP' }])
})

test('STOP ALL ends notices too', async () => {
  const { from, contactId } = await someone()
  await write(from, 'Stop all')
  const entries = await history(contactId)
  expect(entries.map(({ category }: { category: string }) => category).toSorted()).toEqual(['marketing', 'utility'])
  expect(await collection('contacts').findOne({ _id: new Types.ObjectId(contactId) })).toMatchObject({
    utilityConsent: { value: 'out' },
  })
})

test('WhatsApp’s own refusal is an opt-out, and a member who was told otherwise may record it', async () => {
  const from = '919812131050'
  const { contactId, id } = await write(from, 'Hi')
  await recordConsent(contactId, 'in')
  await offer(id, 'member')
  await eventually(async () => expect(await contact(contactId)).toMatchObject({ optIn: { marketing: 'out' } }))
  await eventually(async () =>
    expect((await history(contactId)).map(({ source }: { source: string }) => source)).toContain('platform_error'),
  )
  expect((await recordConsent(contactId, 'in', '')).body.fields).toEqual({ note: expect.any(String) })
  // In the second of the refusal the refusal counts.
  await eventually(async () => {
    const { body } = await recordConsent(contactId, 'in', 'She asked for offers again.')
    expect(body).toMatchObject({ source: 'agent', memberId: ann.userId, note: 'She asked for offers again.' })
    expect(await contact(contactId)).toMatchObject({ optIn: { marketing: 'in', source: 'agent' } })
  })
})

test('an opt-out survives the deletion of its contact: whoever comes back by a list gets no marketing', async () => {
  const { from, contactId, id } = await someone()
  await write(from, 'STOP')
  // The contact was purged for good, then added again as one who has agreed.
  await collection('contacts').deleteOne({ _id: new Types.ObjectId(contactId) })
  const phone = `+${from}`
  const { body: again } = await ann.call('POST', '/api/contacts', { name: 'Back', phone, tags: [], attributes: {} })
  expect(again.optIn).toMatchObject({ marketing: 'out', source: 'suppression' })
  expect(await history(again.id)).toMatchObject([{ value: 'out', source: 'suppression' }])
  await collection('contacts').updateOne(
    { _id: new Types.ObjectId(again.id) },
    { $set: { optIn: { marketing: 'in', source: 'import', at: new Date() } } },
  )
  await collection('conversations').updateOne(
    { _id: new Types.ObjectId(id) },
    { $set: { contactId: new Types.ObjectId(again.id) } },
  )
  expect(await ended(id, (await offer(id, 'campaign')).id)).toMatchObject({
    dispatch: 'cancelled',
    error: { title: 'The customer has opted out' },
  })
  expect(JSON.stringify(await collection('suppressions').find().toArray())).not.toContain(from)
  // Within the second in which the contact was added, as opted out, the opt-out would count.
  lastSecond = Math.max(lastSecond, Math.floor(Date.now() / 1000))
  await write(from, 'START')
  expect(await ended(id, (await offer(id, 'campaign')).id)).toMatchObject({ dispatch: 'accepted' })
})

test('what lists have set is part of the history, and no list lifts what the customer has said', async () => {
  const { from, contactId } = await someone()
  const listed = (marketing: string) =>
    collection('contacts').updateOne(
      { _id: new Types.ObjectId(contactId) },
      { $set: { optIn: { marketing, source: 'import: fair', at: new Date() } } },
    )
  await listed('in')
  expect(await history(contactId)).toMatchObject([{ source: 'import', value: 'in' }])
  await recordConsent(contactId, 'in', 'Yes.')
  await listed('out')
  await write(from, 'STOP')
  expect(await contact(contactId)).toMatchObject({ optIn: { marketing: 'out', source: 'keyword' } })
  const sources = (await history(contactId)).map(({ source }: { source: string }) => source)
  expect(sources.toSorted()).toEqual(['agent', 'import', 'import', 'keyword'])
  const file = `Name,Phone,Opt-in\nAgain,+${from},yes\n`
  const answer = await fetch(`${parley.server.url}/api/imports?name=again.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await ann.token()}`, 'content-type': 'text/csv' },
    body: file,
  })
  const body = JSON.parse(await answer.text())
  await ann.call('POST', `/api/imports/${body.id}/check`)
  const state = async () => (await ann.call('GET', `/api/imports/${body.id}`)).body.state
  await eventually(async () => expect(await state()).toBe('checked'))
  await ann.call('POST', `/api/imports/${body.id}/run`)
  await eventually(async () => expect(await state()).toBe('done'))
  const { items } = (await ann.call('GET', `/api/imports/${body.id}/rows`)).body
  expect(items).toMatchObject([{ reason: expect.stringContaining('Kept opted out') }])
  expect(await contact(contactId)).toMatchObject({ optIn: { marketing: 'out' } })
})

/** Returns the categories for which an address has opted out, whatever contact it belongs to. */
const suppressed = async (phone: string) => {
  const isSuppressed = await parley.services.listConsent.suppressions(parley.scope, [{ phone, waUserId: undefined }])
  return (['marketing', 'utility'] as const).filter((category) =>
    isSuppressed({ phone, waUserId: undefined }, category),
  )
}

test('what is said about notices, or was said before, lifts no opt-out of the address from marketing', async () => {
  const { from, contactId } = await someone()
  const phone = `+${from}`
  expect((await recordConsent(contactId, 'in')).status).toBe(201)
  // The number opted out as another contact, which is gone.
  await parley.services.consent.forget(
    parley.scope,
    {
      ...((await parley.services.contacts.read(parley.scope, contactId)) ?? expect.fail()),
      optIn: { marketing: 'out', source: 'keyword', at: new Date() },
      utilityConsent: undefined,
    },
    { session: undefined as never, emit: () => undefined, send: () => undefined },
  )
  expect(await suppressed(phone)).toEqual(['marketing'])
  expect((await recordConsent(contactId, 'in', 'Wants notices.', 'utility')).status).toBe(201)
  expect(await suppressed(phone)).toEqual(['marketing'])
  // It is reported late: it was stated before they opted out.
  const old = { contactId, category: 'marketing' as const, value: 'in' as const, source: 'platform' as const }
  const at = new Date(Date.now() - 86_400_000)
  const { database, services } = parley
  const recorded = (entry: object, key: string) =>
    database.connection.transaction((session) =>
      services.consent.record(parley.scope, [{ ...old, at, key, ...entry }], {
        session,
        emit: () => undefined,
        send: () => undefined,
      }),
    )
  await recorded({}, `test:${contactId}:old`)
  expect(await suppressed(phone)).toEqual(['marketing'])
  await recorded({ at: new Date(Date.now() + 5000), source: 'api' }, `test:${contactId}:api`)
  expect(await suppressed(phone)).toEqual(['marketing'])
  await recorded({ at: new Date(Date.now() + 10_000) }, `test:${contactId}:new`)
  expect(await suppressed(phone)).toEqual([])
})

test('a contact that is given the number of somebody who has opted out has opted out', async () => {
  const { from, contactId: gone } = await someone()
  await write(from, 'STOP')
  await collection('contacts').deleteOne({ _id: new Types.ObjectId(gone) })
  const { contactId } = await someone()
  expect((await recordConsent(contactId, 'in')).status).toBe(201)
  const before = await contact(contactId)
  const { version } = before
  const saved = await ann.call('PATCH', `/api/contacts/${contactId}`, { version, phone: `+${from}` })
  expect(saved.body).toMatchObject({ phone: `+${from}`, optIn: { marketing: 'out' } })
  expect(await history(contactId)).toMatchObject([{ value: 'out', source: 'suppression' }, { value: 'in' }])
  // The same once more adds nothing.
  await ann.call('PATCH', `/api/contacts/${contactId}`, { version: saved.body.version, name: 'Asha Rao' })
  expect(await history(contactId)).toHaveLength(2)
})

test('words, answers and the rule are the workspace’s own; two people do not overwrite each other', async () => {
  const { body: before } = await ann.call('GET', '/api/consent/settings')
  expect(before).toMatchObject({
    needsOptIn: true,
    recentDays: null,
    stop: expect.arrayContaining(['STOP']),
    ignored: [],
  })
  const put = (changes: object, who = ann) => who.call('PUT', '/api/consent/settings', { ...before, ...changes })
  expect((await put({ stop: ['Enough'] }, parley.signIn({ role: 'agent' }))).status).toBe(403)
  expect((await put({ stop: [] })).body.fields).toHaveProperty('stop')
  expect((await put({ recentDays: 0 })).body.fields).toHaveProperty('recentDays')
  const changed = await put({ stop: ['Enough'], ignored: ['STOP'], stopAnswer: '', needsOptIn: false, recentDays: 7 })
  expect(changed.body).toMatchObject({
    stop: ['Enough'],
    ignored: ['STOP'],
    needsOptIn: false,
    recentDays: 7,
    version: before.version + 1,
  })
  expect(await put({ stop: ['Late'] })).toMatchObject({ status: 409, body: { current: { stop: ['Enough'] } } })

  const { from, contactId, id } = await someone()
  expect(await ended(id, (await offer(id, 'campaign')).id)).toMatchObject({ dispatch: 'accepted' })
  await write(from, 'STOP')
  expect(await history(contactId)).toEqual([])
  await write(from, 'enough')
  expect(await history(contactId)).toMatchObject([{ note: 'enough' }])
  expect(await thread(id)).toHaveLength(4)
  await ann.call('PUT', '/api/consent/settings', { ...before, version: before.version + 1 })
})

test('everything that was said can be downloaded as proof, by those who may export; no other workspace sees it', async () => {
  await (await parley.members()).join(ann, 'Ann Stone')
  const { contactId } = await someone()
  await recordConsent(contactId, 'in', '=HYPERLINK("x") at the counter')
  const csv = await (await ann.request('GET', '/api/consent/entries.csv')).text()
  expect(csv).toContain('Recorded at,Said at,Contact')
  expect(csv).toContain(
    `${contactId},marketing,opted in,agent,"'=HYPERLINK(""x"") at the counter",Ann Stone,,,,${ann.userId},`,
  )
  const { from, contactId: stopped } = await someone()
  await write(from, 'STOP')
  const stop = await collection('messages').findOne(
    { ...parley.inWorkspace, 'content.text': 'STOP' },
    { sort: { _id: -1 } },
  )
  const lines = (await (await ann.request('GET', '/api/consent/entries.csv')).text()).split('\r\n')
  const [header, line] = [lines[0] ?? '', lines.find((row) => row.includes(stopped)) ?? '']
  const cells = Object.fromEntries(header.split(',').map((name, index) => [name, line.split(',')[index]]))
  expect(cells).toMatchObject({ Note: 'STOP', 'WhatsApp message ID': stop?.['waMessageId'], 'Member ID': '' })
  expect((await parley.signIn({ role: 'agent' }).call('GET', '/api/consent/entries.csv')).status).toBe(403)
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await stranger.call('GET', `/api/contacts/${contactId}/consent`)).status).toBe(404)
  expect(
    (
      await stranger.call('POST', `/api/contacts/${contactId}/consent`, {
        category: 'marketing',
        value: 'in',
        note: 'x',
      })
    ).status,
  ).toBe(404)
  const viewer = parley.signIn({ role: 'viewer' })
  expect(
    (await viewer.call('POST', `/api/contacts/${contactId}/consent`, { category: 'marketing', value: 'in', note: 'x' }))
      .status,
  ).toBe(403)
  await expectIndexed(parley.database.connection, async () => {
    await ann.call('GET', `/api/contacts/${contactId}/consent`)
    await ann.request('GET', '/api/consent/entries.csv')
  })
})
