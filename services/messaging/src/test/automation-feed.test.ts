import { defaultTimeZone } from '@parley/contracts/core/time-zones'
import { defaultOpeningHours } from '@parley/contracts/inbox/opening-hours'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { up as tellOfSampleData } from '../migrations/0240-told-of-sample-data.ts'
import { approvedTemplate, eventually } from './campaign-fixtures.ts'
import { withChats } from './chat-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

/** A workspace of this file alone: others look at theirs, too. */
const stranger = new Types.ObjectId().toHexString()
const worker = () => parley.signInProcess('automation-worker')
const textPath = (id: string) => `/internal/messages/${id}/text`

const namedPath = '/internal/events/named'

const calls = [
  ['GET', '/internal/events/due'],
  ['GET', '/internal/events?after=0'],
  ['GET', '/internal/events/history?since=2026-01-01T00:00:00.000Z'],
  ['POST', '/internal/events/read', { upTo: 0 }],
  ['PUT', '/internal/automation-state', { active: false, routingVersion: 0 }],
  ['GET', textPath(stranger)],
  ['POST', namedPath, { ids: [] }],
  ['POST', '/internal/lookups', {}],
  ['POST', '/internal/contacts', { of: { ids: [] } }],
  ['POST', '/internal/bot-failures', { sentence: 'It failed.', at: new Date(0).toISOString() }],
] as const

test('nobody but automation is let in, and not without a workspace', async () => {
  for (const [method, path, body] of calls) {
    expect((await parley.signIn().call(method, path, body)).status, path).toBe(401)
    expect((await parley.signInProcess('bff').call(method, path, body)).status, path).toBe(403)
    // Only the sweep reads all workspaces.
    const expected = path.endsWith('/due') ? 200 : 403
    expect((await parley.signInProcess('automation', null).call(method, path, body)).status, path).toBe(expected)
  }
})

test('the whole text of a long message is read in its own workspace alone', async () => {
  const { write, threadOf } = withChats(parley, parley.signIn())
  const body = `${'long '.repeat(200)}end`
  const conversation = await write('919812340071', 'Divya', body)
  const [message] = await threadOf(conversation)
  expect(await worker().ask('GET', textPath(message.id))).toEqual({ text: body })
  const path = textPath(message.id)
  expect((await parley.signInProcess('automation-worker', stranger).call('GET', path)).body.code).toBe('not_found')
  for (const id of ['x', new Types.ObjectId().toHexString()])
    expect((await worker().call('GET', textPath(id))).status).toBe(404)
  const { message: ours } = await parley.signIn().ask('POST', `/api/conversations/${conversation.id}/messages`, {
    content: { type: 'text', text: 'ours' },
  })
  expect((await worker().call('GET', textPath(ours.id))).status).toBe(404)
})

test('events are read by their ids in their own workspace, with the words of messages that are still there', async () => {
  const { write, threadOf } = withChats(parley, parley.signIn())
  await worker().ask('PUT', '/internal/automation-state', { active: true, routingVersion: 1 })
  const { head } = await worker().ask('GET', '/internal/events')
  const conversation = await write('919812340075', 'Hema', 'A table for two')
  const [message] = await threadOf(conversation)
  const { id } = await eventually(async () => {
    const { items } = await worker().ask('GET', `/internal/events?after=${head}`)
    const found = items.find(({ data }: { data: { said?: object } }) => data.said)
    expect(found).toBeDefined()
    return found
  })
  const body = { ids: [id, 'x', new Types.ObjectId().toHexString()] }
  const words = [{ messageId: message.id, text: 'A table for two' }]
  expect(await worker().ask('POST', namedPath, body)).toMatchObject({ items: [{ id }], texts: words })
  const elsewhere = parley.signInProcess('automation-worker', stranger)
  expect(await elsewhere.ask('POST', namedPath, body)).toEqual({ items: [], texts: [] })
  await parley.database.connection
    .collection('messages')
    .updateOne({ _id: new Types.ObjectId(message.id) }, { $set: { deletedAt: new Date() } })
  expect(await worker().ask('POST', namedPath, body)).toMatchObject({ items: [{ id }], texts: [] })
})

test('the log is found by a moment: what was recorded since is listed from there, in its own workspace', async () => {
  const { write } = withChats(parley, parley.signIn())
  await worker().ask('PUT', '/internal/automation-state', { active: true, routingVersion: 1 })
  const historyOf = (since: number, as = worker()) =>
    as.ask('GET', `/internal/events/history?since=${new Date(since).toISOString()}`)
  const { head: before } = await worker().ask('GET', '/internal/events')
  const listed = async (after: number, words: string) =>
    eventually(async () => {
      const { items } = await worker().ask('GET', `/internal/events?after=${after}`)
      const found = items.find(({ data }: { data: { said?: { text: string } } }) => data.said?.text === words)
      expect(found).toBeDefined()
      return found
    })
  await write('919812340076', 'Indu', 'Before')
  const first = await listed(before, 'Before')
  const since = Date.parse(first.recordedAt) + 1
  await write('919812340077', 'Jaya', 'Since')
  const second = await listed(before, 'Since')
  const { after } = await historyOf(since)
  expect([after >= first.seq, after < second.seq]).toEqual([true, true])
  const { head } = await historyOf(0)
  expect((await historyOf(Date.now() + 60_000)).after).toBeGreaterThanOrEqual(head)
  expect(await historyOf(0, parley.signInProcess('automation-worker', stranger))).toEqual({ after: 0, head: 0 })
})

test('an event that is not in the shape of its type is listed between the others', async () => {
  const { write } = withChats(parley, parley.signIn())
  await worker().ask('PUT', '/internal/automation-state', { active: true, routingVersion: 1 })
  const { head: before } = await worker().ask('GET', '/internal/events')
  await write('919812340074', 'Gita', 'Hi')
  const listed = async () => (await worker().ask('GET', `/internal/events?after=${before}`)).items
  const [first] = await eventually(async () => {
    const items = await listed()
    expect(items.length).toBeGreaterThan(1)
    return items
  })
  const { connection } = parley.database
  await connection
    .collection('events')
    .updateOne({ ...parley.inWorkspace, seq: first.seq }, { $set: { type: 'message.dreamt' } })
  const [changed, next] = await listed()
  expect([changed.type, changed.seq, next.seq > first.seq]).toEqual(['message.dreamt', first.seq, true])
})

test('contacts are read by their ids, and page by page of a segment; those of others are not known', async () => {
  const owner = parley.signIn()
  const make = (name: string, phone: string, tags: string[]) =>
    owner.ask('POST', '/api/contacts', { name, phone, tags, attributes: {} })
  const people = [
    await make('Vip one', '+919812340081', ['vip']),
    await make('Vip two', '+919812340082', ['vip']),
    await make('Nobody', '+919812340083', []),
  ]
  const ids = people.map(({ id }) => id).sort()
  const read = (of: object, as = worker()) => as.ask('POST', '/internal/contacts', { of })
  const known = await read({ ids: [...ids, stranger, 'x'] })
  expect(known.items.map(({ id }: { id: string }) => id).sort()).toEqual(ids)
  const all = { segmentId: 'vip', upTo: 'f'.repeat(24), limit: 1 }
  const first = await read({ ...all, after: '', count: true })
  expect([first.items.length, first.total]).toEqual([1, 2])
  const second = await read({ ...all, after: first.ids[0] })
  expect(second.items).toHaveLength(1)
  expect((await read({ ...all, after: second.ids[0] })).ids).toEqual([])
  const others = parley.signInProcess('automation-worker', stranger)
  expect((await read({ ids }, others)).items).toEqual([])
  expect(
    (await worker().call('POST', '/internal/contacts', { of: { ...all, segmentId: stranger, after: '' } })).status,
  ).toBe(404)
})

test('the contact of a phone number is found in any notation, made once where a call asks for it, and brought back', async () => {
  const owner = parley.signIn()
  const read = (of: object) => worker().ask('POST', '/internal/contacts', { of })
  const phone = '+5511987650001'
  expect(await read({ phone })).toEqual({ ids: [], items: [] })
  const many = await Promise.all(Array.from({ length: 8 }, () => read({ phone, create: { name: 'Bia' } })))
  const ids = new Set(many.flatMap(({ items }) => items.map(({ id }: { id: string }) => id)))
  expect([many.every(({ items }) => items.length === 1), ids.size]).toEqual([true, 1])
  const [id = ''] = ids
  expect((await read({ phone: '+551187650001' })).items).toMatchObject([{ id, name: 'Bia', phone }])
  await owner.ask('POST', '/api/contacts/bulk', { ids: [id], action: { kind: 'delete' } })
  expect((await read({ phone })).items).toEqual([])
  expect((await read({ phone, create: { name: '' } })).items).toMatchObject([{ id, name: phone }])
})

test('numbers, fields and templates that a flow names are looked up', async () => {
  const owner = parley.signIn()
  const field = await owner.ask('POST', '/api/contact-attributes', { label: 'Order date', type: 'date', choices: [] })
  const templateId = await approvedTemplate(parley)
  const known = await worker().ask('POST', '/internal/lookups', { templateIds: [templateId, stranger, 'x'] })
  expect(known.numbers).toEqual([
    { id: parley.number.id, name: 'Test Shop', businessAccountId: parley.simulatedNumber.accountId },
  ])
  expect(known.fields).toEqual([{ id: field.id, name: 'Order date', label: 'Order date', type: 'date', choices: [] }])
  expect(known.templates).toMatchObject([
    { id: templateId, status: 'approved', placeholders: ['1'], businessAccountId: parley.simulatedNumber.accountId },
  ])
  const tooMany = { templateIds: Array.from({ length: 201 }, () => templateId) }
  expect((await worker().call('POST', '/internal/lookups', tooMany)).status).toBe(400)
  const consentWords = {
    stop: ['STOP', 'UNSUBSCRIBE'],
    stopAll: ['STOP ALL'],
    start: ['START', 'SUBSCRIBE'],
    ignored: [],
  }
  expect(known.consentWords).toEqual(consentWords)
  await parley.signIn({ workspaceId: stranger }).ask('GET', '/api/sample-data')
  const others = await parley.signInProcess('automation', stranger).ask('POST', '/internal/lookups', {
    templateIds: [templateId],
  })
  // The answer outside the hours is no concern of bots.
  const { version: _version, awayAnswer: _awayAnswer, ...openingHours } = defaultOpeningHours(defaultTimeZone)
  expect(others).toEqual({
    numbers: [],
    fields: [],
    templates: [],
    forms: [],
    consentWords,
    openingHours,
    sampleData: { state: 'none' },
  })
})

test('what no bot has wanted goes to members, and bots elsewhere pass on nothing here', async () => {
  const { scope, services, number } = parley
  const ann = parley.signIn()
  await (await parley.members()).join(ann, 'Ann')
  const { version } = await ann.ask('GET', '/api/workspace/assignment')
  await ann.ask('PUT', '/api/workspace/assignment', { mode: 'round_robin', members: [ann.userId], version })
  const tell = (active: boolean, routingVersion: number, by = worker()) =>
    by.ask('PUT', '/internal/automation-state', { active, numberIds: [number.id], routingVersion })
  await tell(true, 2)
  // A late call does not undo a newer one, and nobody turns off what is of another workspace.
  await tell(false, 1)
  await tell(false, 3, parley.signInProcess('automation', stranger))
  const [passed, waiting] = [
    await withChats(parley, ann).write('919812340072', 'Esha', 'Hi'),
    await withChats(parley, ann).write('919812340073', 'Farah', 'Hi'),
  ]
  const stored = ({ id }: { id: string }) => services.conversations.read(scope, id)
  for (const conversation of [passed, waiting])
    await eventually(async () =>
      expect(await stored(conversation)).toMatchObject({ assignment: {}, owner: { kind: 'nobody' } }),
    )
  const read = { upTo: 0, passed: [passed.id, 'x'] }
  const elsewhere = parley.signInProcess('automation-worker', stranger)
  await elsewhere.ask('POST', '/internal/events/read', { upTo: 0, passed: [waiting.id] })
  await worker().ask('POST', '/internal/events/read', read)
  await worker().ask('POST', '/internal/events/read', read)
  await eventually(async () => expect((await stored(passed)).owner).toEqual({ kind: 'member', id: ann.userId }))
  expect((await stored(waiting)).owner.kind).toBe('nobody')
  await tell(false, 4)
})

test('where sample data was loaded before bots belonged to it, automation has something to read', async () => {
  const { connection } = parley.database
  const [loaded, cleared] = [new Types.ObjectId(), new Types.ObjectId()]
  const heads = connection.collection('eventHeads')
  await heads.insertMany([loaded, cleared].map((_id) => ({ _id, seq: 7, due: [] })))
  const states = [loaded, cleared].map((workspaceId, index) => ({
    workspaceId,
    state: index === 0 ? 'loaded' : 'cleared',
    toldAt: new Date(),
  }))
  await connection.collection('sampleData').insertMany(states)
  if (!connection.db) throw new Error('no database')
  await tellOfSampleData(connection.db)
  const { workspaceIds } = await parley.signInProcess('automation', null).ask('GET', '/internal/events/due')
  expect(workspaceIds).toContain(loaded.toHexString())
  expect(workspaceIds).not.toContain(cleared.toHexString())
})
