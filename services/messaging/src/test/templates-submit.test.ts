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

const { atWhatsApp, owner } = writeTemplates(() => parley)
const submit = (written: object) => owner().call('POST', '/api/templates', written)
const named = async (name: string) => (await owner().call('GET', `/api/templates?q=${name}`)).body.items[0]
const fail = (kind: 'reset' | 'not_json', count = 1) =>
  parley.simulator.call('/inject', { call: 'template', trigger: { kind: 'next', count }, effect: { kind } })
const stored = () => parley.database.connection.collection('templates')
const byId = (id: string) => ({
  workspaceId: new Types.ObjectId(parley.scope.workspaceId),
  _id: new Types.ObjectId(id),
})

async function sync() {
  expect((await owner().call('POST', '/api/templates/sync')).status).toBe(202)
  await eventually(async () => expect((await owner().call('GET', '/api/templates/sync')).body.running).toBe(false))
}

const approved = (name: string) =>
  eventually(async () => {
    const template = await named(name)
    expect(template.status).toBe('approved')
    return template
  })

test('an answer that is lost is asked back: the template is created, once', async () => {
  const written = plainContent()
  await fail('reset')
  const { status, body } = await submit(written)
  expect([status, body.name]).toEqual([201, written.name])
  expect(await atWhatsApp(written.name)).toHaveLength(1)
  expect(await approved(written.name)).not.toHaveProperty('statusDetail')
})

test('the same sent by two people at once, and again after no answer, is one template at WhatsApp', async () => {
  const written = plainContent()
  await fail('not_json')
  const lost = await submit(written)
  expect([lost.status, lost.body.code]).toEqual([502, 'upstream_failed'])
  expect(await named(written.name)).toMatchObject({ status: 'pending', statusDetail: 'WhatsApp has not answered yet.' })
  expect(await atWhatsApp(written.name)).toHaveLength(0)
  // Others of this name are refused meanwhile.
  expect((await submit({ ...written, body: 'Hello {{1}}, something else is ready.' })).body.code).toBe(
    'template_exists',
  )
  const answers = await Promise.all([submit(written), submit(written)])
  // A caller who comes once the other's answer is known finds the name taken.
  for (const { status, body } of answers)
    expect(status === 201 ? 'created' : body.code).toMatch(/^created$|^template_exists$/)
  expect(answers.map(({ status }) => status)).toContain(201)
  expect(await atWhatsApp(written.name)).toHaveLength(1)
  await approved(written.name)
  expect((await submit(written)).body.code).toBe('template_exists')
})

test('what never reached WhatsApp is a draft after a while, and can be sent again', async () => {
  const written = plainContent()
  await fail('not_json')
  await submit(written)
  const { id } = await named(written.name)
  await sync()
  expect((await named(written.name)).status).toBe('pending')
  await stored().updateOne(byId(id), { $set: { submittedAt: new Date(Date.now() - 3600_000) } })
  await sync()
  const draft = await named(written.name)
  expect(draft).toMatchObject({ status: 'draft', statusDetail: expect.stringContaining('not reached WhatsApp') })
  const again = await owner().call('PATCH', `/api/templates/${id}`, { ...written, version: draft.version })
  expect(again.status).toBe(200)
  expect(await atWhatsApp(written.name)).toHaveLength(1)
  expect(await approved(written.name)).toMatchObject({ id })
})

test('a change is taken although its answer was lost; one that was not taken is undone, and not counted', async () => {
  const written = plainContent()
  await submit(written)
  const { id, version } = await approved(written.name)
  const change = (body: string, of: number) =>
    owner().call('PATCH', `/api/templates/${id}`, { ...written, body, version: of })
  const first = 'Dear {{1}}, your tea is ready to be collected.'
  await fail('reset')
  const saved = await change(first, version)
  expect([saved.status, saved.body.body, saved.body.editedAt.length]).toEqual([200, first, 1])
  await approved(written.name)
  await stored().updateOne(byId(id), { $unset: { editedAt: '' } })
  const second = 'Good day {{1}}, your tea is ready to be collected.'
  const before = await named(written.name)
  await fail('not_json')
  expect((await change(second, before.version)).body.code).toBe('upstream_failed')
  expect(await named(written.name)).toMatchObject({ status: 'pending', body: second })
  // Done at once: a sync of the worker may come at any moment.
  const submittedAt = new Date(Date.now() - 3600_000)
  await stored().updateOne(byId(id), { $set: { submittedAt, editedAt: [submittedAt] } })
  await sync()
  const after = await named(written.name)
  expect(after).toMatchObject({ status: 'approved', body: first, contentVersion: 2 })
  expect(after).not.toHaveProperty('editedAt')
  // A text that WhatsApp has never accepted is no version.
  const { body: versions } = await owner().call('GET', `/api/templates/${id}/versions`)
  expect(versions.items.map(({ content: version }: { content: { body: string } }) => version.body)).toEqual([
    first,
    written.body,
  ])
})

test('a change that WhatsApp refuses leaves the template as it was', async () => {
  const written = plainContent()
  await submit(written)
  const { id, version, body } = await approved(written.name)
  await parley.simulator.call('/inject', {
    call: 'template',
    trigger: { kind: 'next', count: 1 },
    effect: { kind: 'error', code: 100 },
  })
  const refused = await owner().call('PATCH', `/api/templates/${id}`, {
    ...written,
    body: 'Dear {{1}}, your tea is ready to be collected.',
    footer: 'Chai & Co',
    version,
  })
  expect([refused.status, refused.body.code]).toEqual([400, 'validation_failed'])
  const after = await named(written.name)
  expect(after).toMatchObject({ status: 'approved', body })
  for (const gone of ['footer', 'editedAt', 'statusDetail']) expect(after).not.toHaveProperty(gone)
  const { body: versions } = await owner().call('GET', `/api/templates/${id}/versions`)
  expect(versions.items).toMatchObject([{ number: 1, outcome: 'approved' }])
  expect(after.contentVersion).toBe(1)
})
