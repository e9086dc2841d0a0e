import type { Condition, ConditionGroup } from '@parley/contracts/contacts/conditions'
import { matchesGroup } from '@parley/flow/conditions'
import { contactValues } from '@parley/flow/contact-values'
import { workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import fc from 'fast-check'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createConditionParts } from '../modules/contacts/condition-parts.ts'
import { toContact } from '../modules/contacts/contact-fields.ts'
import { together } from '../modules/contacts/contact-query.ts'
import { type ContactRecord, contactSchema } from '../modules/contacts/contacts.model.ts'
import { createTagsRepository } from '../modules/contacts/tags/tags.repository.ts'
import { filters, now, people, tagNames } from './condition-arbitraries.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const newWorkspace = () => new Types.ObjectId().toHexString()
const only = (...conditions: ConditionGroup['conditions']): ConditionGroup => ({ match: 'all', conditions })
const any = (...conditions: ConditionGroup['conditions']): ConditionGroup => ({ match: 'any', conditions })
const is = (field: string, comparison: Condition['comparison'], value?: Condition['value']): Condition => ({
  field,
  comparison,
  ...(value !== undefined && { value }),
})

interface Person {
  readonly name: string
  readonly tags?: readonly string[]
  readonly attributes?: Record<string, string>
}

/** Adds a workspace with these contacts, and a member of it. */
async function withContacts(people: readonly Person[], workspaceId = newWorkspace()) {
  const ann = parley.signIn({ workspaceId })
  const ids: string[] = []
  for (const [index, { name, tags = [], attributes = {} }] of people.entries()) {
    const phone = `+9198765${43_210 + index}`
    const { status, body } = await ann.call('POST', '/api/contacts', { name, phone, tags, attributes })
    expect(status).toBe(201)
    ids.push(body.id)
  }
  const names = async (query: string): Promise<string[]> => {
    const answer = await ann.call('GET', `/api/contacts?${query}&sort=name`)
    expect(answer.status).toBe(200)
    return answer.body.items.map(({ name }: { name: string }) => name)
  }
  const segments = async () => (await ann.call('GET', '/api/segments')).body.items
  return { ann, ids, names, segments }
}

test('a saved segment finds and counts; it is renamed, changed and deleted', async () => {
  const { ann, names, segments } = await withContacts([
    { name: 'Asha', tags: ['VIP'], attributes: { city: 'Pune', orders: '12' } },
    { name: 'Bo', tags: ['lead'], attributes: { city: ' pune ', orders: '9' } },
    { name: 'Chen', attributes: { city: 'Delhi', since: '2026-03-02' } },
  ])
  const pune = only(
    is('attributes.city', 'equals', 'PUNE'),
    any(is('tags', 'contains', 'vip'), is('name', 'equals', 'x')),
  )
  const made = await ann.call('POST', '/api/segments', { name: 'Pune', filter: pune })
  expect(made).toMatchObject({ status: 201, body: { name: 'Pune', version: 1, count: 1 } })
  expect(made.body.description).toBe('City is PUNE and (Tag is vip or Name is x)')
  const { id } = made.body
  expect(await names(`segment=${id}`)).toEqual(['Asha'])
  expect((await ann.call('POST', '/api/segments', { name: 'PUNE', filter: pune })).body).toMatchObject({
    code: 'segment_exists',
    fields: { name: 'There is a segment named PUNE already.' },
  })

  const wider = only(is('attributes.city', 'contains', 'pun'))
  const changed = await ann.call('PATCH', `/api/segments/${id}`, { version: 1, name: 'Around Pune', filter: wider })
  expect(changed).toMatchObject({ status: 200, body: { name: 'Around Pune', version: 2, count: 2 } })
  expect(await names(`segment=${id}&q=bo`)).toEqual(['Bo'])
  const late = await ann.call('PATCH', `/api/segments/${id}`, { version: 1, name: 'Mine' })
  expect(late).toMatchObject({ status: 409, body: { code: 'stale_version', current: { name: 'Around Pune' } } })

  const selection = { filter: { segment: id, conditions: only(is('name', 'equals', 'bo')) } }
  const change = { selection, action: { kind: 'delete' } }
  expect((await ann.call('POST', '/api/contact-jobs/changes', change)).status).toBe(201)
  await vi.waitFor(async () => expect((await segments()).slice(4)).toMatchObject([{ id, count: 1 }]), {
    timeout: 60_000,
    interval: 50,
  })
  expect((await ann.call('DELETE', `/api/segments/${id}`)).status).toBe(204)
  expect(await segments()).toHaveLength(4)
  expect((await ann.call('GET', `/api/contacts?segment=${id}`)).status).toBe(404)
})

test('conditions that are not saved filter a list; what is no tree of conditions is refused', async () => {
  const { ann, names } = await withContacts([
    { name: 'Asha', attributes: { orders: '12' } },
    { name: 'Bo', attributes: { orders: '9' } },
  ])
  const query = (conditions: unknown) => `conditions=${encodeURIComponent(JSON.stringify(conditions))}`
  expect(await names(query(only(is('attributes.orders', 'less_than', 10))))).toEqual(['Bo'])
  expect(await names(query(only()))).toEqual(['Asha', 'Bo'])
  for (const wrong of [
    'conditions={',
    query({ match: 'none', conditions: [] }),
    query([]),
    query('x'),
    query(only(is('shoe', 'equals', '9'))),
  ])
    expect((await ann.call('GET', `/api/contacts?${wrong}`)).status).toBe(400)
})

test.each([
  ['a field that contacts have not', is('shoe', 'equals', '9'), 'field'],
  ['a comparison that makes no sense', is('tags', 'greater_than', 3), 'comparison'],
  ['no value', is('name', 'contains', ' '), 'value'],
  ['a choice that does not exist', is('source', 'equals', 'letter'), 'value'],
  ['no number of days', is('lastContactAt', 'within_days', 'soon'), 'value'],
  ['no day', is('createdAt', 'less_than', '2026-02-31x'), 'value'],
  ['a pattern instead of a number', is('attributes.orders', 'greater_than', '.*'), 'value'],
])('%s is refused at its place', async (_what, condition, at) => {
  const ann = parley.signIn({ workspaceId: newWorkspace() })
  const { status, body } = await ann.call('POST', '/api/segments', { name: 'S', filter: only(condition) })
  expect(status).toBe(400)
  expect(Object.keys(body.fields)).toEqual([`filter.conditions.0.${at}`])
})

test('a workspace has at most 50 segments', async () => {
  const ann = parley.signIn({ workspaceId: newWorkspace() })
  const create = async (name: string) =>
    (await ann.call('POST', '/api/segments', { name, filter: only(is('name', 'is_set')) })).status
  for (let index = 0; index < 50; index += 1) expect(await create(`Segment ${index}`)).toBe(201)
  expect(await create('One more')).toBe(409)
})

test("another workspace's segment is not there, and who may only read changes none", async () => {
  const { ann } = await withContacts([{ name: 'Asha' }])
  const filter = only(is('name', 'is_set'))
  const { id } = (await ann.call('POST', '/api/segments', { name: 'Named', filter })).body
  const eve = parley.signIn({ workspaceId: newWorkspace() })
  expect((await eve.call('PATCH', `/api/segments/${id}`, { version: 1, name: 'Mine' })).status).toBe(404)
  expect((await eve.call('DELETE', `/api/segments/${id}`)).status).toBe(404)
  expect((await eve.call('GET', `/api/contacts?segment=${id}`)).status).toBe(404)
  const bulk = { selection: { filter: { segment: id } }, action: { kind: 'delete' } }
  expect((await eve.call('POST', '/api/contact-jobs/changes', bulk)).status).toBe(404)
  expect((await eve.call('GET', '/api/segments')).body.items).toHaveLength(4)
  const viewer = parley.signIn({ workspaceId: ann.workspaceId, role: 'viewer' })
  expect((await viewer.call('POST', '/api/segments', { name: 'V', filter })).status).toBe(403)
})

test('segments and their contacts are read by an index', async () => {
  const { ann } = await withContacts([{ name: 'Asha', tags: ['vip'] }])
  const scope = { workspaceId: ann.workspaceId }
  const { segments, contactLists } = parley.services
  await expectIndexed(parley.database.connection, () => segments.list(scope))
  const few = { fewSorted: true }
  const conditions = only(
    is('name', 'contains', 'a'),
    any(is('tags', 'contains', 'VIP'), is('blocked', 'equals', true)),
  )
  for (const query of [{ segment: 'vip' }, { conditions }])
    await expectIndexed(
      parley.database.connection,
      () => contactLists.list(scope, { q: undefined, tags: undefined, conditions: undefined, sort: 'name', ...query }),
      few,
    )
})

test('MongoDB finds exactly those whom the evaluator finds in memory', { timeout: 300_000 }, async () => {
  const { database } = parley
  const contacts = workspaceCollection<ContactRecord>({
    connection: database.connection,
    name: 'contacts',
    schema: contactSchema,
  })
  const scope = { workspaceId: newWorkspace() }
  const sampled = fc.sample(people, { numRuns: 300, seed: 9 })
  await database.connection.collection('contacts').insertMany(
    sampled.map(({ marketing, ...person }, index) => ({
      ...Object.fromEntries(Object.entries(person).filter(([, value]) => value !== undefined)),
      workspaceId: new Types.ObjectId(scope.workspaceId),
      phone: `+9190000${10_000 + index}`,
      optIn: { marketing, source: 'test' },
      live: true,
      nameKey: '',
      words: [],
      grams: [],
      editedVersion: 1,
      version: 1,
      updatedAt: now,
    })),
  )
  const records = await contacts(scope).find({})
  expect(records).toHaveLength(sampled.length)
  const tags = createTagsRepository(database.connection)
  await tags.ensure(scope, tagNames)
  const partsOf = createConditionParts({ tags, now: () => now })
  await fc.assert(
    fc.asyncProperty(filters, async (filter) => {
      const found = await contacts(scope)
        .find(together(await partsOf(scope, filter), undefined))
        .select('_id')
      const expected = records.filter((record) => matchesGroup(filter, contactValues(toContact(record)), now))
      expect(found.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort())
    }),
    { numRuns: 400 },
  )
})
