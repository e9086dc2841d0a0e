import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approvedTemplate, eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'
import { plainContent, writeTemplates } from './template-fixtures.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const { atWhatsApp, owner } = writeTemplates(() => parley)
const nameOf = () => `offer_${new Types.ObjectId().toHexString()}`
const create = (name: string, over: object = {}) =>
  owner().call('POST', '/api/templates', plainContent({ name, category: 'marketing', ...over }))
const remove = (id: string, query = '', role: 'owner' | 'agent' = 'owner') =>
  parley.signIn({ role }).call('DELETE', `/api/templates/${id}${query}`)
const stored = (id: string) =>
  parley.database.connection.collection('templates').findOne({ _id: new Types.ObjectId(id) })
const sets = (id: string, $set: object) =>
  parley.database.connection.collection('templates').updateOne({ _id: new Types.ObjectId(id) }, { $set })
/** Reads the languages in which WhatsApp has a name. */
const languagesOf = async (name: string) => (await atWhatsApp(name)).map(({ language }) => language).toSorted()

test('the name of a deleted template offers to restore it; nothing is left pending, whatever is tried', async () => {
  const name = nameOf()
  const id = await approvedTemplate(parley, { name })
  expect((await remove(id)).status).toBe(204)
  expect(await languagesOf(name)).toEqual(['en'])
  const again = await create(name, { body: 'Hi {{1}}, this is something else than what was there before.' })
  expect([again.status, again.body.code, again.body.existing]).toEqual([409, 'template_exists', { id, name }])
  expect(again.body.fields.name).toMatch(/^A template of this name in this language was deleted here/)
  const { items } = await owner().ask('GET', `/api/templates?q=${name}`)
  expect(items).toEqual([])
  // Another language is not affected.
  expect((await create(name, { language: 'hi' })).status).toBe(201)
  const back = await owner().call('POST', `/api/templates/${id}/restore`)
  expect([back.status, back.body.name]).toEqual([200, name])
  expect(await stored(id)).not.toHaveProperty('purge')
})

test('after 30 days it is deleted at WhatsApp, in its language alone, and its name is kept for 30 more', async () => {
  const name = nameOf()
  const id = await approvedTemplate(parley, { name })
  const hindi = await approvedTemplate(parley, { name, language: 'hi' })
  expect((await remove(id)).status).toBe(204)
  const { services, scope, database } = parley
  const purge = () => services.templateRemoval.purge({ id, workspaceId: scope.workspaceId })
  await purge()
  expect(await languagesOf(name)).toEqual(['en', 'hi'])
  expect((await stored(id))?.['purgeAt']).toEqual((await stored(id))?.['restorableUntil'])
  await sets(id, { purgeAt: new Date(), restorableUntil: new Date() })
  const due = () => services.templateRemoval.due()
  await expectIndexed(database.connection, due)
  await expectIndexed(database.connection, async () => {
    await create(name)
  })
  // The worker finds it.
  await eventually(async () => expect((await stored(id))?.['deletedAt']).toBeInstanceOf(Date))
  expect(await languagesOf(name)).toEqual(['hi'])
  expect((await owner().call('GET', `/api/templates/${hindi}`)).body.status).toBe('approved')
  expect((await owner().call('POST', `/api/templates/${id}/restore`)).status).toBe(404)
  const blocked = await create(name)
  expect([blocked.status, blocked.body.fields.name]).toEqual([
    400,
    'WhatsApp keeps the name of a deleted template for 30 days, this one for 30 more days. Choose another name.',
  ])
  // Comparing with WhatsApp brings nothing back.
  await services.templateSync.ask(scope)
  await eventually(async () => expect((await services.templateSync.history(scope, {})).running).toBe(false))
  const { items } = await owner().ask('GET', `/api/templates?q=${name}`)
  expect(items.map(({ language }: { language: string }) => language)).toEqual(['hi'])
  await sets(id, { nameFreeAt: new Date() })
  await parley.simulator.call('/clock', { advance: 31 * 24 * 3600_000 })
  expect((await create(name)).status).toBe(201)
})

test('owners and admins delete at WhatsApp at once, also what is hidden; what is not there any more is deleted', async () => {
  const name = nameOf()
  const id = await approvedTemplate(parley, { name })
  expect((await remove(id, '?atWhatsApp=true', 'agent')).status).toBe(403)
  expect((await remove(id)).status).toBe(204)
  expect((await remove(id)).status).toBe(404)
  expect((await remove(id, '?atWhatsApp=true')).status).toBe(204)
  expect(await languagesOf(name)).toEqual([])
  expect(await stored(id)).toMatchObject({ deletedAt: expect.any(Date) })
  expect((await remove(id, '?atWhatsApp=true')).status).toBe(404)
  const other = nameOf()
  const gone = await approvedTemplate(parley, { name: other })
  const { number, simulatedNumber } = parley
  const url = `${number.graphUrl}/v25.0/${simulatedNumber.accountId}/message_templates?name=${other}`
  await fetch(url, { method: 'DELETE', headers: { authorization: `Bearer ${simulatedNumber.accessToken}` } })
  expect((await remove(gone, '?atWhatsApp=true')).status).toBe(204)
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await stranger.call('DELETE', `/api/templates/${gone}?atWhatsApp=true`)).status).toBe(404)
})

test('a template that was rejected keeps no name once it is deleted', async () => {
  const name = `reject_${new Types.ObjectId().toHexString()}`
  const { id } = (await create(name)).body
  await eventually(async () => expect((await stored(id))?.['status']).toBe('rejected'))
  expect((await remove(id, '?atWhatsApp=true')).status).toBe(204)
  expect((await create(name)).status).toBe(201)
})
