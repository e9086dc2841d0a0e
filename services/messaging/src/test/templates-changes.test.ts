import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approvedTemplate, eventually, firstName, launchCampaign, scheduledIn } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'
import { inReview, orderContent, writeTemplates } from './template-fixtures.ts'
import { sendWebhook } from './webhook-fixtures.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const { approved, create, owner, read } = writeTemplates(() => parley)

test('an edit is reviewed again, and an older version is told what is true now', async () => {
  const { body: made } = await create()
  await approved(made.id)
  const before = await read(made.id)
  const { id, version } = before
  const edited = {
    ...orderContent({ name: made.name }),
    body: 'Hello {{2}}, order {{1}} arrives on {{3}} with our best regards, enjoy it.',
  }
  const patch = (body: object) => owner().call('PATCH', `/api/templates/${id}`, body)
  expect((await patch({ ...edited, name: 'another_name', version })).body.fields).toEqual({ name: expect.any(String) })
  expect((await patch({ ...edited, version })).body).toMatchObject({ status: inReview, body: edited.body })
  const late = await patch({ ...edited, version })
  expect([late.status, late.body.current.body]).toEqual([409, edited.body])
})

test('an approved template is changed once a day, ten times a month, and not while it is reviewed', async () => {
  const { body: made } = await create()
  const change = async (text: string, over: object = {}) => {
    const { version } = await read(made.id)
    const written = {
      ...orderContent({ name: made.name, body: `${text} {{2}}, order {{1}} arrives on {{3}} as you wished.` }),
    }
    return owner().call('PATCH', `/api/templates/${made.id}`, { ...written, version, ...over })
  }
  await approved(made.id)
  const first = await change('Hello')
  expect([first.status, first.body.editedAt.length]).toEqual([200, 1])
  const early = await change('Dear')
  expect([early.status, ['wrong_state', 'edit_limit'].includes(early.body.code)]).toEqual([409, true])
  await approved(made.id)
  const second = await change('Dear')
  expect([second.status, second.body.code, second.body.message]).toEqual([
    409,
    'edit_limit',
    expect.stringContaining('can be changed in 24 hours'),
  ])
  const stored = parley.database.connection.collection('templates')
  const editedAt = (days: readonly number[]) =>
    stored.updateOne(
      { _id: new Types.ObjectId(String(made.id)) },
      { $set: { editedAt: days.map((day) => new Date(Date.now() - day * 24 * 3600_000)) } },
    )
  await editedAt(Array.from({ length: 10 }, (_, index) => index + 2))
  expect((await change('Dear')).body).toMatchObject({
    code: 'edit_limit',
    message: expect.stringContaining('in 19 days'),
  })
  await editedAt([2])
  // Edits made elsewhere are known to WhatsApp alone.
  expect((await change('Dear')).body.fields.body).toContain('once in 24 hours')
  await parley.simulator.call('/clock', { advance: 25 * 3600_000 })
  expect((await change('Dear')).body).toMatchObject({
    status: inReview,
    editedAt: [expect.any(String), expect.any(String)],
  })
})

test('the category of an approved template stays what it is', async () => {
  const id = await approvedTemplate(parley)
  const { name, language, version, body, examples } = await read(id)
  const changed = { name, language, category: 'utility', version, body: `${body} See you.`, buttons: [], examples }
  const refused = await owner().call('PATCH', `/api/templates/${id}`, changed)
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, ['category']])
  expect((await read(id)).body).toBe(body)
})

test('an announced change of category and a disabled template stand in the bell', async () => {
  const id = await approvedTemplate(parley, { category: 'utility' })
  const stored = await parley.database.connection.collection('templates').findOne({ _id: new Types.ObjectId(id) })
  const titles = async () => {
    const { items } = await owner().ask('GET', '/api/notifications?limit=100')
    const about = items.filter(({ object }: { object: { id: string } }) => object.id === id)
    return about.map(({ title }: { title: string }) => title.replace(`${stored?.['name']} `, ''))
  }
  await sendWebhook(parley, {
    field: 'template_category_update',
    value: {
      message_template_id: Number(stored?.['waTemplateId']),
      message_template_name: stored?.['name'],
      message_template_language: 'en',
      new_category: 'UTILITY',
      correct_category: 'MARKETING',
    },
  })
  await eventually(async () => expect(await titles()).toContain('will change its category'))
  await parley.simulator.call(`/template/${stored?.['waTemplateId']}/disable`, {})
  await eventually(async () => expect(await titles()).toContain('was disabled by WhatsApp'))
})

test('a template that campaigns are to send is not deleted until they are cancelled', async () => {
  const ann = owner()
  const templateId = await approvedTemplate(parley)
  const contact = { name: 'A', phone: '+919820055501', tags: ['uses'], attributes: {} }
  const { id: contactId } = await parley.services.contactChanges.create(ann, contact)
  const agreed = { category: 'marketing', value: 'in', note: 'Told us on the phone.' }
  await ann.ask('POST', `/api/contacts/${contactId}/consent`, agreed)
  const plan = async (name: string) => {
    const created = await launchCampaign(ann, {
      name,
      templateId,
      variables: firstName,
      numberId: parley.number.id,
      audience: { kind: 'tags', tags: ['uses'] },
      schedule: scheduledIn(1440),
    })
    expect(created.status).toBe(200)
    return created.body.id as string
  }
  const [offer, other] = [await plan('Offer'), await plan('News')]
  const uses = async () => (await ann.call('GET', `/api/templates/${templateId}/uses`)).body.campaigns
  expect(await uses()).toMatchObject([
    { id: other, name: 'News', status: 'scheduled', scheduledFor: expect.any(String) },
    { id: offer, name: 'Offer' },
  ])
  expect(await ann.call('DELETE', `/api/templates/${templateId}`)).toMatchObject({
    status: 409,
    body: { code: 'template_in_use', message: expect.stringContaining('News, Offer') },
  })
  const draft = await ann.call('POST', '/api/campaigns', { name: 'Later', templateId, variables: firstName })
  const { name, language, category, body, buttons, examples, version } = await read(templateId)
  const content = { name, language, category, body, buttons, examples }
  const usage = async (asked: object) => {
    const answer = await ann.call('POST', `/api/templates/${templateId}/usage`, asked)
    return answer.body.uses.map((use: { name: string; status: string; breaks: object[] }) => [
      ...[use.name, use.status, use.breaks],
    ])
  }
  const all = (breaks: object[]) => [
    ...[
      ['News', 'scheduled', breaks],
      ['Offer', 'scheduled', breaks],
      ['Later', 'draft', breaks],
    ],
  ]
  expect(await usage({})).toEqual(all([]))
  expect(await usage({ content: { ...content, body: `${body} Come and see.` } })).toEqual(all([]))
  const renamed = { ...content, body: body.replace('{{1}}', '{{first_name}}'), headerMedia: { kind: 'image' } }
  expect(await usage({ content: renamed })).toEqual(
    all([{ kind: 'variable_gone', key: '1' }, { kind: 'variable_new', key: 'first_name' }, { kind: 'header_changed' }]),
  )
  expect(await usage({ deleted: true })).toEqual(all([{ kind: 'deleted' }]))
  await expectIndexed(parley.database.connection, () => usage({}), { fewSorted: true })
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await stranger.call('POST', `/api/templates/${templateId}/usage`, {})).status).toBe(404)
  expect([draft.status, version]).toEqual([201, expect.any(Number)])
  for (const id of [offer, other]) await ann.call('POST', `/api/campaigns/${id}/status`, { action: 'cancel' })
  expect(await uses()).toEqual([])
  expect((await ann.call('DELETE', `/api/templates/${templateId}`)).status).toBe(204)
})
