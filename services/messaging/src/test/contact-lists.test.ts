import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newcomerWith } from './contact-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const dayMs = 86_400_000
/** Adds a member of a new workspace, with contacts last heard of `daysAgo` days ago. */
async function withContacts(people: readonly { name: string; tags?: string[]; daysAgo?: number }[]) {
  const { ann, ids } = await newcomerWith(parley, people)
  const contacts = parley.database.connection.collection('contacts')
  for (const [index, { daysAgo }] of people.entries())
    if (daysAgo !== undefined)
      await contacts.updateOne(
        { _id: new Types.ObjectId(ids[index]) },
        { $set: { lastContactAt: new Date(Date.now() - daysAgo * dayMs) } },
      )
  const names = async (query: string): Promise<string[]> => {
    const { items, total } = await ann.ask('GET', `/api/contacts?${query}`)
    expect(total).toBe(items.length)
    return items.map(({ name }: { name: string }) => name)
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
  expect(await names('q=321')).toHaveLength(4)
  expect(await names('q=322')).toEqual([])
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
