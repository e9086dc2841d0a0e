import type { RecordedEvent } from '@parley/contracts/platform/events'
import { notificationSchema } from '@parley/contracts/platform/notifications'
import { createPageCursors } from '@parley/service-kit/data/page-cursor'
import { inTransaction } from '@parley/service-kit/data/transaction'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createNotificationsRepository } from '../modules/notifications/notifications.repository.ts'
import { createAddNotifications } from '../modules/notifications/raise-notifications.ts'
import type { NewNotification } from '../platform/notification.ts'
import {
  addContacts,
  approvedTemplate,
  eventually,
  firstName,
  launchCampaign,
  makeDue,
  scheduledIn,
} from './campaign-fixtures.ts'
import { withChats } from './chat-fixtures.ts'
import { withImports } from './import-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())
vi.setConfig({ testTimeout: 240_000 })

type Person = ReturnType<typeof parley.signIn>
type Shown = ReturnType<typeof notificationSchema.parse>

const bellOf = async (person: Person, query = '') => {
  const { body } = await person.call('GET', `/api/notifications${query}`)
  return { ...body, items: body.items.map((item: unknown): Shown => notificationSchema.parse(item)) }
}
const about = async (person: Person, id: string): Promise<Shown[]> =>
  (await bellOf(person, '?limit=100')).items.filter(({ object }: Shown) => object.id === id)
const collection = () => parley.database.connection.collection('notifications')

/** Rows of a workspace of their own, the newest first. @param users whom they are for alone. */
async function bellWith(
  count: number,
  category = 'campaign',
  { users, ...of }: { users?: readonly string[]; workspaceId?: string; at?: number } = {},
) {
  const workspaceId = new Types.ObjectId(of.workspaceId)
  const now = of.at ?? Date.now()
  await collection().insertMany(
    Array.from({ length: count }, (_, index) => ({
      workspaceId,
      key: `told/${users ?? 'all'}/${index}`,
      category,
      ...(users && { for: users }),
      severity: 'info',
      title: `Told ${index}`,
      body: 'So it is.',
      object: { kind: 'campaign', id: 'campaign-1' },
      at: new Date(now - index * 1000),
      readBy: [],
    })),
  )
  return { workspaceId: workspaceId.toHexString() }
}

test('a verdict on a template is told once, with the reason and what to do', async () => {
  const owner = parley.signIn()
  const id = await approvedTemplate(parley)
  const { body: made } = await owner.call('POST', '/api/templates', {
    name: `reject_${new Types.ObjectId().toHexString()}`,
    language: 'en',
    category: 'marketing',
    buttons: [],
    body: 'Hi {{1}}, our new tea has arrived and it waits for you in the shop.',
    examples: { 1: 'Asha' },
    accepted: ['no_way_out', 'same_text'],
  })
  await eventually(async () => expect(await about(owner, made.id)).toHaveLength(1))
  expect(await about(owner, made.id)).toMatchObject([
    {
      category: 'template',
      severity: 'error',
      title: `${made.name} was rejected`,
      action: 'Edit it and send it again',
    },
  ])
  const { rejectionReason } = (await owner.call('GET', `/api/templates/${made.id}`)).body
  expect((await about(owner, made.id))[0]?.body).toBe(rejectionReason)
  await eventually(async () => expect(await about(owner, id)).toMatchObject([{ body: 'It can be sent now.' }]))
})

test('a number whose token is refused needs attention: told once, however often it is said', async () => {
  const owner = parley.signIn()
  const { id } = parley.number
  await Promise.all([
    parley.services.numbers.stop(parley.scope, id, 190, 'WhatsApp no longer accepts the access token.'),
    parley.services.numbers.stop(parley.scope, id, 190, 'WhatsApp no longer accepts the access token.'),
  ])
  await eventually(async () => expect(await about(owner, id)).toHaveLength(1))
  expect(await about(owner, id)).toMatchObject([
    { severity: 'error', title: 'Test Shop needs attention', body: expect.stringContaining('access token') },
  ])
  const at = new Date().toISOString()
  const event = {
    id: new Types.ObjectId().toHexString(),
    seq: 1,
    workspaceId: parley.scope.workspaceId,
    at,
    recordedAt: at,
    chain: [],
    by: { kind: 'system' },
    type: 'number.changed',
    data: { numberId: id, removed: false },
  } satisfies RecordedEvent
  for (let time = 0; time < 2; time += 1)
    await inTransaction(parley.database.connection, (tx) =>
      parley.services.raiseNotifications(parley.scope, [event, event], tx),
    )
  expect(await about(owner, id)).toHaveLength(1)
  await parley.database.connection
    .collection('numbers')
    .updateOne({ _id: new Types.ObjectId(id) }, { $set: { status: 'active' }, $unset: { stopped: '' } })
})

test('a campaign that the system pauses says why, and one that is through says so; pausing it by hand is no news', async () => {
  const owner = parley.signIn()
  const [templateId] = await Promise.all([
    approvedTemplate(parley),
    addContacts(parley.database.connection, parley.scope, { count: 3, firstPhone: 919830000000, tags: ['told'] }),
  ])
  const create = async (over: object) =>
    (
      await launchCampaign(owner, {
        name: 'Diwali',
        audience: { kind: 'tags', tags: ['told'] },
        numberId: parley.number.id,
        templateId,
        variables: firstName,
        ...over,
      })
    ).body
  const sent = await create({})
  await eventually(async () => expect(await about(owner, sent.id)).toHaveLength(1))
  expect(await about(owner, sent.id)).toMatchObject([{ severity: 'success', title: 'Diwali is complete' }])

  const missed = await create({ schedule: scheduledIn(60) })
  await makeDue(parley, missed.id, 60)
  await eventually(async () => expect(await about(owner, missed.id)).toHaveLength(1))
  expect(await about(owner, missed.id)).toMatchObject([
    { severity: 'warning', title: 'Diwali was paused', action: 'Resume it to send it now', readAt: null },
  ])
})

test('what one tab reads the stream tells to others; what is read is read for that member alone', async () => {
  const scope = await bellWith(3)
  const [ann, ben] = [parley.signIn(scope), parley.signIn(scope)]
  const { items, unread } = await bellOf(ann)
  expect([items.length, unread, (await bellOf(ben)).unread]).toEqual([3, 3, 3])
  expect((await ann.call('POST', '/api/notifications/read', { ids: [items[1].id] })).status).toBe(204)
  const after = await bellOf(ann)
  expect([after.unread, after.items.map(({ readAt }: Shown) => readAt !== null)]).toEqual([2, [false, true, false]])
  expect((await bellOf(ben)).unread).toBe(3)
  expect((await ann.call('POST', '/api/notifications/read', { all: true })).status).toBe(204)
  expect((await ann.call('POST', '/api/notifications/read', { all: true })).status).toBe(204)
  expect([(await bellOf(ann)).unread, (await bellOf(ben)).unread]).toEqual([0, 3])
  const events = parley.database.connection.collection('events')
  // Nothing was left to be read the third time.
  expect(
    await events.countDocuments({ workspaceId: new Types.ObjectId(scope.workspaceId), type: 'notification.read' }),
  ).toBe(2)
})

test('pages lead back in time, and every query has its index', async () => {
  const ann = parley.signIn(await bellWith(5))
  await expectIndexed(parley.database.connection, async () => {
    const first = await bellOf(ann, '?limit=2')
    const second = await bellOf(ann, `?limit=2&cursor=${first.nextCursor}`)
    expect([...first.items, ...second.items].map(({ title }: Shown) => title)).toEqual([
      'Told 0',
      'Told 1',
      'Told 2',
      'Told 3',
    ])
    expect([first.unread, first.total]).toEqual([5, 5])
    await ann.call('POST', '/api/notifications/read', { ids: [first.items[0].id] })
    await ann.call('POST', '/api/notifications/read', { all: true })
  })
  expect((await ann.call('GET', '/api/notifications?cursor=nonsense')).status).toBe(400)
})

test('another workspace has its own; its ids are not found here, and nothing is marked', async () => {
  const [ann, eve] = [parley.signIn(await bellWith(2)), parley.signIn(await bellWith(1))]
  const [ownItem] = (await bellOf(ann)).items
  const [theirs] = (await bellOf(eve)).items
  for (const ids of [[theirs.id], [ownItem.id, theirs.id], ['no-id']])
    expect((await ann.call('POST', '/api/notifications/read', { ids })).status).toBe(404)
  expect([(await bellOf(ann)).unread, (await bellOf(eve)).unread]).toEqual([2, 1])
  expect((await ann.call('POST', '/api/notifications/read', { ids: [] })).status).toBe(400)
})

test('a member is told of what the role can do something about', async () => {
  const scope = await bellWith(2)
  const agent = parley.signIn({ ...scope, role: 'agent' })
  expect(await bellOf(agent)).toMatchObject({ items: [], unread: 0, total: 0 })
  const [first] = (await bellOf(parley.signIn(scope))).items
  expect((await agent.call('POST', '/api/notifications/read', { ids: [first.id] })).status).toBe(404)
  const talks = await bellWith(2, 'message')
  expect((await bellOf(parley.signIn({ ...talks, role: 'agent' }))).unread).toBe(2)
})

test('who joins later begins with what is told from then on, beside the sample’s', async () => {
  const scope = await bellWith(3)
  await collection().updateOne({ workspaceId: new Types.ObjectId(scope.workspaceId) }, { $set: { sample: true } })
  const [ann, bob] = [parley.signIn(scope), parley.signIn(scope)]
  await (await parley.members()).join(bob, 'Bob Reed', 'active', 'owner')
  await bellWith(2, 'campaign', { ...scope, at: Date.now() + 3_600_000, users: [bob.userId] })
  expect(await bellOf(bob)).toMatchObject({ unread: 3, total: 3 })
  expect(await bellOf(ann)).toMatchObject({ unread: 3, total: 3 })
})

test('a workspace keeps 500 for all and 200 for each member, whose do not push those out; the oldest go first', async () => {
  const scope = await bellWith(505)
  const [ann, bob] = [parley.signIn(scope), parley.signIn(scope)]
  const hour = Date.now() + 3_600_000
  await bellWith(150, 'message', { ...scope, users: [ann.userId, bob.userId] })
  await bellWith(100, 'message', { ...scope, users: [ann.userId], at: hour })
  const { connection } = parley.database
  const notifications = createNotificationsRepository(
    connection,
    createPageCursors('a secret of these tests, long enough'),
  )
  const notification: NewNotification = {
    key: 'told/new',
    title: 'New',
    body: 'So it is.',
    at: new Date(),
    category: 'number',
    severity: 'error',
    object: { kind: 'number', id: 'number-1' },
  }
  const add = createAddNotifications(notifications)
  const keptFor = (audience: string | null) =>
    collection()
      .find({ workspaceId: new Types.ObjectId(scope.workspaceId), for: audience })
      .sort({ at: -1 })
      .toArray()
  const key = 'told/ann/new'
  await expectIndexed(connection, () =>
    inTransaction(connection, async (tx) => {
      await add(scope, [{ ...notification, key, for: [ann.userId], at: new Date(hour + 1000) }], tx)
    }),
  )
  // Notices for all stay, however many are for one.
  expect((await keptFor(null)).length).toBe(505)
  const forAnn = await keptFor(ann.userId)
  expect([forAnn.length, forAnn[0]?.['key'], forAnn.at(-1)?.['title']]).toEqual([200, key, 'Told 98'])
  expect((await keptFor(bob.userId)).length).toBe(150)
  await inTransaction(connection, (tx) => add(scope, [notification], tx))
  const kept = await keptFor(null)
  expect([kept.length, kept[0]?.['title'], kept.at(-1)?.['title']]).toEqual([500, 'New', 'Told 498'])
  expect((await keptFor(ann.userId)).length).toBe(200)
})

test('each member switches what the bell tells them, at once, for themselves alone', async () => {
  const scope = await bellWith(1)
  const ann = parley.signIn(scope)
  const bob = parley.signIn(scope)
  const path = '/api/notifications/settings'
  const defaults = {
    newMessages: true,
    broadcastCompletion: true,
    botFailures: true,
    weeklyReports: false,
  }
  expect(await ann.ask('GET', path)).toEqual({ notifications: defaults })
  expect((await bellOf(ann)).unread).toBe(1)
  await Promise.all([
    ann.ask('PATCH', path, { broadcastCompletion: false }),
    ann.ask('PATCH', path, { weeklyReports: true }),
  ])
  expect(await ann.ask('GET', path)).toEqual({
    notifications: { ...defaults, broadcastCompletion: false, weeklyReports: true },
  })
  expect(await bellOf(ann)).toMatchObject({ items: [], unread: 0 })
  expect((await bellOf(bob)).unread).toBe(1)
  expect(await bob.ask('GET', path)).toEqual({ notifications: defaults })
  expect((await ann.call('PATCH', path, { everything: false })).status).toBe(400)
  await expectIndexed(parley.database.connection, () => ann.ask('GET', path))
})

test('a conversation that others assign is told to its new owner alone', async () => {
  const [ann, bob] = [parley.signIn(), parley.signIn({ role: 'agent' })]
  const { id, ...rest } = await withChats(parley, ann).write('919861996001', 'Asha', 'Is anybody there?')
  const assigned = (by: string, epoch: number) =>
    inTransaction(parley.database.connection, (tx) => {
      const conversation = { ...rest, id, owner: { kind: 'member' as const, id: bob.userId } }
      const at = new Date().toISOString()
      const event = {
        ...{
          id: new Types.ObjectId().toHexString(),
          seq: 1,
          workspaceId: ann.workspaceId,
          at,
          recordedAt: at,
          chain: [],
        },
        by: { kind: 'user', id: by },
        type: 'conversation.changed',
        data: { conversation, became: { owned: { epoch, reason: 'assigned' } } },
      } satisfies RecordedEvent
      return parley.services.raiseNotifications(parley.scope, [event], tx)
    })
  await assigned(ann.userId, 1)
  expect(await about(bob, id)).toMatchObject([{ title: 'Asha was assigned to you' }])
  expect(await about(ann, id)).toEqual([])
  // A conversation that members take themselves is no news to them.
  await assigned(bob.userId, 2)
  expect(await about(bob, id)).toHaveLength(1)
  await bob.ask('PATCH', '/api/notifications/settings', { newMessages: false })
  expect(await about(bob, id)).toEqual([])
})

test('the week is told once, to those who want it', async () => {
  const scope = { workspaceId: new Types.ObjectId().toHexString() }
  const ann = parley.signIn(scope)
  await parley.services.tellWeek(scope, new Date())
  await ann.ask('PATCH', '/api/notifications/settings', { weeklyReports: true })
  expect((await bellOf(ann)).items).toEqual([])
  // A Wednesday after a week with messages.
  await parley.database.connection.collection('rollups').insertOne({
    workspaceId: new Types.ObjectId(scope.workspaceId),
    scope: 'workspace',
    day: '2026-11-18',
    part: 'counted',
    slots: { 20: { sent: 1200, received: 300, begun: 11, answered: 9 } },
  })
  // One of them wrote on Sunday evening, and may be answered in time.
  await parley.database.connection.collection('answers').insertOne({
    workspaceId: new Types.ObjectId(scope.workspaceId),
    numberId: new Types.ObjectId(),
    conversationId: new Types.ObjectId(),
    since: new Date('2026-11-22T12:00:00Z'),
    open: true,
  })
  for (const day of ['2026-11-23', '2026-11-25', '2026-11-29'])
    await parley.services.tellWeek(scope, new Date(`${day}T06:00:00Z`))
  expect((await bellOf(ann)).items).toMatchObject([
    {
      category: 'report',
      title: 'Your week from 2026-11-16 to 2026-11-22',
      object: { kind: 'analytics', id: '2026-11-22' },
      body: '1,200 messages sent, 300 received. 90% of those who waited had an answer within 24 hours.',
    },
  ])
  // Its link opens exactly that week.
  const { from, to, stats } = await ann.ask('GET', '/api/analytics?period=7d&to=2026-11-22')
  expect([from, to, stats.messagesSent.value]).toEqual(['2026-11-16', '2026-11-22', 1200])
  expect((await bellOf(parley.signIn(scope))).items).toEqual([])
})

test('an import that has ended is told to who started it, with its counts', async () => {
  const { ann, carryOut, until } = withImports(parley)
  const admin = parley.signIn({ workspaceId: ann.workspaceId, role: 'admin' })
  const people = 'Name,Phone\nAsha,+919861997001\nBen,+919861997002\nNobody,12'
  const { id } = await carryOut(people)
  expect(await about(ann, id)).toMatchObject([
    {
      category: 'import',
      severity: 'success',
      title: 'people.csv was imported',
      body: '2 contacts added, 0 updated, 1 row left out.',
      object: { kind: 'import', id },
      readAt: null,
    },
  ])
  expect(await about(admin, id)).toEqual([])
  expect((await ann.call('POST', `/api/imports/${id}/undo`)).status).toBe(200)
  await until(id, 'undone')
  expect(await about(ann, id)).toHaveLength(1)
})
