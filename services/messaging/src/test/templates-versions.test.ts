import { warningRules } from '@parley/contracts/template-findings'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { up } from '../migrations/0125-template-content-versions.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const eventually = <T>(check: () => Promise<T> | T) => vi.waitFor(check, { timeout: 60_000, interval: 100 })
const content = (over: object = {}) => ({
  ...{ name: `order_shipped_${new Types.ObjectId().toHexString()}`, language: 'en', category: 'utility' },
  body: 'Hi {{1}}, we have packed your order and handed it to the courier.',
  ...{ buttons: [], examples: { 1: 'Priya' }, accepted: warningRules },
  ...over,
})
const owner = () => parley.signIn()
const read = async (id: string) => (await owner().call('GET', `/api/templates/${id}`)).body
const stranger = () => parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
const approved = (id: string, over: object = {}) =>
  eventually(async () => {
    const template = await read(id)
    expect(template).toMatchObject({ status: 'approved', ...over })
    return template
  })

const stored = () => parley.database.connection.collection('templates')
const waId = async (id: string) => (await stored().findOne({ _id: new Types.ObjectId(id) }))?.['waTemplateId'] as string

test('each text that was sent for review is kept with its verdict', async () => {
  const ann = owner()
  const versions = async (id: string) => (await ann.call('GET', `/api/templates/${id}/versions`)).body.items
  const { body: first } = await ann.call('POST', '/api/templates', content())
  await eventually(async () => expect((await read(first.id)).status).toBe('approved'))
  expect(await versions(first.id)).toMatchObject([
    { number: 1, outcome: 'approved', submittedBy: expect.any(String), decidedAt: expect.any(String) },
  ])
  const change = { ...content({ name: first.name }), body: `${first.body} See you.` }
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
  // What was stored before templates told the number of their text.
  const { db } = parley.database.connection
  const own = { _id: new Types.ObjectId(String(first.id)) }
  await stored().updateOne(own, { $unset: { contentVersion: '' } })
  if (db) await up(db)
  expect(await stored().findOne(own)).toMatchObject({ contentVersion: 2 })
})

test('an earlier version becomes the draft, which nobody sees until it is sent for review', async () => {
  const ann = owner()
  const { body: first } = await ann.call('POST', '/api/templates', content({ footer: 'Chai & Co' }))
  const before = await approved(first.id, { contentVersion: 1 })
  const change = { ...content({ name: first.name }), body: `${first.body} See you.` }
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
  // What WhatsApp tells leaves the draft alone.
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
    ...{ version: again.body.version, accepted: warningRules },
  })
  expect([sent.status, sent.body.contentVersion, sent.body.draft]).toEqual([200, 3, undefined])
  await approved(first.id, { body: first.body, footer: 'Chai & Co' })
})

test('a text that was written at WhatsApp is a version, too; one that says what the last version said is not', async () => {
  const { body: made } = await owner().call('POST', '/api/templates', content())
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
