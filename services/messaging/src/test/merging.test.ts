import { buffer } from 'node:stream/consumers'
import type { Contact } from '@parley/contracts/contacts/contacts'
import type { Message } from '@parley/contracts/inbox/messages'
import { newId } from '@parley/service-kit/data/plain'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { addContacts, eventually } from './campaign-fixtures.ts'
import { jobEnded } from './contact-fixtures.ts'
import { none, withMerging } from './merging-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<(typeof parley)['signIn']>
let people: ReturnType<typeof withMerging>
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
  people = withMerging(parley, ann)
})
afterAll(() => parley.stop())

test('two contacts become one: one thread, and what only one of them had', async () => {
  const { says, conversationsOf, textsOf, writer, merge, edit, undoes } = people
  const kept = await writer('919812500001', 'first', 'third')
  const other = await writer('919812500002', 'second')
  await edit(kept.contact, { name: 'Asha', tags: ['vip'], attributes: { city: 'Pune', plan: 'Gold' } })
  await edit(other.contact, { tags: ['vip', 'lead'], attributes: { city: 'Delhi', size: 'M' } })
  await ann.ask('POST', `/api/conversations/${other.conversation.id}/messages`, {
    content: { type: 'text', text: 'our answer' },
    clientId: 'answer-to-other',
  })

  const after = await merge(kept.contact, other.contact, { ...none, attributes: ['city'] })
  expect(after).toMatchObject({
    id: kept.contact.id,
    name: 'Asha',
    phone: '+919812500001',
    tags: ['vip', 'lead'],
    attributes: { city: 'Delhi', plan: 'Gold', size: 'M' },
  })
  const [thread, ...others] = await conversationsOf(after)
  expect(others).toEqual([])
  expect(thread).toMatchObject({ id: kept.conversation.id, unreadCount: 3, history: { messages: 4 } })
  await eventually(async () =>
    expect(await textsOf(kept.conversation)).toEqual(['first', 'our answer', 'second', 'third']),
  )
  // A request to the other address leads to the kept contact, and nothing is written unnoticed.
  expect((await ann.ask('GET', `/api/contacts/${other.contact.id}`)).id).toBe(after.id)
  expect((await ann.ask('GET', `/api/conversations/${other.conversation.id}`)).id).toBe(kept.conversation.id)
  const late = await ann.call('POST', `/api/conversations/${other.conversation.id}/messages`, {
    content: { type: 'text', text: 'too late' },
    clientId: 'too-late-here',
  })
  expect(late.status).toBe(404)
  const found = await ann.ask('GET', '/api/messages/search?q=second')
  expect(found.items.map(({ message }: { message: Message }) => message.conversationId)).toContain(kept.conversation.id)
  expect((await ann.ask('GET', '/api/contacts?q=9812500002')).items).toEqual([])
  expect((await ann.ask('GET', `/api/contacts/${after.id}/merged`)).items).toMatchObject([
    { id: other.contact.id, phone: '+919812500002', memberId: ann.userId },
  ])

  // The number that was given up becomes a new contact.
  await says('919812500002', 'me again')
  const again = await eventually(async () => {
    const [one]: Contact[] = (await ann.ask('GET', '/api/contacts?q=9812500002')).items
    expect(one).toBeDefined()
    return one
  })
  expect(again?.id).not.toBe(other.contact.id)
  const refused = await undoes(after, other.contact)
  expect([refused.status, refused.body.code]).toEqual([409, 'contact_exists'])
}, 120_000)

test('an undo parts what was joined, and keeps what has come since', async () => {
  const { contact, says, conversationsOf, textsOf, writer, merge, edit, undoes } = people
  const kept = await writer('919812500011', 'kept one', 'kept two')
  const other = await writer('919812500012', 'other one')
  await edit(kept.contact, { name: 'Kiran', attributes: { plan: 'Gold' } })
  await edit(other.contact, { name: 'Omar', tags: ['lead'], attributes: { plan: 'Silver', size: 'M' } })
  const after = await merge(kept.contact, other.contact, { name: true, account: true, attributes: ['plan'] })
  expect(after).toMatchObject({ name: 'Omar', phone: '+919812500012', attributes: { plan: 'Silver', size: 'M' } })
  await eventually(async () => expect(await textsOf(kept.conversation)).toHaveLength(3))

  await says('919812500012', 'since then')
  await eventually(async () => expect(await textsOf(kept.conversation)).toHaveLength(4))
  await edit(after, { tags: ['lead', 'new'] })

  expect((await undoes(after, other.contact)).body).toMatchObject({
    id: kept.contact.id,
    name: 'Kiran',
    phone: '+919812500011',
    tags: ['new'],
    attributes: { plan: 'Gold' },
  })
  expect(await contact(other.contact.id)).toMatchObject({
    id: other.contact.id,
    name: 'Omar',
    phone: '+919812500012',
    tags: ['lead'],
    attributes: { plan: 'Silver', size: 'M' },
  })
  await eventually(async () => expect(await textsOf(other.conversation)).toEqual(['other one']))
  expect(await textsOf(kept.conversation)).toEqual(['kept one', 'kept two', 'since then'])
  const [[left], [right]] = [await conversationsOf(kept.contact), await conversationsOf(other.contact)]
  expect(left).toMatchObject({ unreadCount: 3, history: { messages: 3 }, lastMessage: { text: 'since then' } })
  // The window goes with the account, to which the customer has written since.
  expect(left?.windowExpiresAt).toBe(kept.conversation.windowExpiresAt)
  expect(right?.windowExpiresAt).toBeDefined()
  expect(String(right?.windowExpiresAt) >= String(other.conversation.windowExpiresAt)).toBe(true)
  expect(right).toMatchObject({ unreadCount: 1, history: { messages: 1 }, lastMessage: { text: 'other one' } })
  expect((await ann.ask('GET', `/api/contacts/${kept.contact.id}/merged`)).items).toEqual([])
  // Each is written to again, and each writes into a thread of their own.
  await says('919812500012', 'and on')
  await eventually(async () => expect(await textsOf(other.conversation)).toEqual(['and on', 'other one']))
  expect((await undoes(kept.contact, other.contact)).status).toBe(404)
}, 120_000)

test('an event says which threads a merge has joined, and what has them; a session comes with its thread, and back', async () => {
  const { writer, merge, undoes } = people
  const kept = await writer('919812500061', 'kept one')
  const other = await writer('919812500062', 'other one')
  const by = { kind: 'bot', id: newId(), runId: newId() }
  const worker = parley.signInProcess('automation-worker', ann.workspaceId)
  const claim = (conversationId: string) => {
    const actions = [{ key: newId(), type: 'claim', botId: by.id }]
    return worker.call('POST', '/internal/actions', { by, conversationId, actions })
  }
  const ownerOf = async ({ conversation: { id } }: typeof kept) =>
    (await ann.ask('GET', `/api/conversations/${id}`)).owner.kind
  const events = parley.database.connection.collection('events')
  const told = () =>
    events
      .find({ type: 'contact.merged', 'data.contactId': kept.contact.id, seq: { $gt: 0 } })
      .sort({ seq: 1 })
      .toArray()
  expect((await claim(other.conversation.id)).body.facts.epoch).toBe(1)

  const after = await merge(kept.contact, other.contact)
  const thread = { keptId: kept.conversation.id, otherId: other.conversation.id }
  await eventually(async () => expect(await told()).toHaveLength(2))
  expect((await told()).map(({ data }) => data.threads)).toEqual([
    [{ ...thread, epoch: 2, session: 'kept' }],
    undefined,
  ])
  // Automation has not read of it yet, and tries again.
  expect((await claim(other.conversation.id)).status).toBe(503)
  expect(await ownerOf(kept)).toBe('bot')

  expect((await undoes(after, other.contact)).status).toBe(200)
  await eventually(async () => expect(await told()).toHaveLength(4))
  const back = (await told()).slice(2).map(({ data }) => [data.back, data.threads])
  expect(back).toEqual([
    [true, [{ ...thread, epoch: 3, session: 'other' }]],
    [true, undefined],
  ])
  expect([await ownerOf(kept), await ownerOf(other)]).toEqual(['nobody', 'bot'])
}, 120_000)

test('who is known by a number and who by a user id become one whom both find; an opt-out of one is one of both', async () => {
  const { contact, conversationsOf, textsOf, writer, merge, undoes } = people
  const { conversation, contact: hidden } = await writer('919812500021', 'Hi')
  const contacts = parley.database.connection.collection('contacts')
  const unset = { phone: 1, grams: 1 } as const
  await contacts.updateOne({ _id: new Types.ObjectId(hidden.id) }, { $set: { waUserId: 'IN.2500021' }, $unset: unset })
  await ann.ask('POST', `/api/contacts/${hidden.id}/consent`, { category: 'marketing', value: 'out', note: 'By phone' })
  const listed: Contact = await ann.ask('POST', '/api/contacts', { name: 'Lina', phone: '+919812500022' })
  await ann.ask('POST', `/api/contacts/${listed.id}/consent`, {
    category: 'marketing',
    value: 'in',
    note: 'In the shop',
  })

  const after = await merge(listed, hidden)
  expect(after).toMatchObject({
    phone: '+919812500022',
    waUserId: 'IN.2500021',
    optIn: { marketing: 'out', source: 'merge' },
  })
  // A thread that only the other one had is the thread of both; its window is open still.
  const [thread] = await conversationsOf(after)
  expect(thread?.windowExpiresAt).toBe(conversation.windowExpiresAt)
  await eventually(async () => expect(await textsOf({ id: String(thread?.id) })).toEqual(['Hi']))
  const entries = async ({ id }: Contact) => (await ann.ask('GET', `/api/contacts/${id}/consent`)).items
  expect(await entries(after)).toMatchObject([
    { value: 'out', source: 'merge', note: hidden.name, memberId: ann.userId },
    { value: 'in', source: 'agent' },
  ])
  await undoes(after, hidden)
  expect(await contact(listed.id)).toMatchObject({ optIn: { marketing: 'in' } })
  expect((await contact(listed.id)).waUserId).toBeUndefined()
  expect(await contact(hidden.id)).toMatchObject({ waUserId: 'IN.2500021', optIn: { marketing: 'out' } })
  expect((await entries(listed))[0]).toMatchObject({ source: 'merge', takenBackAt: expect.any(String) })
  // An address without an opt-out before the merge has none again; one with an opt-out still has it.
  const blocked = await parley.services.listConsent.suppressions(ann, [
    { phone: '+919812500022' },
    { waUserId: 'IN.2500021' },
  ])
  expect(blocked({ phone: '+919812500022' }, 'marketing')).toBe(false)
  expect(blocked({ waUserId: 'IN.2500021' }, 'marketing')).toBe(true)
}, 120_000)

test('whom WhatsApp tells to be one person is one contact; a number that is known with another user id is not', async () => {
  const { contact, says, textsOf, writer } = people
  const contacts = parley.database.connection.collection('contacts')
  const change = (of: Contact, update: object) => contacts.updateOne({ _id: new Types.ObjectId(of.id) }, update)
  const onList = (phone: string): Promise<Contact> =>
    ann.ask('POST', '/api/contacts', { name: 'Of the list', phone, tags: ['fair'], attributes: {} })
  const hide = { $unset: { phone: 1, grams: 1 } }
  const one = await writer('919812500051', 'From nowhere')
  await change(one.contact, hide)
  const listed = await onList('+919812500051')
  await says('919812500051', 'Now you see my number')
  await eventually(async () => expect((await contact(listed.id)).id).toBe(one.contact.id))
  const { waUserId } = one.contact
  expect(await contact(one.contact.id)).toMatchObject({ phone: '+919812500051', waUserId, tags: ['fair'] })
  const [merged] = (await ann.ask('GET', `/api/contacts/${one.contact.id}/merged`)).items
  expect([merged.id, merged.memberId]).toEqual([listed.id, undefined])
  await eventually(async () =>
    expect(await textsOf(one.conversation)).toEqual(['From nowhere', 'Now you see my number']),
  )
  // No member has asked for the move of its messages: it comes to its end all the same, and pages learn of that.
  const ofWorkspace = { workspaceId: new Types.ObjectId(ann.workspaceId) }
  const moved = { ...ofWorkspace, kind: 'contact-merge', startedBy: null, 'input.to': one.contact.id }
  await eventually(async () =>
    expect(await parley.database.connection.collection('jobs').findOne(moved)).toMatchObject({ state: 'done' }),
  )
  const told = { ...ofWorkspace, type: 'contact.merged', 'data.contactId': one.contact.id }
  expect(await parley.database.connection.collection('events').countDocuments(told)).toBe(2)

  const other = await writer('919812500052', 'From nowhere')
  await change(other.contact, hide)
  const before = await onList('+919812500052')
  await change(before, { $set: { waUserId: 'IN.somebody-before' } })
  await says('919812500052', 'I have this number now')
  await eventually(async () => expect(await textsOf(other.conversation)).toHaveLength(2))
  expect((await contact(before.id)).id).toBe(before.id)
}, 120_000)

test('what cannot be one is refused, and nobody finds those of another workspace', async () => {
  const { contact, tries, merge, edit, undoes } = people
  const ids = await addContacts(parley.database.connection, ann, { count: 4, firstPhone: 919_812_500_100, tags: [] })
  const [one, two, three, sample] = await Promise.all(ids.map(contact))
  if (!one || !two || !three || !sample) throw new Error('they were not added')
  await parley.database.connection
    .collection('contacts')
    .updateOne({ _id: new Types.ObjectId(sample.id) }, { $set: { sample: true } })
  expect((await tries(one, one)).status).toBe(409)
  expect((await tries(one, sample)).body.message).toMatch(/sample data/)
  expect((await tries(one, { ...two, id: newId() })).status).toBe(404)
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await tries(one, two, none, stranger)).status).toBe(404)
  expect((await tries(one, two, none, parley.signIn({ role: 'viewer' }))).status).toBe(403)
  // Another member has changed one of them meanwhile.
  await edit(two, { name: 'Renamed' })
  const stale = await tries(one, two)
  expect([stale.status, stale.body.code]).toEqual([409, 'stale_version'])
  // Two merges at once: one of them is refused.
  const now = await contact(two.id)
  const both = await Promise.all([tries(one, now), tries(now, one)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404])
  const [kept, other] = both[0]?.status === 200 ? [one, now] : [now, one]
  await merge(kept, three)
  expect((await undoes(kept, other)).body.message).toMatch(/later/)
  expect((await undoes(kept, three)).status).toBe(200)
  expect((await undoes(kept, other)).status).toBe(200)
  expect((await undoes(kept, other)).status).toBe(404)
}, 120_000)

test('one data subject: an export has what both have said, and an erasure leaves neither', async () => {
  const { writer, merge } = people
  const kept = await writer('919812500041', 'Quilombo of mine')
  const other = await writer('919812500042', 'Zarzuela of theirs')
  const refusal = { category: 'utility', value: 'out', note: 'By letter' }
  await ann.ask('POST', `/api/contacts/${other.contact.id}/consent`, refusal)
  const after = await merge(kept.contact, other.contact)
  const exported = await ann.ask('POST', `/api/contacts/${after.id}/export`)
  expect((await jobEnded(ann, exported.id)).state).toBe('done')
  const zip = await ann.request('GET', `/api/contact-jobs/${exported.id}/file`)
  const files = new Map<string, string>()
  const opened = await fromBufferPromise(Buffer.from(await zip.arrayBuffer()))
  for await (const entry of opened.eachEntry())
    files.set(entry.fileName, String(await buffer(await opened.openReadStreamPromise(entry))))
  expect(files.get('messages.json')).toMatch(/Quilombo[\s\S]*Zarzuela|Zarzuela[\s\S]*Quilombo/)
  expect(files.get('consent.json')).toMatch(/By letter/)

  const erased = await ann.ask('POST', `/api/contacts/${after.id}/erase`, { name: after.name })
  expect((await jobEnded(ann, erased.id)).state).toBe('done')
  const { db } = parley.database.connection
  await eventually(async () => {
    const found = new Set<string>()
    for (const { name } of (await db?.listCollections().toArray()) ?? [])
      for await (const document of db?.collection(name).find({}) ?? [])
        if (/98125000(41|42)|Quilombo|Zarzuela|By letter/.test(JSON.stringify(document))) found.add(name)
    expect([...found]).toEqual([])
  })
}, 120_000)
