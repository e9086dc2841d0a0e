import { warningRules } from '@parley/contracts/templates/template-findings'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'
import { plainContent, writeTemplates } from './template-fixtures.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const { approved, atWhatsApp, owner, read } = writeTemplates(() => parley)
const stranger = () => parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
const stored = () => parley.database.connection.collection('templates')
const waId = async (id: string) => (await stored().findOne({ _id: new Types.ObjectId(id) }))?.['waTemplateId'] as string

test('each text that was sent for review is kept with its verdict', async () => {
  const ann = owner()
  const versions = async (id: string) => (await ann.call('GET', `/api/templates/${id}/versions`)).body.items
  const { body: first } = await ann.call('POST', '/api/templates', plainContent())
  await approved(first.id)
  expect(await versions(first.id)).toMatchObject([
    { number: 1, outcome: 'approved', submittedBy: expect.any(String), decidedAt: expect.any(String) },
  ])
  const change = { ...plainContent({ name: first.name }), body: `${first.body} See you.` }
  const current = await read(first.id)
  const edited = await ann.call('PATCH', `/api/templates/${first.id}`, { ...change, version: current.version })
  expect(edited.status).toBe(200)
  await eventually(async () =>
    expect((await versions(first.id)).map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'approved',
      'approved',
    ]),
  )
  const [latest, earlier] = await versions(first.id)
  expect([latest.content.body, earlier.content.body]).toEqual([change.body, first.body])
  // The budget of changes is used: the stored text stays, and so do its versions.
  const { version } = await read(first.id)
  expect((await ann.call('PATCH', `/api/templates/${first.id}`, { ...change, version })).body.code).toBe('edit_limit')
  expect(await versions(first.id)).toHaveLength(2)
  for (const what of ['versions', 'uses'])
    expect((await stranger().call('GET', `/api/templates/${first.id}/${what}`)).status).toBe(404)
  await expectIndexed(parley.database.connection, () => versions(first.id))
  expect(await stored().findOne({ _id: new Types.ObjectId(String(first.id)) })).toMatchObject({ contentVersion: 2 })
})

test('an earlier version becomes the draft, which nobody sees until it is sent for review', async () => {
  const ann = owner()
  const { body: first } = await ann.call('POST', '/api/templates', plainContent({ footer: 'Chai & Co' }))
  const before = await approved(first.id, { contentVersion: 1 })
  const change = { ...plainContent({ name: first.name }), body: `${first.body} See you.` }
  await ann.call('PATCH', `/api/templates/${first.id}`, { ...change, version: before.version })
  const edited = await approved(first.id, { contentVersion: 2 })
  const restore = (number: number, version: number, as = ann) =>
    as.call('POST', `/api/templates/${first.id}/versions/${number}/restore`, { version })
  expect((await restore(1, edited.version, stranger())).status).toBe(404)
  expect((await restore(1, edited.version, parley.signIn({ role: 'agent' }))).status).toBe(403)
  expect((await restore(7, edited.version)).body.code).toBe('not_found')
  const stale = await restore(1, before.version)
  expect([stale.body.code, stale.body.current.body]).toEqual(['stale_version', change.body])
  const restored = await restore(1, edited.version)
  expect(restored).toMatchObject({
    status: 200,
    body: {
      status: 'approved',
      body: change.body,
      draft: { from: 1, content: { body: first.body, footer: 'Chai & Co' } },
    },
  })
  // News from WhatsApp leaves the draft alone.
  await parley.simulator.call(`/template/${await waId(first.id)}/quality`, { score: 'GREEN' })
  await approved(first.id, { quality: 'high', draft: { from: 1 } })
  const discard = (version: number, as = ann) =>
    as.call('DELETE', `/api/templates/${first.id}/draft?version=${version}`)
  expect((await discard(restored.body.version, stranger())).status).toBe(404)
  expect((await discard(edited.version)).body.code).toBe('stale_version')
  const { version } = await read(first.id)
  expect((await discard(version)).body).not.toHaveProperty('draft')
  const again = await restore(1, (await read(first.id)).version)
  await parley.simulator.call('/clock', { advance: 25 * 3600_000 })
  await stored().updateOne({ _id: new Types.ObjectId(String(first.id)) }, { $unset: { editedAt: '' } })
  const sent = await ann.call('PATCH', `/api/templates/${first.id}`, {
    ...again.body.draft.content,
    version: again.body.version,
    accepted: warningRules,
  })
  expect([sent.status, sent.body.contentVersion, sent.body.draft]).toEqual([200, 3, undefined])
  await approved(first.id, { body: first.body, footer: 'Chai & Co' })
})

test('a text that was written at WhatsApp is a version, too; one that says what the last version said is not', async () => {
  const { body: made } = await owner().call('POST', '/api/templates', plainContent())
  await approved(made.id)
  const revise = async (text: string) =>
    parley.simulator.call(`/template/${await waId(made.id)}/revise`, {
      components: [{ type: 'BODY', text, example: { body_text: [['Priya']] } }],
    })
  const theirs = 'Hello {{1}}, your order is packed and the courier has it.'
  await revise(theirs)
  await approved(made.id, { body: theirs, contentVersion: 2 })
  const { body } = await owner().call('GET', `/api/templates/${made.id}/versions`)
  expect(body.items).toMatchObject([
    { number: 2, outcome: 'approved', content: { body: theirs } },
    { number: 1, outcome: 'approved', submittedBy: expect.any(String) },
  ])
  expect(body.items[0]).not.toHaveProperty('submittedBy')
})

const versionsOf = async (id: string) => (await owner().call('GET', `/api/templates/${id}/versions`)).body.items
const saveNew = (over: object = {}, as = owner()) =>
  as.call('POST', '/api/templates', { ...plainContent(over), accepted: undefined, review: false })
const saveDraft = (id: string, written: object, as = owner()) => as.call('PUT', `/api/templates/${id}/draft`, written)

test('a draft is kept here until it is sent, whatever is wrong with it; then it is a template like others', async () => {
  const ann = owner()
  // Lint: it ends with a variable that has no sample.
  const begun = { name: plainContent().name, body: 'Hi {{1}}', footer: 'Chai & Co', examples: {} }
  const made = await saveNew(begun)
  expect(made).toMatchObject({ status: 201, body: { status: 'draft', body: 'Hi {{1}}', footer: 'Chai & Co' } })
  const { id, version } = made.body
  await expect(parley.services.templates.approved(parley.scope, id, { values: { 1: 'Asha' } })).rejects.toMatchObject({
    code: 'template_not_approved',
  })
  expect([await atWhatsApp(begun.name), await versionsOf(id)]).toEqual([[], []])
  expect((await saveNew(begun)).body.code).toBe('template_exists')
  expect((await ann.call('POST', '/api/templates', plainContent({ name: begun.name }))).body.code).toBe(
    'template_exists',
  )
  expect((await saveNew({ body: 'x'.repeat(1025) })).body.code).toBe('validation_failed')
  expect((await saveNew({}, parley.signIn({ role: 'agent' }))).status).toBe(403)
  const written = { ...plainContent(), footer: undefined, version }
  expect((await saveDraft(id, written, stranger())).status).toBe(404)
  expect((await saveDraft(id, written, parley.signIn({ role: 'agent' }))).status).toBe(403)
  const saved = await saveDraft(id, written)
  expect(saved).toMatchObject({ status: 200, body: { name: written.name, body: written.body, status: 'draft' } })
  for (const gone of ['footer', 'draft']) expect(saved.body).not.toHaveProperty(gone)
  const stale = await saveDraft(id, written)
  expect([stale.body.code, stale.body.current.version]).toEqual(['stale_version', saved.body.version])
  // A name that another has; the one that it had is free again.
  const other = await saveNew(begun)
  const refused = await saveDraft(id, { ...written, name: begun.name, version: saved.body.version })
  expect([refused.status, refused.body.code]).toEqual([409, 'template_exists'])
  const send = (over: object) => ann.call('PATCH', `/api/templates/${id}`, { ...written, ...over })
  expect((await send({ version: saved.body.version, body: 'Hi {{1}}' })).body.code).toBe('validation_failed')
  expect((await send({ version: saved.body.version, name: begun.name })).body.code).toBe('template_exists')
  // A draft that WhatsApp refuses stays as it was.
  const effect = { kind: 'error', code: 100 }
  await parley.simulator.call('/inject', { call: 'template', trigger: { kind: 'next', count: 1 }, effect })
  expect((await send({ version: saved.body.version, name: plainContent().name })).status).toBe(400)
  const kept = await read(id)
  expect(kept).toMatchObject({ name: written.name, status: 'draft', body: written.body })
  expect(await versionsOf(id)).toEqual([])
  const row = () => stored().findOne({ _id: new Types.ObjectId(String(id)) })
  expect(await row()).not.toHaveProperty('sentAt')
  expect((await send({ version: kept.version })).status).toBe(200)
  const sent = await approved(id, { contentVersion: 1 })
  expect(sent).not.toHaveProperty('draft')
  expect(await row()).toMatchObject({ sentAt: expect.any(Date) })
  expect([await atWhatsApp(written.name), await versionsOf(id)]).toMatchObject([
    [{ name: written.name }],
    [{ number: 1, outcome: 'approved', content: { body: written.body } }],
  ])
  // One that was never sent goes for good.
  const remove = () => ann.call('DELETE', `/api/templates/${other.body.id}?atWhatsApp=true`)
  expect([(await remove()).status, (await remove()).status]).toEqual([204, 404])
  expect(await stored().findOne({ _id: new Types.ObjectId(String(other.body.id)) })).toBeNull()
  expect((await ann.call('POST', `/api/templates/${other.body.id}/restore`)).status).toBe(404)
})

test('the next text of a template waits as its draft: WhatsApp, campaigns and conversations have what it said', async () => {
  const { body: made } = await owner().call('POST', '/api/templates', plainContent())
  const { version } = await approved(made.id)
  const next = { ...plainContent(), category: 'marketing', body: 'Hi {{1}}', footer: 'Chai & Co', version }
  const saved = await saveDraft(made.id, next)
  expect(saved.body).toMatchObject({ status: 'approved', body: made.body, category: 'utility' })
  // Fields that WhatsApp does not let change stay.
  expect(saved.body.draft).toEqual({
    content: {
      name: made.name,
      language: 'en',
      category: 'utility',
      body: 'Hi {{1}}',
      footer: 'Chai & Co',
      buttons: [],
      examples: { 1: 'Priya' },
    },
  })
  expect(await versionsOf(made.id)).toHaveLength(1)
  const again = await saveDraft(made.id, { ...next, body: 'Hello {{1}}', version: saved.body.version })
  expect(again.body).toMatchObject({ body: made.body, draft: { content: { body: 'Hello {{1}}' } } })
  expect((await owner().call('POST', '/api/templates/sync')).status).toBe(202)
  await eventually(async () => expect((await owner().call('GET', '/api/templates/sync')).body.running).toBe(false))
  expect(await read(made.id)).toMatchObject({ body: made.body, draft: { content: { body: 'Hello {{1}}' } } })
  const madeTemplate = { _id: new Types.ObjectId(String(made.id)) }
  await stored().updateOne(madeTemplate, { $set: { status: 'disabled' } })
  expect((await saveDraft(made.id, { ...next, version: again.body.version })).body.code).toBe('wrong_state')
})

test('a template of the name of a draft that is found at WhatsApp leaves what the draft says waiting', async () => {
  const { body: mine } = await saveNew()
  const { body: same } = await saveNew()
  const { body: offered } = await saveNew()
  const text = 'Hello {{1}}, somebody has written this at WhatsApp itself.'
  const theirs = { name: mine.name, body: text }
  const placedTemplate = ({ name, body }: { name: string; body: string }, id: string, status = 'APPROVED') => ({
    id,
    name,
    language: 'en',
    category: 'UTILITY',
    status,
    components: [{ type: 'BODY', text: body, example: { body_text: [['Priya']] } }],
  })
  const put = (...templates: object[]) =>
    parley.simulator.call('/templates', { account_id: parley.simulatedNumber.accountId, templates })
  // A verdict on their text is no verdict on ours.
  await put(placedTemplate({ name: offered.name, body: text }, '9911', 'PENDING'))
  await parley.simulator.call('/template/9911/approve', {})
  await approved(offered.id, { body: text, draft: { content: { body: offered.body } } })
  await put(placedTemplate(theirs, '9912'), placedTemplate(same, '9913'))
  await parley.services.templateSync.ask(parley.scope)
  expect(await approved(mine.id, { body: theirs.body })).toMatchObject({
    contentVersion: 1,
    draft: { content: { body: mine.body, examples: { 1: 'Priya' } } },
  })
  expect(await versionsOf(mine.id)).toMatchObject([{ number: 1, outcome: 'approved', content: { body: theirs.body } }])
  expect(await approved(same.id)).not.toHaveProperty('draft')
})
