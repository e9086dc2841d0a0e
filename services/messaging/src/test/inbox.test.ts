import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { Message } from '@parley/contracts/inbox/messages'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

const list = '/api/conversations'
const pathOf = ({ id }: { id: string }) => `${list}/${id}`

let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<typeof parley.signIn>
let bob: typeof ann
let asha: Conversation
let zoe: Conversation
let mohan: Conversation

const writes = (from: string, name: string, body: string) =>
  parley.simulator.call('/inbound', { from, name, type: 'text', text: { body } })
const find = async (query: string, by = ann): Promise<Conversation[]> => {
  const { status, body } = await by.call('GET', `${list}${query}`)
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.items
}
const names = async (query: string, by = ann) => (await find(query, by)).map(({ contact }) => contact.name)
const threadOf = async (conversation: Conversation, query = ''): Promise<Message[]> =>
  (await ann.call('GET', `${pathOf(conversation)}/messages${query}`)).body.items
const change = (conversation: Conversation, json: object, by = ann) => by.call('PATCH', pathOf(conversation), json)
const read = async ({ id }: Conversation): Promise<Conversation> => (await ann.call('GET', `${list}/${id}`)).body

beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
  bob = parley.signIn({ role: 'agent' })
  const members = await parley.members()
  await members.join(ann, 'Ann Stone')
  await writes('919812340001', 'Asha Rao', 'first')
  await writes('919812340001', 'Asha Rao', 'second')
  await writes('919812340002', 'Zoë Šimić', 'hello')
  await writes('447700900123', 'Mohan', 'namaste')
  await eventually(async () => {
    const found = await find('')
    expect(found.reduce((sum, { unreadCount }) => sum + unreadCount, 0)).toBe(4)
    const byName = (name: string) => found.find(({ contact }) => contact.name === name)
    const [a, z, m] = [byName('Asha Rao'), byName('Zoë Šimić'), byName('Mohan')]
    if (!a || !z || !m) throw new Error('somebody has not been heard yet')
    asha = a
    zoe = z
    mohan = m
  })
})
afterAll(() => parley.stop())

test('a name is found by the beginnings of its words without accents, a number by any part', async () => {
  expect(await names('?q=zoe')).toEqual(['Zoë Šimić'])
  expect(await names('?q=SIM%20zo')).toEqual(['Zoë Šimić'])
  expect(await names('?q=oe')).toEqual([])
  expect(await names('?q=0090%200123')).toEqual(['Mohan'])
  expect((await names('?q=98123')).toSorted()).toEqual(['Asha Rao', 'Zoë Šimić'])
  expect(await names(`?q=${encodeURIComponent('👍')}`)).toEqual([])
  expect(await names(`?contact=${asha.contact.id}`)).toEqual(['Asha Rao'])
  expect(await names(`?number=${'f'.repeat(24)}`)).toEqual([])
})

test('pages follow each other without a gap, forwards and back', async () => {
  const all = await names('')
  expect(all).toHaveLength(3)
  const first = (await ann.call('GET', `${list}?limit=2`)).body
  expect(first).toMatchObject({ total: 3, previousCursor: null })
  const second = (await ann.call('GET', `${list}?limit=2&cursor=${first.nextCursor}`)).body
  expect([...first.items, ...second.items].map(({ contact }) => contact.name)).toEqual(all)
  const back = (await ann.call('GET', `${list}?limit=2&cursor=${second.previousCursor}`)).body
  expect(back.items).toEqual(first.items)
  expect((await ann.call('GET', `${list}?limit=2&show=open&cursor=${first.nextCursor}`)).status).toBe(400)
})

test('views show what they say, and the counters agree with them', async () => {
  await change(asha, { owner: { kind: 'member', id: ann.userId } })
  await change(mohan, { status: 'closed', read: true })
  expect(await names('?show=mine')).toEqual(['Asha Rao'])
  expect(await names('?show=mine', bob)).toEqual([])
  expect(await names(`?owner=${ann.userId}`, bob)).toEqual(['Asha Rao'])
  expect(await names('?show=unassigned')).toEqual(['Zoë Šimić'])
  expect(await names('?show=closed')).toEqual(['Mohan'])
  expect((await names('?show=unread')).toSorted()).toEqual(['Asha Rao', 'Zoë Šimić'])
  const { body: summary } = await ann.call('GET', `${list}/summary`)
  expect(summary).toEqual({
    total: 3,
    open: 2,
    unread: 3,
    views: { all: 3, mine: 1, mentions: 0, unassigned: 1, unread: 2, open: 2, snoozed: 0, closed: 1 },
  })
})

test('a list of a bot has what that bot has, in every view; of a member with the same id nothing', async () => {
  const bot = new Types.ObjectId().toHexString()
  // Bots take conversations by actions of their own.
  const { status, body } = await ann.call('PATCH', pathOf(zoe), { owner: { kind: 'bot', id: bot } })
  expect([status, body.code]).toEqual([400, 'validation_failed'])
  expect(JSON.stringify(body.fields)).toContain('POST /api/bots/:id/sessions')
  const set = (owner: object) =>
    parley.database.connection
      .collection('conversations')
      .updateOne({ _id: new Types.ObjectId(zoe.id) }, { $set: { owner } })
  await set({ kind: 'bot', id: bot })
  expect(await names(`?bot=${bot}`, bob)).toEqual(['Zoë Šimić'])
  expect(await names(`?bot=${bot}&show=open&sort=waiting&number=${zoe.numberId}`)).toEqual(['Zoë Šimić'])
  expect(await names(`?bot=${bot}&show=closed`)).toEqual([])
  expect(await names(`?owner=${bot}`)).toEqual([])
  expect(await names(`?bot=${ann.userId}`)).toEqual([])
  await set({ kind: 'workflow', id: bot })
  expect(await read(zoe)).toMatchObject({ owner: { kind: 'workflow', id: bot } })
  expect(await names(`?bot=${bot}`)).toEqual([])
  await change(zoe, { owner: { kind: 'nobody' } })
})

test('who waits longest comes first, and no longer waits once answered', async () => {
  // All have written within the same second, which is the platform's precision.
  const since = { $set: { waitingSince: new Date(Date.now() - 3_600_000) } }
  await parley.database.connection.collection('conversations').updateOne({ _id: new Types.ObjectId(asha.id) }, since)
  expect((await names('?sort=waiting'))[0]).toBe('Asha Rao')
  expect(await names('?sort=window')).toHaveLength(3)
  const sent = await ann.call('POST', `${pathOf(asha)}/messages`, { content: { type: 'text', text: 'Hello Asha' } })
  expect(sent.status).toBe(201)
  expect(await names('?sort=waiting')).not.toContain('Asha Rao')
})

test('the same client id twice is one message, also at the same moment', async () => {
  const message = { content: { type: 'text', text: 'Once' }, clientId: 'client-0001' }
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => ann.call('POST', `${pathOf(zoe)}/messages`, message)),
  )
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
  expect(new Set(answers.map(({ body }) => body.message.id)).size).toBe(1)
  const texts = (await threadOf(zoe)).filter(({ clientId }) => clientId === 'client-0001')
  expect(texts).toHaveLength(1)
  expect((await read(zoe)).history.messages).toBe(2)
})

test('read up to a message: what came after it stays unread', async () => {
  const [first] = await threadOf(asha)
  expect((await change(asha, { read: { upTo: first?.id } })).body.unreadCount).toBe(1)
  expect((await change(asha, { read: true })).body.unreadCount).toBe(0)
  const { body: again } = await change(asha, { read: true })
  const { body: unread } = await change(asha, { read: false })
  expect(unread.unreadCount).toBe(1)
  // A tick may have changed it, too.
  expect(unread.version).toBeGreaterThan(again.version)
  await change(asha, { read: true })
})

test('a thread is read around a message, and on from one', async () => {
  const all = await threadOf(asha)
  expect(all.map(({ content }) => content.type === 'text' && content.text)).toContain('Hello Asha')
  const [first, second] = all
  const around = (await ann.call('GET', `${pathOf(asha)}/messages?around=${second?.id}&limit=2`)).body
  expect(around.items.map(({ id }: Message) => id)).toEqual(all.slice(0, 3).map(({ id }) => id))
  expect(around).toMatchObject({ nextCursor: null, previousCursor: expect.any(String) })
  const newer = (await ann.call('GET', `${pathOf(asha)}/messages?limit=50&cursor=${around.previousCursor}`)).body
  expect(newer.items.map(({ id }: Message) => id)).toEqual(all.slice(3).map(({ id }) => id))
  const after = await threadOf(asha, `?after=${first?.id}`)
  expect(after.map(({ id }) => id)).toEqual(all.slice(1).map(({ id }) => id))
  const [ofZoe] = await threadOf(zoe)
  expect((await ann.call('GET', `${pathOf(asha)}/messages?after=${ofZoe?.id}`)).status).toBe(404)
})

test('a conversation is given to members alone, as they are now', async () => {
  const members = await parley.members()
  const elsewhere = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  const gone = parley.signIn()
  await members.join(elsewhere, 'Eve Elsewhere')
  await members.join(gone, 'Gina Gone', 'removed')
  const before = await read(mohan)
  for (const id of [elsewhere.userId, gone.userId, 'f'.repeat(24), 'somebody']) {
    const { status, body } = await change(mohan, { owner: { kind: 'member', id } })
    expect([status, body.code, body.fields], id).toEqual([
      400,
      'validation_failed',
      { owner: 'This person is not a member of the workspace. Choose somebody else.' },
    ])
  }
  expect(await read(mohan)).toEqual(before)
  const viewer = parley.signIn({ role: 'viewer' })
  expect((await change(mohan, { owner: { kind: 'member', id: ann.userId } }, viewer)).status).toBe(403)
})

test('two do not take a conversation from each other unseen; a message in between is no conflict', async () => {
  const seen = await read(zoe)
  await writes('919812340002', 'Zoë Šimić', 'still there?')
  await eventually(async () => expect((await read(zoe)).version).toBeGreaterThan(seen.version))
  const assigned = await change(zoe, { owner: { kind: 'member', id: bob.userId }, version: seen.version }, bob)
  expect(assigned.body).toMatchObject({ owner: { kind: 'member', id: bob.userId } })
  const late = await change(zoe, { owner: { kind: 'member', id: ann.userId }, version: seen.version })
  expect(late).toMatchObject({
    status: 409,
    body: { code: 'stale_version', current: { owner: { id: bob.userId }, version: assigned.body.version } },
  })
  const both = await Promise.all(
    [ann, bob].map((by) =>
      change(zoe, { owner: { kind: 'member', id: ann.userId }, version: assigned.body.version }, by),
    ),
  )
  // The later caller finds the change already made, or is refused.
  expect(both.some(({ status }) => status === 200)).toBe(true)
  expect((await read(zoe)).owner).toMatchObject({ id: ann.userId })
})

test('the thread says who did what, and a message of the customer opens a snoozed conversation again', async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString()
  expect((await change(mohan, { status: 'snoozed', snoozedUntil: until })).body).toMatchObject({
    status: 'snoozed',
    snoozedUntil: until,
  })
  const past = await change(mohan, { status: 'snoozed', snoozedUntil: '2020-01-01T00:00:00Z' })
  expect(past).toMatchObject({ status: 400, body: { fields: { snoozedUntil: expect.any(String) } } })
  const lines = (await threadOf(mohan)).flatMap(({ content, cause, direction }) =>
    content.type === 'system' ? [{ direction, by: cause.id, ...content.activity }] : [],
  )
  expect(lines).toEqual([
    { direction: 'note', by: ann.userId, kind: 'closed' },
    { direction: 'note', by: ann.userId, kind: 'snoozed', until },
  ])
  await writes('447700900123', 'Mohan', 'back')
  await eventually(async () => expect(await read(mohan)).toMatchObject({ status: 'open', unreadCount: 1 }))
  expect(await read(mohan)).not.toHaveProperty('snoozedUntil')
})

test('a snoozed conversation is back when its time has come, once, and the thread says so', async () => {
  const { changes } = parley.services
  const { connection } = parley.database
  const later = new Date(Date.now() + 3_600_000).toISOString()
  expect((await change(mohan, { status: 'snoozed', snoozedUntil: later })).status).toBe(200)
  await expectIndexed(connection, changes.due)
  // An hour later.
  await connection
    .collection('conversations')
    .updateOne({ _id: new Types.ObjectId(mohan.id) }, { $set: { snoozedUntil: new Date() } })
  await eventually(async () => expect(await read(mohan)).toMatchObject({ status: 'open' }))
  await Promise.all([1, 2].map(() => changes.wake({ ...parley.scope, id: mohan.id })))
  expect(await read(mohan)).not.toHaveProperty('snoozedUntil')
  const woken = (await threadOf(mohan)).filter(
    ({ content }) => content.type === 'system' && content.activity?.kind === 'woken',
  )
  expect(woken).toMatchObject([{ cause: { kind: 'member', id: ann.userId } }])
  await change(mohan, { status: 'snoozed' })
  expect(await changes.due()).toEqual([])
})

test("a member's message, a close and a change of owner raise the epoch by which bots are held off", async () => {
  const epoch = async () => (await parley.services.conversations.read(parley.scope, zoe.id)).ownerEpoch
  const before = await epoch()
  await ann.call('POST', `${pathOf(zoe)}/messages`, { content: { type: 'text', text: 'Me again' } })
  expect(await epoch()).toBe(before + 1)
  await change(zoe, { owner: { kind: 'nobody' } })
  await change(zoe, { owner: { kind: 'nobody' } })
  expect(await epoch()).toBe(before + 2)
  await change(zoe, { status: 'closed' })
  expect(await epoch()).toBe(before + 3)
})

test('who writes becomes the owner; closing frees the conversation, whoever had it', async () => {
  const say = (by: typeof ann) =>
    by.ask('POST', `${pathOf(zoe)}/messages`, { content: { type: 'text', text: 'Hello' } })
  await change(zoe, { status: 'open', owner: { kind: 'nobody' } })
  await say(ann)
  expect((await read(zoe)).owner).toEqual({ kind: 'member', id: ann.userId })
  const { version } = await read(zoe)
  await say(ann)
  // The owner is the same: nobody has to look again before they assign it.
  expect((await ann.call('PATCH', pathOf(zoe), { owner: { kind: 'nobody' }, version })).status).toBe(200)
  await say(ann)
  await say(bob)
  expect((await read(zoe)).owner).toEqual({ kind: 'member', id: bob.userId })
  expect((await ann.call('PATCH', pathOf(zoe), { owner: { kind: 'nobody' }, version })).status).toBe(409)
  const both = await ann.call('PATCH', pathOf(zoe), { status: 'closed', owner: { kind: 'member', id: ann.userId } })
  expect(both.body.fields).toHaveProperty('owner')
  await change(zoe, { status: 'closed' })
  expect(await read(zoe)).toMatchObject({ status: 'closed', owner: { kind: 'nobody' } })
  const [line] = (await threadOf(zoe)).slice(-1)
  expect(line).toMatchObject({ content: { activity: { kind: 'closed' } } })
  // A member takes it, although nobody has written.
  await change(zoe, { owner: { kind: 'member' } }, bob)
  await change(zoe, { status: 'open' })
  expect((await read(zoe)).owner).toEqual({ kind: 'member', id: bob.userId })
  await change(zoe, { status: 'closed' })
})

test('a conversation is opened by its contact: the latest one, or a new one from the default number', async () => {
  const { scope, services } = parley
  const open = (contactId: string) => ann.call('POST', list, { contactId })
  expect((await open(asha.contact.id)).body.id).toBe(asha.id)
  const person = { phone: '+919812349999', waUserId: undefined, name: 'Never Wrote', username: undefined }
  const contactId = (await services.contacts.ensure(scope, [person]))(person)
  const [first, second] = await Promise.all([open(contactId), open(contactId)])
  expect(first.status).toBe(200)
  expect(second.body.id).toBe(first.body.id)
  expect(first.body).toMatchObject({ numberId: parley.number.id, contact: { name: 'Never Wrote' } })
  expect(await names('')).not.toContain('Never Wrote')
  const refused = await ann.call('POST', `${list}/${first.body.id}/messages`, { content: { type: 'text', text: 'Hi' } })
  expect(refused).toMatchObject({ status: 409, body: { code: 'window_closed' } })
})

test('a member who writes into a closed conversation opens it again, a snoozed one stays put aside', async () => {
  const says = (text: string) =>
    ann.call('POST', `${pathOf(asha)}/messages`, { content: { type: 'text', text } }).then(({ status }) => status)
  await change(asha, { status: 'closed' })
  expect(await says('One more thing')).toBe(201)
  expect(await read(asha)).toMatchObject({ status: 'open', owner: { kind: 'member', id: ann.userId } })
  await change(asha, { status: 'snoozed', snoozedUntil: new Date(Date.now() + 3_600_000).toISOString() })
  expect(await says('And another')).toBe(201)
  expect((await read(asha)).status).toBe('snoozed')
  await change(asha, { status: 'open' })
})

test('a customer who opts out is marked in the inbox', async () => {
  const out = { category: 'marketing', value: 'out', note: 'Asked by phone' }
  expect((await ann.call('POST', `/api/contacts/${zoe.contact.id}/consent`, out)).status).toBe(201)
  expect((await read(zoe)).contact.optedOut).toBe(true)
  expect((await find('?q=zoe'))[0]?.contact.optedOut).toBe(true)
})

test('a workspace knows nothing of another one, and ids that are none are not found', async () => {
  const eve = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  const [message] = await threadOf(asha)
  const text = { content: { type: 'text', text: 'Mallory' } }
  for (const by of [eve, ann]) {
    const id = by === eve ? asha.id : 'guessed-1'
    const contactId = by === eve ? asha.contact.id : 'guessed-1'
    for (const [method, path, json] of [
      ['GET', `${list}/${id}`],
      ['GET', `${list}/${id}/messages`],
      ['GET', `${list}/${id}/messages?after=${message?.id}`],
      ['POST', `${list}/${id}/messages`, text],
      ['PATCH', `${list}/${id}`, { read: true }],
      ['POST', list, { contactId }],
    ] as const)
      expect([method, path, (await by.call(method, path, json)).status]).toEqual([method, path, 404])
  }
  expect(await names('', eve)).toEqual([])
  expect((await eve.call('GET', `${list}/summary`)).body).toMatchObject({ total: 0, unread: 0 })
})

test('a viewer reads and changes nothing', async () => {
  const vic = parley.signIn({ role: 'viewer' })
  expect(await names('?show=open', vic)).not.toEqual([])
  expect((await change(asha, { read: true }, vic)).status).toBe(403)
  expect((await vic.call('POST', `${pathOf(asha)}/messages`, { content: { type: 'text', text: 'x' } })).status).toBe(
    403,
  )
})

test('every list, counter and thread has its index', async () => {
  const [first] = await threadOf(asha)
  await expectIndexed(parley.database.connection, async () => {
    for (const show of ['all', 'mine', 'mentions', 'unassigned', 'unread', 'open', 'snoozed', 'closed'])
      for (const sort of ['newest', 'waiting', 'window']) await find(`?show=${show}&sort=${sort}`)
    await find(`?contact=${asha.contact.id}`)
    await ann.call('GET', `${list}/summary`)
    for (const query of ['', `?after=${first?.id}`, `?around=${first?.id}`]) await threadOf(asha, query)
  })
  // There are so few that they are read by the index of the condition, and then sorted.
  const few = { fewSorted: true }
  await expectIndexed(
    parley.database.connection,
    async () => {
      for (const sort of ['newest', 'waiting', 'window'])
        for (const query of [
          `owner=${ann.userId}&number=${asha.numberId}`,
          `bot=${ann.userId}&show=open`,
          `number=${asha.numberId}`,
        ])
          await find(`?sort=${sort}&${query}`)
    },
    few,
  )
})
