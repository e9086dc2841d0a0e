import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const dayMs = 86_400_000
/** Somebody of a workspace of their own, with contacts that were heard of so many days ago. */
async function withContacts(rows: readonly { name: string; tags?: string[]; daysAgo?: number }[]) {
  const ann = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  const ids: string[] = []
  for (const [index, { name, tags = [] }] of rows.entries()) {
    const contact = { name, phone: `+9198765${43_210 + index}`, tags, attributes: {} }
    ids.push((await parley.services.contactChanges.create(ann, contact)).id)
  }
  const contacts = parley.database.connection.collection('contacts')
  for (const [index, { daysAgo }] of rows.entries())
    if (daysAgo !== undefined)
      await contacts.updateOne(
        { _id: new Types.ObjectId(ids[index]) },
        { $set: { lastContactAt: new Date(Date.now() - daysAgo * dayMs) } },
      )
  const names = async (query: string): Promise<string[]> => {
    const answer = await ann.call('GET', `/api/contacts?${query}`)
    expect(answer.status).toBe(200)
    expect(answer.body.total).toBe(answer.body.items.length)
    return answer.body.items.map(({ name }: { name: string }) => name)
  }
  return { ann, ids, names }
}

test('contacts are found by the beginnings of words, by any part of a number, and by filters', async () => {
  const { names } = await withContacts([
    { name: 'Zoë Flowers (Wholesale)', tags: ['vip'], daysAgo: 1 },
    { name: 'Meera Joshi', tags: ['lead', 'Big Order'], daysAgo: 40 },
    { name: 'Meena Zubair', tags: ['lead'], daysAgo: 100 },
    { name: 'प्रिया शर्मा' },
  ])
  expect(await names('sort=name')).toEqual(['Meena Zubair', 'Meera Joshi', 'Zoë Flowers (Wholesale)', 'प्रिया शर्मा'])
  expect(await names('q=ZOE')).toEqual(['Zoë Flowers (Wholesale)'])
  expect(await names('q=whole')).toEqual(['Zoë Flowers (Wholesale)'])
  expect(await names('q=z&sort=name')).toEqual(['Meena Zubair', 'Zoë Flowers (Wholesale)'])
  expect(await names('q=me+zu')).toEqual(['Meena Zubair'])
  expect(await names('q=order+jo')).toEqual(['Meera Joshi'])
  expect(await names('q=eera')).toEqual([])
  expect(await names(`q=${encodeURIComponent('शर्मा')}`)).toEqual(['प्रिया शर्मा'])
  expect(await names('q=098765+43211')).toEqual(['Meera Joshi'])
  expect(await names('q=3212')).toEqual(['Meena Zubair'])
  expect(await names('q=6543212')).toEqual(['Meena Zubair'])
  expect(await names('q=919')).toHaveLength(4)
  expect(await names('q=321')).toEqual([])
  expect(await names('q=.*')).toEqual([])
  expect(await names('tags=vip,Big+Order')).toEqual(['Zoë Flowers (Wholesale)', 'Meera Joshi'])
  expect(await names('tags=lead&q=me&lastContact=90d')).toEqual(['Meera Joshi'])
  expect(await names('lastContact=older')).toEqual(['Meena Zubair'])
  expect(await names('lastContact=never')).toEqual(['प्रिया शर्मा'])
  expect(await names('segment=leads')).toEqual(['Meera Joshi', 'Meena Zubair'])
  expect(await names('segment=active&tags=vip')).toEqual(['Zoë Flowers (Wholesale)'])
  expect(await names('')).toEqual(['Zoë Flowers (Wholesale)', 'Meera Joshi', 'Meena Zubair', 'प्रिया शर्मा'])
})

test('several words are found in names, tags or both, each contact once and in the order of the list', async () => {
  const { ann, names } = await withContacts([
    { name: 'Priya Gupta', daysAgo: 3 },
    { name: 'Gupta, (Priya)', daysAgo: 9 },
    { name: 'Priya', tags: ['gupta family'], daysAgo: 2 },
    { name: 'Anil Gupta', tags: ['via priya'], daysAgo: 8 },
    { name: '😀', tags: ['priya', 'gupta', 'pune'], daysAgo: 1 },
    { name: 'Priya Gupta of Pune', tags: ['priya gupta'] },
    { name: 'Priya Sharma', tags: ['gup'], daysAgo: 5 },
    { name: 'Ravi Gupta', daysAgo: 4 },
    { name: 'Priyanka Das', daysAgo: 6 },
  ])
  const byName = ['Anil Gupta', 'Gupta, (Priya)', 'Priya', 'Priya Gupta', 'Priya Gupta of Pune', 'Priya Sharma', '😀']
  expect(await names('q=pri+gup&sort=name')).toEqual(byName)
  expect(await names('q=gup+pri&sort=last_contact')).toEqual([
    ...['😀', 'Priya', 'Priya Gupta', 'Priya Sharma', 'Anil Gupta', 'Gupta, (Priya)', 'Priya Gupta of Pune'],
  ])
  expect(await names('q=gup+pun+pri&sort=name')).toEqual(['Priya Gupta of Pune', '😀'])
  const paged: string[] = []
  for (let cursor = ''; ; ) {
    const { items, nextCursor, total } = (await ann.call('GET', `/api/contacts?q=pri+gup&sort=name&limit=2${cursor}`))
      .body
    expect(total).toBe(byName.length)
    paged.push(...items.map(({ name }: { name: string }) => name))
    if (nextCursor === null) break
    cursor = `&cursor=${nextCursor}`
  }
  expect(paged).toEqual(byName)
})

test('segments and tags are counted live', async () => {
  const { ann, ids } = await withContacts([
    { name: 'A', tags: ['vip', 'lead'], daysAgo: 2 },
    { name: 'B', tags: ['lead'], daysAgo: 31 },
  ])
  const counts = async () => [
    (await ann.call('GET', '/api/segments')).body.items.map(({ id, count }: never) => [id, count]),
    (await ann.call('GET', '/api/tags')).body.items.map(({ name, contacts }: never) => [name, contacts]),
  ]
  expect(await counts()).toEqual([
    [
      ['all', 2],
      ['vip', 1],
      ['leads', 2],
      ['active', 1],
    ],
    [
      ['vip', 1],
      ['lead', 2],
    ],
  ])
  await ann.call('POST', '/api/contacts/bulk', { ids: [ids[0]], action: { kind: 'delete' } })
  await ann.call('DELETE', `/api/contacts/${ids[1]}/tags?tag=lead`)
  expect(await counts()).toEqual([
    [
      ['all', 1],
      ['vip', 0],
      ['leads', 0],
      ['active', 0],
    ],
    [],
  ])
})

test('a list is read page by page, forwards and back, whatever comes in between', async () => {
  const { ann } = await withContacts(Array.from({ length: 7 }, (_, index) => ({ name: `Person ${index}` })))
  const page = async (cursor?: string) => {
    const { body } = await ann.call('GET', `/api/contacts?sort=name&limit=3${cursor ? `&cursor=${cursor}` : ''}`)
    return { ...body, names: body.items.map(({ name }: { name: string }) => name) }
  }
  const first = await page()
  expect(first).toMatchObject({ names: ['Person 0', 'Person 1', 'Person 2'], previousCursor: null, total: 7 })
  await ann.call('POST', '/api/contacts', { name: 'Person 00', phone: '+919876500001' })
  const second = await page(first.nextCursor)
  expect(second.names).toEqual(['Person 3', 'Person 4', 'Person 5'])
  expect((await page(second.nextCursor)).names).toEqual(['Person 6'])
  expect((await page(second.previousCursor)).names).toEqual(['Person 00', 'Person 1', 'Person 2'])
  expect((await ann.call('GET', `/api/contacts?cursor=${first.nextCursor}`)).status).toBe(400)
})

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
  const { ann, ids } = await withContacts([{ name: 'Asha' }])
  const [id = ''] = ids
  const edit = (body: object) => ann.call('PATCH', `/api/contacts/${id}`, body)
  await parley.services.contacts.noteSightings({ workspaceId: ann.workspaceId }, [{ contactId: id, at: new Date() }], {
    session: undefined as never,
    emit: () => undefined,
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

test('some are tagged, deleted and restored', async () => {
  const { ann, ids, names } = await withContacts([{ name: 'A', tags: ['vip'] }, { name: 'B' }, { name: 'C' }])
  const bulk = async (some: readonly unknown[], action: object) =>
    (await ann.call('POST', '/api/contacts/bulk', { ids: some, action })).body
  expect((await bulk(ids, { kind: 'add_tag', tag: 'vip' })).ids.sort()).toEqual([ids[1], ids[2]].sort())
  expect((await bulk([ids[1], 'nobody'], { kind: 'remove_tag', tag: 'vip' })).ids).toEqual([ids[1]])
  const gone = await bulk([ids[0], ids[2]], { kind: 'delete' })
  expect(gone.ids.sort()).toEqual([ids[0], ids[2]].sort())
  expect(await names('')).toEqual(['B'])
  expect((await ann.call('GET', `/api/contacts/${ids[0]}`)).status).toBe(404)
  expect((await bulk(gone.ids, { kind: 'restore' })).ids.sort()).toEqual(gone.ids.sort())
  expect(await names('sort=name')).toEqual(['A', 'B', 'C'])
})

test('a deleted contact comes back by being added again, with what is known of them', async () => {
  const { ann, ids } = await withContacts([{ name: 'Asha', tags: ['vip'] }])
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
      { timeout: 30_000, interval: 50 },
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

test('no list walks the whole collection; only what few match is sorted in memory', async () => {
  const { ann } = await withContacts([{ name: 'Asha Rao', tags: ['vip', 'lead'], daysAgo: 1 }, { name: 'Bo' }])
  const { contactLists } = parley.services
  const scope = { workspaceId: ann.workspaceId }
  const { connection } = parley.database
  for (const sort of ['last_contact', 'name', 'newest'] as const)
    await expectIndexed(connection, async () => {
      const { nextCursor } = await contactLists.list(scope, { sort, limit: 1 })
      await contactLists.list(scope, { sort, limit: 1, cursor: nextCursor ?? '' })
    })
  await expectIndexed(connection, async () => {
    await parley.services.segments.list(scope)
    await contactLists.tags(scope)
  })
  const searches = [
    { q: 'as ra' },
    { q: '43210' },
    { q: '91' },
    { tags: ['vip'], segment: 'leads' },
    { lastContact: '7d' },
  ]
  for (const search of searches as Parameters<typeof contactLists.list>[1][])
    await expectIndexed(connection, () => contactLists.list(scope, { ...search, sort: 'name' }), { fewSorted: true })
})

test("another workspace's contacts can be neither read nor changed", async () => {
  const { ann, ids } = await withContacts([{ name: 'Asha', tags: ['vip'] }])
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
