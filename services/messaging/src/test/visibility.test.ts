import { can } from '@parley/contracts/account/permissions'
import type { Endpoint } from '@parley/contracts/core/endpoint'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import { endpointsOf } from '@parley/processes/endpoints'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConversationRecord } from '../modules/inbox/conversations/conversations.model.ts'
import { createSeesFile } from '../modules/inbox/conversations/sees-file.ts'
import { viewersOf } from '../modules/inbox/conversations/visible-to.ts'
import { approvedTemplate, eventually } from './campaign-fixtures.ts'
import { withChats } from './chat-fixtures.ts'
import { onPhone, sweepReleased } from './files.ts'
import { listen } from './listen.ts'
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
type Person = ReturnType<typeof parley.signIn>
/** Owner, the agent who is limited, and a colleague who has what that one must not see. */
let ann: Person
let bob: Person
let cleo: Person
let chats: ReturnType<typeof withChats>
let foreign: Conversation
let own: Conversation
let queued: Conversation
/** Ids of what is foreign, by what an address calls them. */
let foreignIds: { conversation: string; contact: string; file: string; message: string }

const setting = async (agentSees: 'all' | 'own') => {
  const path = '/api/workspace/visibility'
  const { version } = await ann.ask('GET', path)
  await ann.ask('PUT', path, { agentSees, version })
}
const pathOf = ({ id }: Conversation) => `/api/conversations/${id}`
const give = (conversation: Conversation, to: Person) =>
  ann.ask('PATCH', pathOf(conversation), { owner: { kind: 'member', id: to.userId } })

beforeAll(async () => {
  parley = await startMessaging()
  ann = parley.signIn()
  bob = parley.signIn({ role: 'agent' })
  cleo = parley.signIn({ role: 'agent' })
  const members = await parley.members()
  await members.join(ann, 'Ann Stone')
  await members.join(bob, 'Bob Reed')
  await members.join(cleo, 'Cleo Park')
  chats = withChats(parley, ann)
  foreign = await chats.write('919812399001', 'Fiona Foreign', 'a zebrafish for you')
  own = await chats.write('919812399002', 'Mira Mine', 'hello bob')
  queued = await chats.write('919812399003', 'Quinn Queue', 'hello all')
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#3a7' } })
    .png()
    .toBuffer()
  const image = { id: await onPhone(parley, picture, 'image/png'), caption: 'my zebrafish' }
  await chats.receive('919812399001', 'Fiona Foreign', { type: 'image', image })
  await give(foreign, cleo)
  await give(own, bob)
  await cleo.ask('POST', `${pathOf(foreign)}/notes`, { text: 'zebrafish again' })
  const [file, message] = await eventually(async () => {
    const thread = await chats.threadOf(foreign)
    const found = thread.find(({ content }: { content: { mediaId?: string } }) => content.mediaId !== undefined)
    expect(found).toBeDefined()
    return [String(found.content.mediaId), String(found.id)]
  })
  foreignIds = { conversation: foreign.id, contact: foreign.contact.id, file, message }
  await eventually(async () => {
    expect((await ann.ask('GET', '/api/messages/search?q=zebrafish')).items.length).toBeGreaterThan(1)
    expect(JSON.stringify(await ann.ask('GET', '/api/dashboard'))).toContain('Fiona Foreign')
  })
  await setting('own')
})
afterAll(() => parley.stop())

const isOfAgents = (endpoint: Endpoint): boolean =>
  'permission' in endpoint &&
  endpoint.access !== 'key' &&
  (endpoint.permission === 'self' || endpoint.permission === 'member' || can('agent', endpoint.permission))
const ofAgents = (endpointsOf.messaging ?? []).filter(isOfAgents)
const reads = ofAgents.filter(({ method, responseType }) => method === 'GET' && responseType !== 'events')
const changes = ofAgents.filter(({ method }) => method !== 'GET')

/** Text by which a foreign customer would be known. */
const marks = () => [
  /Fiona|zebrafish|9812399001/i,
  ...[foreignIds.conversation, foreignIds.contact, foreignIds.file].map((id) => new RegExp(id)),
]

/** Questions that reads are asked with, beside none: all by which something foreign could be found. */
const queriesOf = (): Readonly<Record<string, readonly string[]>> => {
  const dayFrom = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  // It may be another day where the workspace is.
  const between = `from=${dayFrom(-1)}&to=${dayFrom(1)}`
  const days = `${between}&scope=workspace`
  return {
    'conversations.list': [
      '',
      ...['all', 'open', 'unread', 'mine', 'mentions', 'unassigned', 'closed', 'snoozed'].map((show) => `show=${show}`),
      ...['newest', 'waiting', 'window'].map((sort) => `sort=${sort}`),
      'q=Fiona',
      'q=919812399001',
      `owner=${cleo.userId}`,
      `contact=${foreignIds.contact}`,
      `number=${parley.number.id}`,
    ],
    'conversations.search': ['q=zebrafish', `q=zebrafish&conversation=${foreignIds.conversation}`],
    'analytics.read': [days],
    'analytics.rows': ['totalMessages', 'received', 'messagesSent', 'waits'].map(
      (metric) => `metric=${metric}&${days}`,
    ),
    'views.list': ['screen=conversations', 'screen=contacts'],
    'usage.days': [between],
    'templates.tracking': [`ids=${new Types.ObjectId()}`],
  }
}

/** Addresses of an endpoint, its id being each thing that is foreign. */
const addressesOf = ({ path, operation }: Endpoint): string[] => {
  const { conversation, contact, file, message } = foreignIds
  const ids = path.includes(':id') ? [conversation, contact, file, message, parley.number.id] : ['']
  return ids.flatMap((id) =>
    (queriesOf()[operation] ?? ['']).map(
      (query) => `${path.replace(':messageId', message).replace(/:\w+/, id)}${query && `?${query}`}`,
    ),
  )
}

/** Answers to a person by the endpoints that read, by operation. */
async function toldTo(person: Person) {
  const told = new Map<string, string>()
  const strange: string[] = []
  for (const endpoint of reads)
    for (const address of addressesOf(endpoint)) {
      const { status, body } = await person.call('GET', address)
      if (status === 400 || status >= 500) strange.push(`${endpoint.operation} ${address} ${status}`)
      told.set(endpoint.operation, `${told.get(endpoint.operation) ?? ''}\n${status} ${JSON.stringify(body)}`)
    }
  return { told, strange }
}
const telling = (told: ReadonlyMap<string, string>) =>
  [...told].flatMap(([operation, text]) => (marks().some((mark) => mark.test(text)) ? operation : [])).sort()

test('no read of the contracts tells an agent of the conversation of a colleague', async () => {
  const toAnn = await toldTo(ann)
  // Otherwise the questions would ask for nothing.
  expect(toAnn.strange).toEqual([])
  expect(telling(toAnn.told)).toEqual(
    expect.arrayContaining([
      'analytics.rows',
      'contacts.list',
      'contacts.read',
      'contacts.timeline',
      'conversations.list',
      'conversations.messages',
      'conversations.read',
      'conversations.search',
      'dashboard.read',
    ]),
  )
  const toBob = await toldTo(bob)
  expect(toBob.strange).toEqual([])
  expect(telling(toBob.told)).toEqual([])
  // Hidden rows are not told as erased.
  expect(toAnn.told.get('analytics.rows')).not.toContain('"hidden"')
  const rows = (toBob.told.get('analytics.rows') ?? '').trim().split('\n')
  const hidden = rows.flatMap((told) => JSON.parse(told.slice(4)).items ?? []).filter((row) => row.hidden)
  expect(hidden).toContainEqual(
    expect.objectContaining({ kind: 'wait', contactName: null, by: null, answeredAt: null }),
  )
  expect(hidden.flatMap(({ by, missed, openSeconds }) => [by, missed, openSeconds].filter(Boolean))).toEqual([])
})

test('files of a colleague’s conversation are not there, and one’s own are', async () => {
  for (const path of [`/api/media/${foreignIds.file}`, `/api/media/${foreignIds.file}/thumbnail`]) {
    expect((await cleo.request('GET', path)).status).toBe(200)
    expect((await bob.request('GET', path)).status).toBe(404)
  }
  const file = { mediaId: foreignIds.file, kind: 'image', fileName: 'zebrafish.png' }
  const taken = await bob.call('POST', '/api/replies', { shortcut: 'taken', text: '', file })
  const content = { type: 'image', mediaId: foreignIds.file }
  const sent = await bob.call('POST', `/api/conversations/${own.id}/messages`, { content })
  for (const { status, body } of [taken, sent]) expect([status, body.code]).toEqual([400, 'validation_failed'])
  // A saved reply is everybody's, and so is its file.
  const { id } = await cleo.ask('POST', '/api/replies', { shortcut: 'fish', text: '', file })
  expect((await bob.request('GET', `/api/media/${foreignIds.file}`)).status).toBe(200)
  await cleo.call('DELETE', `/api/replies/${id}`)
  expect((await bob.request('GET', `/api/media/${foreignIds.file}`)).status).toBe(404)
})

/** Uploads a picture of one colour. @returns its id. */
async function upload(person: Person, background: string): Promise<string> {
  const create = { width: 30, height: 20, channels: 3, background } as const
  const answer = await fetch(`${parley.server.url}/api/media`, {
    method: 'POST',
    body: new Uint8Array(await sharp({ create }).png().toBuffer()),
    headers: { authorization: `Bearer ${await person.token()}`, 'content-type': 'image/png' },
  })
  return JSON.parse(await answer.text()).id
}

test('a file that was given up is nobody’s until it is deleted, and one’s own where one has uploaded it', async () => {
  const id = await upload(ann, '#17a')
  const seenBy = async (person: Person) => (await person.request('GET', `/api/media/${id}`)).status
  expect(await seenBy(bob)).toBe(200)
  await parley.services.releasedFiles.note(parley.scope, id)
  expect([await seenBy(bob), await seenBy(cleo), await seenBy(ann)]).toEqual([404, 404, 200])
  expect(await upload(bob, '#17a')).toBe(id)
  expect([await seenBy(bob), await seenBy(cleo)]).toEqual([200, 404])
})

test('a content that a colleague has sent to their customer can be uploaded and sent to one’s own', async () => {
  const id = await upload(cleo, '#71a')
  const send = (person: Person, { id: conversationId }: Conversation) =>
    person.call('POST', `/api/conversations/${conversationId}/messages`, { content: { type: 'image', mediaId: id } })
  expect((await send(cleo, foreign)).status).toBe(201)
  expect((await send(bob, own)).status).toBe(400)
  expect(await upload(bob, '#71a')).toBe(id)
  expect((await send(bob, own)).status).toBe(201)
})

test('a file of very many conversations is found in those of the member, by its index', async () => {
  const { database, services, scope, inWorkspace } = parley
  const mediaId = new Types.ObjectId().toHexString()
  const messages = database.connection.collection('messages')
  const message = await messages.findOne({ conversationId: new Types.ObjectId(own.id) })
  if (!message) throw new Error('no message')
  const { waMessageId: _waMessageId, clientId: _clientId, ...fields } = message
  const withFile = (conversationId: Types.ObjectId) => ({
    ...{ ...fields, _id: new Types.ObjectId(), conversationId, direction: 'note' },
    content: { type: 'image', mediaId },
  })
  const others = ['1', '2', '3'].map((digit) => new Types.ObjectId(digit.padStart(24, '0')))
  await messages.insertMany([...others, new Types.ObjectId(own.id)].map(withFile))
  const sees = (person: Person, maxRecent = 50) =>
    createSeesFile(
      { ...services, mongo: database.connection, visibleOf: services.inbox.visibleOf },
      { few: 2, maxRecent },
    )({ ...scope, viewer: person.userId }, mediaId)
  await expectIndexed(database.connection, async () => {
    expect([await sees(bob), await sees(cleo)]).toEqual([true, false])
  })
  // Those of nobody take none of the places of the member's own.
  expect(await sees(bob, 1)).toBe(true)
  await messages.deleteMany({ ...inWorkspace, 'content.mediaId': mediaId })
})

/** Calls that name no conversation, contact or file in their address, and tell nothing of one that the caller did not name. */
const harmless = [
  'availability.update',
  'campaigns.create',
  'campaigns.preview',
  'campaigns.readReview',
  'campaigns.remove',
  'campaigns.retry',
  'campaigns.save',
  'campaigns.startReview',
  'media.upload',
  'notificationSettings.update',
  'notifications.markRead',
  'macros.create',
  'macros.remove',
  'macros.update',
  'replies.create',
  'replies.remove',
  'replies.update',
  'templates.usage',
  'views.create',
  'views.remove',
  'views.update',
]

test('no change of the contracts reaches the conversation or the contact of a colleague', async () => {
  const { conversation, contact, file, message } = foreignIds
  const others: string[] = []
  for (const { method, path, operation } of changes) {
    const id = path.startsWith('/api/contacts/') ? contact : path.startsWith('/api/media/') ? file : conversation
    const address = path.replace(':messageId', message).replace(/:\w+/, id)
    const { status, body } = await bob.call(method, address, { contactId: contact })
    if (status === 403 || status === 404) {
      expect([operation, marks().some((mark) => mark.test(JSON.stringify(body)))]).toEqual([operation, false])
      if (!harmless.includes(operation)) continue
    }
    others.push(operation)
  }
  expect(others.filter((operation) => !harmless.includes(operation))).toEqual([])
})

test('counters count what the agent sees, and lists read it by its index', async () => {
  const summary = await bob.ask('GET', '/api/conversations/summary')
  expect(summary).toMatchObject({ total: 2, unread: 2, views: { all: 2, mine: 1, unassigned: 1 } })
  expect((await ann.ask('GET', '/api/conversations/summary')).total).toBe(3)
  const { items, total } = await bob.ask('GET', '/api/conversations')
  expect([total, items.map(({ id }: Conversation) => id).sort()]).toEqual([2, [own.id, queued.id].sort()])
  await expectIndexed(parley.database.connection, () => bob.ask('GET', '/api/conversations'))
})

test('a key of the workspace, an admin and a viewer see all', async () => {
  const key = parley.signInProgram({ scopes: ['conversations:read'] })
  for (const caller of [key, parley.signIn({ role: 'admin' }), parley.signIn({ role: 'viewer' })])
    expect((await caller.ask('GET', '/api/conversations')).total).toBe(3)
})

test('the stream tells of what is the agent’s, from the first event on, and that one has left sight', async () => {
  const [toBob, toCleo] = [await listen(bob, 0), await listen(cleo, 0)]
  await chats.write('919812399001', 'Fiona Foreign', 'one more zebrafish')
  const passing = await chats.write('919812399004', 'Pia Passing', 'to and fro')
  await give(passing, bob)
  await give(passing, cleo)
  await eventually(() => {
    expect(toBob.entries()).toContainEqual(
      expect.objectContaining({ event: 'hidden', data: { conversationId: passing.id } }),
    )
    expect(JSON.stringify(toCleo.records())).toContain('one more zebrafish')
  })
  expect((await bob.call('GET', pathOf(passing))).status).toBe(404)
  await chats.write('919812399004', 'Pia Passing', 'said when it was gone')
  await chats.write('919812399002', 'Mira Mine', 'the last word')
  await eventually(() => expect(JSON.stringify(toBob.records())).toContain('the last word'))
  // Notifications of the time when it was one's own go with the conversation.
  const told = async (person: Person) => JSON.stringify(await person.ask('GET', '/api/notifications'))
  await eventually(async () => expect(await told(cleo)).toContain('Pia Passing'))
  expect(await parley.database.connection.collection('notifications').countDocuments({ for: bob.userId })).not.toBe(0)
  expect(await told(bob)).not.toContain('Pia Passing')
  const text = JSON.stringify(toBob.entries())
  expect(text).not.toMatch(/Fiona|zebrafish|9812399001|said when it was gone/)
  await Promise.all([toBob.leave(), toCleo.leave()])
})

test('the setting counts with the next call, in both directions, also for open streams', async () => {
  await setting('all')
  expect((await bob.ask('GET', pathOf(foreign))).contact.name).toBe('Fiona Foreign')
  const stream = await listen(bob)
  await setting('own')
  expect((await bob.call('GET', pathOf(foreign))).status).toBe(404)
  await eventually(() =>
    expect(stream.entries()).toContainEqual(expect.objectContaining({ event: 'hidden', data: {} })),
  )
  await stream.leave()
  const stale = await ann.call('PUT', '/api/workspace/visibility', { agentSees: 'all', version: 1 })
  expect([stale.status, stale.body.code]).toEqual([409, 'stale_version'])
  expect((await bob.call('PUT', '/api/workspace/visibility', { agentSees: 'all', version: 1 })).status).toBe(403)
})

test('whatever changes the owner changes who sees it', async () => {
  await bob.ask('POST', `${pathOf(queued)}/messages`, { content: { type: 'text', text: 'I take this' } })
  await ann.ask('PATCH', pathOf(own), { status: 'closed' })
  await ann.ask('PATCH', pathOf(foreign), { owner: { kind: 'nobody' } })
  expect((await bob.ask('GET', pathOf(foreign))).contact.name).toBe('Fiona Foreign')
  await chats.write('919812399002', 'Mira Mine', 'open again')
  const stored = await parley.database.connection
    .collection('conversations')
    .find<Pick<ConversationRecord, 'owner' | 'viewers'>>({})
    .toArray()
  expect(stored.length).toBeGreaterThan(3)
  for (const { owner, viewers } of stored) expect(viewers).toEqual(viewersOf(owner))
})

test('what was sent with a template that shows something else by now is seen with the conversation, above a text and on a card', async () => {
  const path = ({ id }: Conversation) => `/api/conversations/${id}/templates`
  const shown = async (colour: string) => {
    const file = { mediaId: await upload(ann, colour), name: 'tea.png', mimeType: 'image/png', sizeBytes: 1 }
    return { kind: 'image', file }
  }
  const pictures = await Promise.all(['#b01', '#b02', '#b03', '#b04', '#b05', '#b06'].map(shown))
  const [first, second, third, fourth, fifth, sixth] = pictures
  const buttons = [{ kind: 'quick_reply', text: 'More' }]
  const above = await approvedTemplate(parley, { headerMedia: first })
  const cards = [first, fourth].map((headerMedia) => ({ headerMedia, buttons }))
  const body = 'Hi {{1}}, these teas have arrived. Reply STOP to opt out.'
  const onCards = await approvedTemplate(parley, { body, cards: cards.with(0, { headerMedia: fifth, buttons }) })
  async function show(id: string, over: object) {
    const { version } = await ann.ask('GET', `/api/templates/${id}`)
    expect((await ann.call('PATCH', `/api/templates/${id}/header`, { version, ...over })).status).toBe(200)
  }
  const send = async (person: Person, conversation: Conversation, templateId: string) =>
    expect((await person.call('POST', path(conversation), { templateId, values: { 1: 'you' } })).status).toBe(201)
  await setting('own')
  await give(own, bob)
  await give(foreign, cleo)
  await send(bob, own, above)
  await send(bob, own, onCards)
  await show(above, { headerMedia: second })
  await show(onCards, { cards: [sixth, fourth] })
  await send(cleo, foreign, above)
  await send(cleo, foreign, onCards)
  await show(above, { headerMedia: third })
  await show(onCards, { cards: [third, fourth] })
  const seenBy = (person: Person) =>
    Promise.all(
      pictures.map(async ({ file }) => (await person.request('GET', `/api/media/${file.mediaId}`)).status === 200),
    )
  // The third and the fourth are what the templates show now.
  const seen = { bob: [true, false, true, true, true, false], cleo: [false, true, true, true, false, true] }
  expect({ bob: await seenBy(bob), cleo: await seenBy(cleo) }).toEqual(seen)
  await sweepReleased(parley)
  expect({ bob: await seenBy(bob), cleo: await seenBy(cleo) }).toEqual(seen)
  expect(await seenBy(ann)).toEqual(Array.from({ length: 6 }, () => true))
})
