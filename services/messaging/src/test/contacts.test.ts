import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newcomerWith } from './contact-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

test('a number belongs to one contact, however it is written, also when two people add it at once', async () => {
  const ann = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  const add = (name: string, phone: string) => ann.call('POST', '/api/contacts', { name, phone })
  const answers = await Promise.all(['Asha', 'Asha Rao', 'A. Rao'].map((name) => add(name, '+4407911123456')))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  const created = answers.find(({ status }) => status === 201)?.body
  expect(created).toMatchObject({ phone: '+447911123456', source: 'manual', version: 1, lastContactAt: null })
  expect((await add('Late', '+447911123456')).body).toMatchObject({
    code: 'contact_exists',
    fields: { phone: `${created.name} already has this phone number.` },
    existing: { id: created.id, name: created.name },
  })
  const other = (await add('Other', '+447911123457')).body
  const change = await ann.call('PATCH', `/api/contacts/${other.id}`, { phone: created.phone, version: 1 })
  expect([change.status, change.body.code]).toEqual([409, 'contact_exists'])
  expect(change.body.existing).toEqual({ id: created.id, name: created.name })
  expect((await ann.call('GET', `/api/contacts/${change.body.existing.id}`)).body.phone).toBe(created.phone)
})

test('whoever hides the number is added by the WhatsApp user id alone, found as the writer, and known by it once', async () => {
  const ann = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  const add = (fields: object) => ann.call('POST', '/api/contacts', { name: 'Meera', ...fields })
  expect((await add({})).body).toMatchObject({ code: 'validation_failed', fields: { phone: expect.any(String) } })
  expect((await add({ waUserId: '4711' })).body.fields).toEqual({ waUserId: 'This is not a WhatsApp user id' })
  const { status, body: meera } = await add({ waUserId: 'IN.4711' })
  expect([status, meera.waUserId, meera.phone]).toEqual([201, 'IN.4711', undefined])
  const writer = { phone: undefined, waUserId: 'IN.4711', name: 'M', username: undefined }
  expect((await parley.services.contacts.ensure({ workspaceId: ann.workspaceId }, [writer]))(writer)).toBe(meera.id)
  const message = 'Meera already has this WhatsApp user id.'
  expect((await add({ waUserId: 'IN.4711', phone: '+919876599901' })).body).toMatchObject({
    code: 'contact_exists',
    fields: { waUserId: message },
    existing: { id: meera.id },
  })
  const other = (await add({ phone: '+919876599902' })).body
  const path = `/api/contacts/${other.id}`
  expect((await ann.call('PATCH', path, { waUserId: 'IN.4711', version: 1 })).body.fields).toEqual({
    waUserId: message,
  })
  // A deleted contact gives up what another one is to be known by.
  await ann.call('POST', '/api/contacts/bulk', { ids: [meera.id], action: { kind: 'delete' } })
  expect((await ann.call('PATCH', path, { waUserId: 'IN.4711', version: 1 })).body).toMatchObject({
    waUserId: 'IN.4711',
  })
  expect((await ann.call('GET', '/api/contacts')).body.items).toHaveLength(1)
})

test('an edit of an older version is refused with the contact as it is now; a message in between refuses nothing', async () => {
  const { ann, ids } = await newcomerWith(parley, [{ name: 'Asha' }])
  const [id = ''] = ids
  const edit = (body: object) => ann.call('PATCH', `/api/contacts/${id}`, body)
  await parley.services.contacts.noteSightings({ workspaceId: ann.workspaceId }, [{ contactId: id, at: new Date() }], {
    session: undefined as never,
    emit: () => undefined,
    send: () => undefined,
  })
  const heard = (await ann.call('GET', `/api/contacts/${id}`)).body
  expect(heard).toMatchObject({ version: 2, lastContactAt: expect.any(String) })
  const saved = await edit({ name: 'Asha Rao', attributes: { 'a.b$': 'c' }, version: 1 })
  expect(saved.body).toMatchObject({ name: 'Asha Rao', attributes: { 'a.b$': 'c' }, version: 3 })
  const stale = await edit({ name: 'Ash', version: 2 })
  expect(stale.status).toBe(409)
  expect(stale.body).toMatchObject({ code: 'stale_version', current: saved.body })
  expect((await ann.call('POST', `/api/contacts/${id}/tags`, { tag: 'vip' })).body.tags).toEqual(['vip'])
  expect((await ann.call('POST', `/api/contacts/${id}/tags`, { tag: 'vip' })).body.version).toBe(4)
  expect((await ann.call('GET', '/api/contacts?q=ash+vip')).body.total).toBe(1)
})

test('the time of last contact moves forward alone, before what was written is stored', async () => {
  const { ann, ids } = await newcomerWith(parley, [{ name: 'Asha' }, { name: 'Meera' }])
  const [id = '', gone = ''] = ids
  const { services } = parley
  const scope = { workspaceId: ann.workspaceId }
  const outside = { session: undefined as never, emit: () => undefined, send: () => undefined }
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 9, minute))
  const read = async () => (await ann.call('GET', `/api/contacts/${id}`)).body
  // One who was never heard of is announced in the transaction.
  await services.contacts.noteTimes(scope, [{ contactId: id, at: at(1) }])
  expect((await read()).lastContactAt).toBe(null)
  await services.contacts.noteSightings(
    scope,
    [1, 3].map((minute) => ({ contactId: id, at: at(minute) })),
    outside,
  )
  await ann.call('POST', '/api/contacts/bulk', { ids: [gone], action: { kind: 'delete' } })
  await services.contacts.noteTimes(
    scope,
    [4, 5, 2].flatMap((minute) => [id, gone].map((contactId) => ({ contactId, at: at(minute) }))),
  )
  expect((await read()).lastContactAt).toBe(at(5).toISOString())
  const { version } = await read()
  await services.contacts.noteSightings(scope, [{ contactId: id, at: at(5) }], outside)
  await services.contacts.noteTimes(scope, [{ contactId: id, at: at(4) }])
  expect(await read()).toMatchObject({ version, lastContactAt: at(5).toISOString() })
  expect((await ann.call('GET', '/api/contacts')).body.items.map((one: { id: string }) => one.id)).toEqual([id])
})

test('some are tagged, deleted and restored', async () => {
  const { ann, ids } = await newcomerWith(parley, [{ name: 'A', tags: ['vip'] }, { name: 'B' }, { name: 'C' }])
  const bulk = async (some: readonly unknown[], action: object) =>
    (await ann.call('POST', '/api/contacts/bulk', { ids: some, action })).body
  expect((await bulk(ids, { kind: 'add_tag', tag: 'vip' })).ids.sort()).toEqual([ids[1], ids[2]].sort())
  expect((await bulk([ids[1], 'nobody'], { kind: 'remove_tag', tag: 'vip' })).ids).toEqual([ids[1]])
  const gone = await bulk([ids[0], ids[2]], { kind: 'delete' })
  expect(gone.ids.sort()).toEqual([ids[0], ids[2]].sort())
  const list = () => ann.ask('GET', '/api/contacts?sort=name')
  expect(await list()).toMatchObject({ total: 1, items: [{ name: 'B' }] })
  expect((await ann.call('GET', `/api/contacts/${ids[0]}`)).status).toBe(404)
  expect((await bulk(gone.ids, { kind: 'restore' })).ids.sort()).toEqual(gone.ids.sort())
  expect(await list()).toMatchObject({ total: 3, items: [{ name: 'A' }, { name: 'B' }, { name: 'C' }] })
})

test('a deleted contact comes back by being added again, with what is known of them', async () => {
  const { ann, ids } = await newcomerWith(parley, [{ name: 'Asha', tags: ['vip'] }])
  await ann.call('POST', '/api/contacts/bulk', { ids, action: { kind: 'delete' } })
  const { status, body } = await ann.call('POST', '/api/contacts', { name: 'Asha Rao', phone: '+919876543210' })
  expect([status, body.id, body.name, body.tags, body.source]).toEqual([201, ids[0], 'Asha Rao', [], 'manual'])
})

test('who is new writes and is a contact; who was deleted writes and is back', async () => {
  const ann = parley.signIn()
  const write = () =>
    parley.simulator.call('/inbound', {
      from: '919812345678',
      name: 'Asha Rao',
      type: 'text',
      text: { body: 'Hi' },
    })
  const found = () =>
    vi.waitFor(
      async () => {
        const { body } = await ann.call('GET', '/api/contacts?q=asha')
        // The contact is there a moment before the message is.
        expect(body.items).toMatchObject([{ lastContactAt: expect.any(String) }])
        return body.items[0]
      },
      { timeout: 120_000, interval: 50 },
    )
  await write()
  const contact = await found()
  expect(contact).toMatchObject({ phone: '+919812345678', source: 'inbound' })
  const { version } = contact
  await ann.call('PATCH', `/api/contacts/${contact.id}`, { name: 'Asha Devi', tags: ['vip'], version })
  expect((await ann.call('GET', '/api/conversations?q=devi&tag=vip')).body.items).toMatchObject([
    { contact: { id: contact.id, name: 'Asha Devi', tags: ['vip'] } },
  ])
  await ann.call('POST', '/api/contacts/bulk', { ids: [contact.id], action: { kind: 'delete' } })
  expect((await ann.call('GET', '/api/contacts')).body.total).toBe(0)
  await write()
  expect(await found()).toMatchObject({ id: contact.id })
})

test("another workspace's contacts can be neither read nor changed", async () => {
  const { ann, ids } = await newcomerWith(parley, [{ name: 'Asha', tags: ['vip'] }])
  const eve = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  const [id] = ids
  const refused = [
    await eve.call('GET', `/api/contacts/${id}`),
    await eve.call('PATCH', `/api/contacts/${id}`, { name: 'Mine', version: 1 }),
    await eve.call('POST', `/api/contacts/${id}/tags`, { tag: 'mine' }),
    await eve.call('DELETE', `/api/contacts/${id}/tags?tag=vip`),
    await eve.call('GET', '/api/contacts/guessed'),
  ]
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  for (const kind of ['delete', 'restore'])
    expect((await eve.call('POST', '/api/contacts/bulk', { ids, action: { kind } })).body.ids).toEqual([])
  const seen = [await eve.call('GET', '/api/contacts?q=asha'), await eve.call('GET', '/api/tags')]
  expect(seen.map(({ body }) => body.items)).toEqual([[], []])
  expect((await ann.call('GET', `/api/contacts/${id}`)).body).toMatchObject({ name: 'Asha', tags: ['vip'] })
  const viewer = parley.signIn({ role: 'viewer', workspaceId: ann.workspaceId })
  expect((await viewer.call('POST', `/api/contacts/${id}/tags`, { tag: 'x' })).status).toBe(403)
})
