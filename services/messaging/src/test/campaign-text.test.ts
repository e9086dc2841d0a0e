import { warningRules } from '@parley/contracts/templates/template-findings'
import { Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { contentKey } from '../modules/templates/content-key.ts'
import {
  addContacts,
  approvedTemplate,
  eventually,
  firstName,
  launchCampaign,
  makeDue,
  scheduledIn,
  sendAt,
} from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let phones = 919_884_000_000
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())
beforeEach(() => sendAt(parley, 200))
vi.setConfig({ testTimeout: 240_000 })

const owner = () => parley.signIn()
const collection = (name: string) => parley.database.connection.collection(name)
const read = async (id: string) => (await owner().call('GET', `/api/campaigns/${id}`)).body
const textOf = async (id: string) => (await owner().ask('GET', `/api/campaigns/${id}/text`)) as unknown
const change = (id: string, action: string, newText?: string) =>
  owner().call('POST', `/api/campaigns/${id}/status`, { action, ...(newText !== undefined && { newText }) })
const old = 'Hi {{1}}, our new tea has arrived and it waits for you in the shop.'
const changed = 'Hi {{1}}, our new coffee has arrived and it waits for you in the shop.'
const keyOf = (body: string) => contentKey({ body, buttons: [] })

async function launch(templateId: string, count: number, over: object = {}): Promise<string> {
  const tag = `t${new Types.ObjectId().toHexString()}`
  phones += 10_000
  await addContacts(parley.database.connection, parley.scope, { count, firstPhone: phones, tags: [tag] })
  const input = { name: 'Spring tea', audience: { kind: 'tags', tags: [tag] }, numberId: parley.number.id }
  return (await launchCampaign(owner(), { ...input, templateId, variables: firstName, ...over })).body.id
}
/** Edits a template as a person does, and waits until WhatsApp has approved it. */
async function edit(templateId: string, body: string, examples: object = { 1: 'Asha' }): Promise<void> {
  const { name, language, category, version } = await owner().ask('GET', `/api/templates/${templateId}`)
  const content = { name, language, category, version, body, buttons: [], examples, accepted: warningRules }
  await owner().ask('PATCH', `/api/templates/${templateId}`, content)
  await eventually(async () =>
    expect(await owner().ask('GET', `/api/templates/${templateId}`)).toMatchObject({ status: 'approved', body }),
  )
}
/** Our own record of each message beside what the customer reads of it. */
async function bothTextsOf(id: string) {
  const rows = await collection('campaignRecipients')
    .find({ campaignId: new Types.ObjectId(id) })
    .toArray()
  const ours = await collection('messages')
    .find({ _id: { $in: rows.map(({ _id }) => _id) } })
    .toArray()
  const { items } = await parley.simulator.call(`/messages?phone_number_id=${parley.number.phoneNumberId}`)
  const read = new Map<string, string>(
    items.map((item: { callbackData: string; shown?: { body: string } }) => [item.callbackData, item.shown?.body]),
  )
  return ours
    .filter(({ _id }) => read.has(String(_id)))
    .map(({ _id, content }) => ({
      ours: content.text,
      read: read.get(String(_id)),
      version: content.templateVersion,
    }))
}

test('a template that is edited while a campaign is paused asks; whoever has seen the new text continues with it', async () => {
  const templateId = await approvedTemplate(parley)
  await sendAt(parley, 5)
  const id = await launch(templateId, 40)
  await eventually(async () => expect((await read(id)).counts.sent).toBeGreaterThan(0))
  expect((await change(id, 'pause')).body).toMatchObject({ status: 'paused', templateVersion: 1 })
  expect(await textOf(id)).toEqual({ text: { body: old, buttons: [] }, changed: null })
  await edit(templateId, changed)
  const refused = await change(id, 'resume')
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    409,
    'pause_reason_holds',
    'Its template’s text has changed. Review the new text, then continue with it or cancel.',
  ])
  expect(await read(id)).toMatchObject({ status: 'paused', pausedFor: 'template_changed' })
  const key = keyOf(changed)
  expect(await textOf(id)).toEqual({
    text: { body: old, buttons: [] },
    changed: { text: { body: changed, buttons: [] }, key, unfilled: [], unsupported: [] },
  })
  // The text that the member has seen is not the current one.
  expect((await change(id, 'resume', keyOf('Something else'))).status).toBe(409)
  expect((await change(id, 'resume', key)).body).toMatchObject({ status: 'active', templateVersion: 2 })
  await sendAt(parley, 200)
  await eventually(async () => expect(await read(id)).toMatchObject({ status: 'completed', counts: { sent: 40 } }))
  const texts = await bothTextsOf(id)
  expect(texts).toHaveLength(40)
  for (const { ours, read } of texts) expect(ours).toBe(read)
  expect(new Set(texts.map(({ ours }) => ours.includes('coffee')))).toEqual(new Set([true, false]))
  // Each message records the version from which it was filled in.
  for (const { ours, version } of texts) expect(version).toBe(ours.includes('coffee') ? 2 : 1)
  expect(await textOf(id)).toEqual({ text: { body: changed, buttons: [] }, changed: null })
})

test('a new variable that the campaign has no value for cannot be continued with', async () => {
  const templateId = await approvedTemplate(parley)
  await sendAt(parley, 2)
  const id = await launch(templateId, 20)
  await eventually(async () => expect((await read(id)).counts.audience).toBe(20))
  await change(id, 'pause')
  const body = 'Hi {{1}}, our new {{2}} has arrived and it waits for you in the shop.'
  await edit(templateId, body, { 1: 'Asha', 2: 'tea' })
  const refused = await change(id, 'resume', keyOf(body))
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'The campaign has no value for {{2}} of the new text. Cancel it, and create another one.',
  ])
  expect(await textOf(id)).toMatchObject({ changed: { unfilled: ['2'] } })
  expect((await change(id, 'cancel')).status).toBe(200)
})

test('a text that is changed in WhatsApp Manager pauses the campaign that sends it, and no message has another text', async () => {
  const templateId = await approvedTemplate(parley)
  await sendAt(parley, 5)
  const id = await launch(templateId, 60)
  await eventually(async () => expect((await read(id)).counts.sent).toBeGreaterThan(0))
  const stored = await collection('templates').findOne({ _id: new Types.ObjectId(templateId) })
  // Same write as that of a comparison with WhatsApp.
  await collection('templates').updateOne({ _id: stored?._id ?? new Types.ObjectId() }, { $set: { body: changed } })
  await eventually(async () =>
    expect(await read(id)).toMatchObject({ status: 'paused', pausedFor: 'template_changed' }),
  )
  await collection('templates').updateOne({ _id: stored?._id ?? new Types.ObjectId() }, { $set: { body: old } })
  // The text is the same again.
  await sendAt(parley, 200)
  expect((await change(id, 'resume')).body).toMatchObject({ status: 'active' })
  await eventually(async () => expect(await read(id)).toMatchObject({ status: 'completed', counts: { sent: 60 } }))
  for (const { ours, read } of await bothTextsOf(id)) expect(ours).toBe(read)
})

test('a scheduled campaign whose template was edited asks at its start', async () => {
  const templateId = await approvedTemplate(parley)
  const id = await launch(templateId, 3, { schedule: scheduledIn(60) })
  await edit(templateId, changed)
  await makeDue(parley, id)
  await eventually(async () =>
    expect(await read(id)).toMatchObject({ status: 'paused', pausedFor: 'template_changed' }),
  )
  expect((await change(id, 'resume', keyOf(changed))).status).toBe(200)
  await eventually(async () => expect(await read(id)).toMatchObject({ status: 'completed', counts: { sent: 3 } }))
  for (const { ours } of await bothTextsOf(id)) expect(ours).toContain('coffee')
})

test('a message of the inbox that waited while its template changed does not leave with another text', async () => {
  const templateId = await approvedTemplate(parley, { category: 'utility' })
  phones += 10_000
  const [contactId] = await addContacts(parley.database.connection, parley.scope, {
    count: 1,
    firstPhone: phones,
    tags: [],
  })
  const conversation = await owner().ask('POST', '/api/conversations', { contactId })
  const content = await parley.services.templates.approved(parley.scope, templateId, { values: { 1: 'Asha' } })
  await collection('templates').updateOne({ _id: new Types.ObjectId(templateId) }, { $set: { body: changed } })
  const message = await parley.services.outgoing.send(parley.scope, conversation.id, {
    content,
    cause: { kind: 'member', id: 'a'.repeat(24) },
  })
  await eventually(async () =>
    expect(await collection('messages').findOne({ _id: new Types.ObjectId(message.id) })).toMatchObject({
      dispatch: { state: 'cancelled', reason: 'template_changed' },
    }),
  )
})
