import type { SuggestedMerge } from '@parley/contracts/contacts/contact-merge'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import fc from 'fast-check'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobEnded } from './contact-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const newcomer = () => parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
type Person = ReturnType<typeof newcomer>

/** All contacts as people see them, without what counts changes. */
async function contactsOf(by: Person): Promise<object[]> {
  const { items }: { items: Contact[] } = await by.ask('GET', '/api/contacts?sort=name&limit=100')
  return items
    .map(
      ({
        version: _version,
        editedVersion: _edited,
        updatedAt: _at,
        ...contact
      }: Contact & { editedVersion?: number }) => contact,
    )
    .toSorted((left, right) => left.id.localeCompare(right.id))
}
async function suggestionsOf(by: Person): Promise<SuggestedMerge[]> {
  const found: SuggestedMerge[] = []
  let next: string | null = ''
  while (next !== null) {
    const page: { items: SuggestedMerge[]; next: string | null } = await by.ask(
      'GET',
      `/api/contact-merges/suggestions${next && `?after=${next}`}`,
    )
    found.push(...page.items)
    next = page.next
  }
  return found
}
const pairOf = ({ kept, other }: Pick<SuggestedMerge, 'kept' | 'other'>) => ({
  keptId: kept.id,
  version: kept.version,
  otherId: other.id,
  otherVersion: other.version,
})
const start = (by: Person, pairs: readonly object[]) => by.call('POST', '/api/contact-merges', { pairs })
async function mergeAll(by: Person, pairs: readonly object[]) {
  const { status, body } = await start(by, pairs)
  expect([status, body.task], JSON.stringify(body)).toEqual([201, { kind: 'merge' }])
  return jobEnded(by, body.id)
}
const undo = async (by: Person, id: string | undefined) =>
  jobEnded(by, (await by.ask('POST', `/api/contact-jobs/${id}/undo`)).id)

/** Adds a customer who hides the phone number. */
const hidden = ({ workspaceId }: Person, name: string, waUserId: string) =>
  parley.services.contacts.ensure({ workspaceId }, [{ phone: undefined, waUserId, name, username: undefined }])

const personArbitrary = fc.record({
  name: fc.constantFrom('Asha Rao', 'Bo Lind', 'Chen Wei'),
  email: fc.constantFrom('one@example.com', 'two@example.com', undefined),
  city: fc.constantFrom('Pune', 'Goa', undefined),
  tags: fc.uniqueArray(fc.constantFrom('vip', 'lead', 'new'), { maxLength: 2 }),
  isHidden: fc.boolean(),
})

test('merged all at once and separated again, contacts are as they were, whatever they had', async () => {
  let phone = 919812600000
  await fc.assert(
    fc.asyncProperty(fc.array(personArbitrary, { minLength: 2, maxLength: 8 }), async (people) => {
      const ann = newcomer()
      for (const [index, { name, email, city, tags, isHidden }] of people.entries()) {
        phone += 1
        const attributes = { ...(email && { email }), ...(city && { city }) }
        if (isHidden) await hidden(ann, name, `IN.${index}`)
        else await ann.ask('POST', '/api/contacts', { name, phone: `+${phone}`, tags, attributes })
      }
      const before = await contactsOf(ann)
      const pairs = await suggestionsOf(ann)
      // Each contact is merged once at most, and none that stays.
      const others = pairs.map(({ other }) => other.id)
      expect(new Set(others).size).toBe(others.length)
      expect(pairs.filter(({ kept }) => others.includes(kept.id))).toEqual([])
      if (pairs.length === 0) return
      const job = await mergeAll(ann, pairs.map(pairOf))
      expect([job?.state, job?.changed, job?.kept, job?.canUndo]).toEqual(['done', pairs.length, 0, true])
      expect(await contactsOf(ann)).toHaveLength(before.length - pairs.length)
      expect(await suggestionsOf(ann)).toEqual([])
      const back = await undo(ann, job?.id)
      expect([back?.state, back?.changed, back?.kept]).toEqual(['done', pairs.length, 0])
      expect(await contactsOf(ann)).toEqual(before)
    }),
    { numRuns: 12 },
  )
}, 240_000)

test('a pair that has changed stays as it is, an erased one stays erased, and the bell tells who has asked', async () => {
  const ann = newcomer()
  const add = async (name: string, phone: string, email: string) =>
    ann.ask('POST', '/api/contacts', { name, phone, attributes: { email } })
  for (const [index, name] of ['Asha', 'Bo', 'Chen'].entries())
    for (const digit of [1, 2]) await add(name, `+9198127000${index}${digit}`, `${name}@example.com`)
  const [asha, bo, chen] = await suggestionsOf(ann)
  if (!asha || !bo || !chen) throw new Error('nothing is suggested')
  expect([asha, bo, chen].map(({ because }) => because)).toEqual(['email', 'email', 'email'])
  // Chen is changed meanwhile.
  await ann.ask('PATCH', `/api/contacts/${chen.other.id}`, { version: chen.other.version, attributes: { city: 'Goa' } })
  const job = await mergeAll(ann, [asha, bo, chen].map(pairOf))
  expect([job?.changed, job?.kept]).toEqual([2, 1])
  expect((await ann.ask('GET', `/api/contacts/${chen.other.id}`)).attributes).toMatchObject({ city: 'Goa' })
  const { items } = await ann.ask('GET', '/api/notifications')
  expect(items).toMatchObject([
    { title: '2 pairs of contacts merged', object: { kind: 'contact_merges', id: job?.id }, severity: 'warning' },
  ])
  // Before the undo one of them is erased, with the record of who was merged into them.
  const { id } = await ann.ask('POST', `/api/contacts/${asha.kept.id}/erase`, { name: asha.kept.name })
  expect((await jobEnded(ann, id))?.state).toBe('done')
  const back = await undo(ann, job?.id)
  expect([back?.changed, back?.kept]).toEqual([1, 1])
  expect((await ann.call('GET', `/api/contacts/${asha.other.id}`)).status).toBe(404)
  expect((await ann.ask('GET', `/api/contacts/${bo.other.id}`)).name).toBe('Bo')
  expect((await ann.call('POST', `/api/contact-jobs/${job?.id}/undo`)).body.code).toBe('wrong_state')
  await expectIndexed(parley.database.connection, () => suggestionsOf(ann))
}, 120_000)

test('of three of one person none is merged into one who was changed, and what a member has merged again stays', async () => {
  const ann = newcomer()
  const add = async (name: string, phone: string) =>
    ann.ask('POST', '/api/contacts', { name, phone, attributes: { email: 'asha@example.com' } })
  for (const digit of [1, 2, 3]) await add('Asha', `+91981270010${digit}`)
  const pairs = await suggestionsOf(ann)
  const [first, second] = pairs
  if (!first || !second) throw new Error('nothing is suggested')
  expect([pairs.length, second.kept.id]).toEqual([2, first.kept.id])
  await ann.ask('PATCH', `/api/contacts/${first.kept.id}`, { version: first.kept.version, name: 'Somebody else' })
  expect(await mergeAll(ann, pairs.map(pairOf))).toMatchObject({ changed: 0, kept: 2 })

  const [again] = await suggestionsOf(ann)
  if (!again) throw new Error('nothing is suggested any more')
  const job = await mergeAll(ann, [pairOf(again)])
  const { merging } = parley.services
  await merging.undo(ann, again.kept.id, again.other.id)
  const versionOf = async (id: string) => (await ann.ask('GET', `/api/contacts/${id}`)).version
  const versions = { version: await versionOf(again.kept.id), otherVersion: await versionOf(again.other.id) }
  const taken = { name: false, account: false, attributes: [] }
  await merging.merge(ann, again.kept.id, { otherId: again.other.id, ...versions, taken })
  expect(await undo(ann, job?.id)).toMatchObject({ changed: 0, kept: 1 })
  expect((await ann.call('GET', `/api/contacts/${again.other.id}`)).body.id).not.toBe(again.other.id)
}, 60_000)

test('the pair that merges had in hand when they were stopped is separated too', async () => {
  const ann = newcomer()
  for (const digit of [1, 2])
    await ann.ask('POST', '/api/contacts', {
      name: 'Bo',
      phone: `+91981270020${digit}`,
      attributes: { email: 'bo@example.com' },
    })
  const before = await contactsOf(ann)
  const [pair] = await suggestionsOf(ann)
  if (!pair) throw new Error('nothing is suggested')
  const job = await mergeAll(ann, [pairOf(pair)])
  // As when a worker is killed between the merge and its checkpoint, and the member stops the job then.
  await parley.database.connection
    .collection('jobs')
    .updateOne({ _id: new Types.ObjectId(job?.id) }, { $set: { state: 'cancelled', checkpoint: null } })
  expect(await undo(ann, job?.id)).toMatchObject({ changed: 1, kept: 0 })
  expect(await contactsOf(ann)).toEqual(before)
}, 60_000)

test('contacts of another workspace, a chain, and more than one member may take off the list are refused', async () => {
  const [ann, eve] = [newcomer(), newcomer()]
  for (const by of [ann, eve])
    for (const digit of [1, 2])
      await by.ask('POST', '/api/contacts', {
        name: 'Asha',
        phone: `+91981280000${digit}`,
        attributes: { email: 'asha@example.com' },
      })
  const [pair] = await suggestionsOf(ann)
  if (!pair) throw new Error('nothing is suggested')
  expect(await mergeAll(eve, [pairOf(pair)])).toMatchObject({ changed: 0, kept: 1, canUndo: false })
  expect(await contactsOf(ann)).toHaveLength(2)
  const { kept: other, other: kept } = pair
  expect((await start(ann, [pairOf(pair), pairOf({ kept, other })])).status).toBe(400)
  expect(
    (
      await parley
        .signIn({ role: 'viewer', workspaceId: ann.workspaceId })
        .call('POST', '/api/contact-merges', { pairs: [pairOf(pair)] })
    ).status,
  ).toBe(403)
  await parley.database.connection.collection('approvalRules').insertOne({
    workspaceId: new Types.ObjectId(ann.workspaceId),
    ...{
      campaignRecipients: null,
      campaignCost: null,
      exportedContacts: null,
      deletedContacts: 1,
      numberRemoval: false,
    },
    version: 1,
  })
  const third = { ...pairOf(pair), otherId: new Types.ObjectId().toHexString() }
  expect((await start(ann, [pairOf(pair), third])).body).toMatchObject({ code: 'wrong_state' })
  expect((await start(ann, [pairOf(pair)])).status).toBe(201)
}, 60_000)
