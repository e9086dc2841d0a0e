import type { Permission } from '@parley/contracts/account/permissions'
import { contactTimelineApi, type TimelineItem } from '@parley/contracts/contacts/contact-timeline'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<(typeof parley)['signIn']>
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
})
afterAll(() => parley.stop())

const collection = (name: string) => parley.database.connection.collection(name)
const stored = (ids: Record<string, string>) =>
  Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, new Types.ObjectId(id)]))
let count = 0
const add = async (name: string) => {
  count += 1
  const phone = `+91981257${String(count).padStart(4, '0')}`
  return (await ann.ask('POST', '/api/contacts', { name, phone })).id as string
}
const page = async (id: string, query = '?limit=100') =>
  contactTimelineApi.read.response.parse(await ann.ask('GET', `/api/contacts/${id}/timeline${query}`))
const items = async (id: string): Promise<TimelineItem[]> => (await page(id)).items
/** Reads everything, page by page. */
async function inPages(id: string, limit: number): Promise<TimelineItem[]> {
  const all: TimelineItem[] = []
  for (let cursor = ''; ; ) {
    const { items: found, nextCursor } = await page(id, `?limit=${limit}${cursor && `&cursor=${cursor}`}`)
    all.push(...found)
    if (nextCursor === null) return all
    expect(found).toHaveLength(limit)
    cursor = nextCursor
  }
}
/** A campaign that has begun, with what has become of a contact in it. */
async function chosen(contactId: string, name: string, row: object, at = new Date()): Promise<string> {
  const id = new Types.ObjectId()
  const ids = stored({ workspaceId: ann.workspaceId, contactId })
  await collection('campaigns').insertOne({
    _id: id,
    name,
    startedAt: at,
    createdAt: at,
    workspaceId: ids['workspaceId'],
  })
  await collection('campaignRecipients').insertOne({ ...ids, campaignId: id, n: 0, ...row })
  return id.toHexString()
}
async function merge(keptId: string, otherId: string): Promise<void> {
  const [kept, other] = [
    await ann.ask('GET', `/api/contacts/${keptId}`),
    await ann.ask('GET', `/api/contacts/${otherId}`),
  ]
  const taken = { name: false, account: false, attributes: [] }
  const versions = { version: kept.version, otherVersion: other.version }
  await ann.ask('POST', `/api/contacts/${keptId}/merge`, { otherId, taken, ...versions })
}

test('how a contact was added, what they have agreed to, campaigns, notes and what was done with the conversation', async () => {
  const id = await add('Asha')
  await ann.ask('POST', `/api/contacts/${id}/consent`, { category: 'marketing', value: 'in', note: 'At the fair' })
  const { id: conversationId } = await ann.ask('POST', '/api/conversations', { contactId: id })
  await ann.ask('PATCH', `/api/conversations/${conversationId}`, { owner: { kind: 'member' } })
  await ann.ask('POST', `/api/conversations/${conversationId}/notes`, {
    text: 'Prefers the morning',
    clientId: 'timeline-note-1',
  })
  await ann.ask('PATCH', `/api/conversations/${conversationId}`, { status: 'closed' })
  const got = await chosen(id, 'Diwali', { state: 'read', replied: true })
  await chosen(id, 'Tea', { state: 'skipped', reason: 'opted_out' })
  await chosen(id, 'Sale', { state: 'failed', reason: '131026' })

  const entries = await items(id)
  // WhatsApp's times, and those of consent, have whole seconds: it may stand before or behind the first item.
  const latest = entries.slice(0, 6)
  expect(latest.map(({ kind }) => kind)).toEqual(['campaign', 'campaign', 'campaign', 'activity', 'note', 'activity'])
  const member = { kind: 'member', id: ann.userId }
  expect(latest).toMatchObject([
    { campaignName: 'Sale', state: 'failed', reason: expect.stringContaining('WhatsApp') },
    { campaignName: 'Tea', state: 'left_out', reason: 'Opted out.' },
    { campaignName: 'Diwali', campaignId: got, state: 'read', replied: true },
    { conversationId, cause: member, activity: { kind: 'closed' } },
    { conversationId, cause: member, text: 'Prefers the morning' },
    { conversationId, cause: member, activity: { kind: 'assigned', member: ann.userId } },
  ])
  expect(entries).toContainEqual(
    expect.objectContaining({ kind: 'added', source: 'manual', memberId: ann.userId, id: `added-${id}` }),
  )
  expect(entries).toContainEqual(
    expect.objectContaining({ kind: 'consent', value: 'in', source: 'agent', note: 'At the fair' }),
  )
})

test('who has written first, and who came with a file, is told so', async () => {
  const person = { phone: '+919812579001', waUserId: undefined, name: 'Ravi', username: undefined }
  const ravi = (await parley.services.contacts.ensure(parley.scope, [person]))(person)
  const [first, ...others] = await items(ravi)
  expect([first, others]).toEqual([{ kind: 'added', source: 'inbound', id: `added-${ravi}`, at: first?.at }, []])

  const uploaded = await fetch(`${parley.server.url}/api/imports?name=fair.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await ann.token()}`, 'content-type': 'application/octet-stream' },
    body: 'Name,Phone,Consent\nMeera,98125 79002,yes\n',
  })
  const { id: importId } = (await uploaded.json()) as { id: string }
  const reaches = (state: string) =>
    vi.waitFor(async () => expect((await ann.ask('GET', `/api/imports/${importId}`)).state).toBe(state))
  await ann.ask('PATCH', `/api/imports/${importId}`, { country: 'IN', targets: ['name', 'phone', 'consent'] })
  await ann.ask('POST', `/api/imports/${importId}/check`)
  await reaches('checked')
  await ann.ask('POST', `/api/imports/${importId}/run`)
  await reaches('done')
  const [meera] = (await ann.ask('GET', '/api/contacts?q=9812579002')).items
  const entries = await items(meera.id)
  expect(entries).toContainEqual(
    expect.objectContaining({ kind: 'added', source: 'import', import: { id: importId, fileName: 'fair.csv' } }),
  )
  expect(entries).toContainEqual(
    expect.objectContaining({ kind: 'consent', value: 'in', source: 'import', note: 'import: fair.csv, line 2' }),
  )
  expect(entries).toHaveLength(2)
  // Imports are kept for a year, contacts for longer.
  await collection('imports').deleteOne({ _id: new Types.ObjectId(importId) })
  expect((await items(meera.id)).find(({ kind }) => kind === 'added')).not.toHaveProperty('import')
})

test('what a contact came with is told once, also when more was recorded and taken back', async () => {
  const id = await add('Meera')
  const at = new Date('2026-01-02T03:04:05.000Z')
  const optIn = { marketing: 'in', source: 'checkout', at }
  await collection('contacts').updateOne({ _id: new Types.ObjectId(id) }, { $set: { optIn } })
  const consentIn = async () => (await items(id)).filter(({ kind }) => kind === 'consent')
  const came = { value: 'in', source: 'form', note: 'checkout', at: at.toISOString() }
  expect(await consentIn()).toMatchObject([came])
  await ann.ask('POST', `/api/contacts/${id}/consent`, { category: 'marketing', value: 'out', note: 'On the phone' })
  expect(await consentIn()).toMatchObject([{ value: 'out', source: 'agent' }, came])
  await collection('contacts').updateOne({ _id: new Types.ObjectId(id) }, { $set: { optIn } })
  expect(await consentIn()).toHaveLength(2)
})

test('whoever was merged into a contact counts as that contact, and the merge is told', async () => {
  const [kept, other, third] = [await add('Asha'), await add('Asha Rao'), await add('A. Rao')]
  await ann.ask('POST', `/api/contacts/${other}/consent`, { category: 'utility', value: 'out', note: 'Theirs' })
  await chosen(third, 'Theirs too', { state: 'sent' })
  const { id: conversationId } = await ann.ask('POST', '/api/conversations', { contactId: third })
  await ann.ask('POST', `/api/conversations/${conversationId}/notes`, {
    text: 'Of the third',
    clientId: 'timeline-note-2',
  })
  await merge(other, third)
  await merge(kept, other)
  const entries = await items(kept)
  const names = (kind: string) => entries.flatMap((item) => (item.kind === kind && 'name' in item ? [item.name] : []))
  expect(names('merged')).toEqual(['Asha Rao', 'A. Rao'])
  expect(names('added').toSorted()).toEqual(['A. Rao', 'Asha Rao'])
  expect(entries.filter(({ kind }) => kind === 'added')).toHaveLength(3)
  expect(entries[0]).toMatchObject({ kind: 'merged', name: 'Asha Rao', memberId: ann.userId })
  for (const part of [{ note: 'Theirs' }, { campaignName: 'Theirs too' }, { text: 'Of the third' }])
    expect(entries).toContainEqual(expect.objectContaining(part))
  // Notes come into the thread of the contact who stays behind the answer.
  await vi.waitFor(async () => expect(await items(third)).toEqual(await items(kept)))
  await expectIndexed(parley.database.connection, () =>
    parley.services.timeline(parley.scope, kept, { limit: 3, may: () => true }),
  )
})

test('pages have nothing twice and leave nothing out, also of things that happened at the same time', async () => {
  const [id, other] = [await add('Pooja'), await add('Pooja K')]
  await merge(id, other)
  const at = new Date('2026-03-01T10:00:00.000Z')
  const earlier = new Date('2026-02-01T10:00:00.000Z')
  for (const contactId of [id, other]) {
    const ids = stored({ workspaceId: ann.workspaceId, contactId })
    const entry = { ...ids, category: 'marketing', value: 'in', source: 'api', recordedAt: at }
    const note = {
      ...ids,
      ...stored({ conversationId: contactId, numberId: contactId }),
      direction: 'note',
      content: { type: 'text', text: 'x' },
      cause: { kind: 'member', id: 'm' },
      statusAt: {},
      version: 1,
    }
    for (const when of [at, at, at, earlier]) {
      count += 1
      await collection('consentEntries').insertOne({ ...entry, at: when, key: `test:${count}` })
      await collection('messages').insertOne({ ...note, sentAt: when })
      await chosen(contactId, `Campaign ${count}`, { state: 'sent' }, when)
    }
    await collection('contacts').updateOne({ _id: new Types.ObjectId(contactId) }, { $set: { createdAt: at } })
  }
  await collection('contacts').updateOne({ _id: new Types.ObjectId(other) }, { $set: { 'merged.at': at } })
  const whole = await items(id)
  expect(whole).toHaveLength(27)
  expect(new Set(whole.map((item) => item.id)).size).toBe(27)
  expect(whole.map((item) => item.at)).toEqual(whole.map((item) => item.at).toSorted((a, b) => b.localeCompare(a)))
  for (const limit of [1, 2, 3, 7, 26, 27]) expect(await inPages(id, limit)).toEqual(whole)
  expect((await page(id, '')).items).toHaveLength(20)
})

test('a place belongs to its contact, and nobody of another workspace has one', async () => {
  const [id, other] = [await add('Kiran'), await add('Kiran K')]
  await ann.ask('POST', `/api/contacts/${id}/consent`, { category: 'marketing', value: 'in', note: 'x' })
  const { nextCursor } = await page(id, '?limit=1')
  expect((await ann.call('GET', `/api/contacts/${other}/timeline?cursor=${nextCursor}`)).status).toBe(400)
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  for (const path of [`${id}/timeline`, `${id}/timeline?cursor=${nextCursor}`, 'nobody/timeline'])
    expect((await stranger.call('GET', `/api/contacts/${path}`)).status).toBe(404)
  expect((await parley.signIn({ role: 'viewer' }).call('GET', `/api/contacts/${id}/timeline`)).status).toBe(200)
})

test('what a caller has no permission to read is left out', async () => {
  const id = await add('Vikram')
  await chosen(id, 'Diwali', { state: 'sent' })
  const { id: conversationId } = await ann.ask('POST', '/api/conversations', { contactId: id })
  await ann.ask('POST', `/api/conversations/${conversationId}/notes`, { text: 'Seen', clientId: 'timeline-note-3' })
  const kindsWithout = async (refused: Permission) =>
    (await parley.services.timeline(parley.scope, id, { may: (permission) => permission !== refused })).items.map(
      ({ kind }) => kind,
    )
  expect(await kindsWithout('billing:read')).toEqual(['note', 'campaign', 'added'])
  expect(await kindsWithout('campaigns:read')).toEqual(['note', 'added'])
  expect(await kindsWithout('conversations:read')).toEqual(['campaign', 'added'])
})

test('nothing is told of a contact who is deleted or erased', async () => {
  const [deleted, erased] = [await add('Gone'), await add('Erased')]
  const statusOf = async (id: string) => (await ann.call('GET', `/api/contacts/${id}/timeline`)).status
  await ann.ask('POST', '/api/contacts/bulk', { ids: [deleted], action: { kind: 'delete' } })
  await ann.ask('POST', `/api/contacts/${erased}/erase`, { name: 'Erased' })
  expect([await statusOf(deleted), await statusOf(erased)]).toEqual([404, 404])
})
