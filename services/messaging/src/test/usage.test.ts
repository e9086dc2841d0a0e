import { defaultTimeZone } from '@parley/contracts/core/time-zones'
import { momentOf } from '@parley/contracts/core/zoned-time'
import { type Usage, type UsageDay, usageApi } from '@parley/contracts/usage/usage'
import { inTransaction } from '@parley/service-kit/data/transaction'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createUsageWatchesRepository } from '../modules/usage/meter/usage-watches.repository.ts'
import { approvedTemplate, eventually } from './campaign-fixtures.ts'
import { pathOf, withChats } from './chat-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())
vi.setConfig({ testTimeout: 240_000 })

type Person = ReturnType<typeof parley.signIn>
const collection = (name: string) => parley.database.connection.collection(name)
const usageOf = async (person: Person): Promise<Usage> =>
  usageApi.read.response.parse(await person.ask('GET', '/api/usage'))
const oid = (id: string) => new Types.ObjectId(id)

/** Adds an owner of a new workspace, with the trial of 1,000 messages. */
const newcomer = () => parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })

/** Records this number of messages as sent just now. */
async function uses({ workspaceId }: { workspaceId: string }, messages: number, credits = 0): Promise<void> {
  const quarter = new Date(Math.floor(Date.now() / 900_000) * 900_000)
  await collection('usageCounts').updateOne(
    { workspaceId: oid(workspaceId), from: quarter },
    { $inc: { messages, credits } },
    { upsert: true },
  )
  const { noteChange } = createUsageWatchesRepository(parley.database.connection)
  await inTransaction(parley.database.connection, (tx) => noteChange({ workspaceId }, tx))
}
const lookedAt = (workspaceId: string) =>
  eventually(async () => {
    const watch = await collection('usageWatches').findOne({ workspaceId: oid(workspaceId) })
    expect(watch && watch['dueAt'] === undefined).toBe(true)
  })
const noticesOf = async (person: Person): Promise<{ title: string }[]> =>
  (await person.ask('GET', '/api/notifications?limit=100')).items.filter(
    ({ category }: { category: string }) => category === 'billing',
  )
const eventsOf = (workspaceId: string) =>
  collection('events').countDocuments({ workspaceId: oid(workspaceId), type: 'usage.changed' })

const kinds = [
  ...[
    { cause: 'member', type: 'text' },
    { cause: 'member', type: 'template' },
    { cause: 'bot', type: 'text' },
  ],
  ...[
    { cause: 'api', type: 'template' },
    { cause: 'campaign', type: 'template' },
    { cause: 'customer', type: 'text' },
  ],
] as const
const statuses = ['queued', 'sent', 'delivered', 'read', 'failed'] as const

test('what is sent one by one is counted once each, however often and in whatever order its status changes', async () => {
  const owner = parley.signIn()
  const { write } = withChats(parley, owner)
  const conversation = await write('919861770001', 'Asha', 'Hello')
  const before = await usageOf(owner)
  const begunMs = momentOf({ date: before.from, time: '00:00' }, defaultTimeZone)?.getTime() ?? Number.NaN
  const fixed = { conversationId: oid(conversation.id), numberId: oid(conversation.numberId), statusAt: {}, version: 1 }
  const stored = Array.from({ length: 120 }, (_, index) => {
    const kind = kinds[index % kinds.length] ?? kinds[0]
    const cause = { kind: kind.cause, id: new Types.ObjectId().toHexString() }
    const content = kind.type === 'text' ? { type: 'text', text: 'Hi' } : { type: 'template', body: 'Hi' }
    // Some are in another quarter of an hour, all in the period, which began at midnight.
    const at = new Date(Math.max(begunMs, Date.now() - (index % 4) * 900_000))
    return {
      ...parley.inWorkspace,
      ...fixed,
      contactId: oid(conversation.contact.id),
      _id: new Types.ObjectId(),
      cause,
      direction: 'outbound',
      status: 'queued',
      content,
      sentAt: at,
      createdAt: at,
      updatedAt: at,
    }
  })
  await collection('messages').insertMany(stored)
  const change = (id: string, version: number, status: string) =>
    inTransaction(parley.database.connection, (tx) =>
      parley.services.messages.change(
        parley.scope,
        [{ id, version, conversationId: conversation.id, from: undefined, set: { status } }],
        tx,
      ),
    )
  // Each runs through its own history, three of them at a time.
  await Promise.all(
    [0, 1, 2].map(async (lane) => {
      for (const [index, { _id }] of stored.entries())
        for (let step = 0; index % 3 === lane && step <= index % 4; step += 1)
          await change(String(_id), 1 + step, statuses[(index * 7 + step * 3) % statuses.length] ?? 'sent')
    }),
  )
  const recount = async () => {
    const accepted = { ...parley.inWorkspace, status: { $in: ['sent', 'delivered', 'read'] }, direction: 'outbound' }
    const single = { ...accepted, 'cause.kind': { $in: ['member', 'bot', 'workflow', 'api'] } }
    const templates = { ...single, 'content.type': 'template' }
    return {
      messages: await collection('messages').countDocuments(single),
      credits: await collection('messages').countDocuments(templates),
    }
  }
  const counted = async () => {
    const { messages, credits } = await usageOf(owner)
    return { messages: messages.used - before.messages.used, credits: credits.used - before.credits.used }
  }
  const recounted = await recount()
  expect(recounted.messages).toBeGreaterThan(recounted.credits)
  await eventually(async () => expect(await counted()).toEqual(recounted))

  // The log is read once more from its beginning, and nothing is counted twice.
  const key = { ...parley.inWorkspace, consumer: 'usage' }
  await collection('eventCursors').updateOne(key, { $set: { seq: 0 } })
  await change(String(stored[0]?._id), 2, 'read')
  const again = await recount()
  await eventually(async () => {
    const head = await collection('eventHeads').findOne({ _id: parley.inWorkspace.workspaceId })
    expect((await collection('eventCursors').findOne(key))?.['seq']).toBe(head?.['seq'])
  })
  expect(await counted()).toEqual(again)
  // Day by day it is the same, and all of it of today or of yesterday.
  const days = await owner.ask('GET', '/api/usage/days')
  const sumOf = (name: 'messages' | 'credits') => days.reduce((sum: number, day: UsageDay) => sum + day[name], 0)
  const now = await usageOf(owner)
  expect([sumOf('messages'), sumOf('credits')]).toEqual([now.messages.used, now.credits.used])
  await expectIndexed(parley.database.connection, () => parley.services.usageDays(parley.scope))
  // Usage stays when the contact is erased with all messages.
  await collection('messages').deleteMany({ _id: { $in: stored.map(({ _id }) => _id) } })
  expect(await counted()).toEqual(again)
})

test('owners and admins are told at 80, 90 and 100 percent, once each in the period, and pages show each step', async () => {
  const owner = newcomer()
  const { workspaceId } = owner
  const [admin, agent] = (['admin', 'agent'] as const).map((role) => parley.signIn({ role, workspaceId }))
  if (!admin || !agent) throw new Error('there are two of them')
  await uses(owner, 790, 100)
  await lookedAt(workspaceId)
  // It was all used on the first day, so that it will not last.
  expect((await noticesOf(owner)).map(({ title }) => title)).toEqual(['The plan’s messages will not last'])
  const before = await eventsOf(workspaceId)
  await uses(owner, 20)
  await eventually(async () => expect(await noticesOf(owner)).toHaveLength(2))
  expect(await noticesOf(admin)).toMatchObject([{ title: '81% of the plan’s messages are used' }, {}])
  expect(await noticesOf(agent)).toEqual([])
  await uses(owner, 50)
  await lookedAt(workspaceId)
  // Another step records one more event, the same step none.
  expect(await eventsOf(workspaceId)).toBe(before + 1)
  expect(await noticesOf(owner)).toHaveLength(2)
  await uses(owner, 50)
  await eventually(async () => expect(await noticesOf(owner)).toHaveLength(3))
  expect(await noticesOf(admin)).toMatchObject([{ title: '91% of the plan’s messages are used' }, {}, {}])
  for (const more of [100, 10]) {
    await uses(owner, more)
    await lookedAt(workspaceId)
  }
  expect(await eventsOf(workspaceId)).toBe(before + 3)
  expect((await noticesOf(owner)).map(({ title }) => title)).toEqual([
    'All messages in the plan are used up',
    '91% of the plan’s messages are used',
    '81% of the plan’s messages are used',
    'The plan’s messages will not last',
  ])
  expect(await noticesOf(agent)).toEqual([])
  expect(await usageOf(owner)).toMatchObject({ messages: { used: 1020, left: 0 }, credits: { used: 100, left: 900 } })
})

test('a larger plan counts at once, a smaller one from the next period on, and is taken back until then', async () => {
  const owner = newcomer()
  const { workspaceId } = owner
  await uses(owner, 900)
  await lookedAt(workspaceId)
  const choose = (plan: string, person = owner) => person.call('POST', '/api/billing/plan', { plan })
  const admin = parley.signIn({ role: 'admin', workspaceId })
  expect((await choose('growth', admin)).status).toBe(403)
  expect((await choose('enterprise')).status).toBe(400)
  for (const plan of ['free_trial', 'pro']) expect((await choose(plan)).body.code).toBe('wrong_state')

  const events = await eventsOf(workspaceId)
  const larger = usageApi.read.response.parse((await choose('growth')).body)
  expect(larger).toMatchObject({
    plan: 'Growth',
    planId: 'growth',
    renews: true,
    messages: { limit: 100_000, used: 900 },
  })
  expect(await eventsOf(workspaceId)).toBeGreaterThan(events)
  // It has to fit the members, whom profile knows: on a busy machine its first answer may take too long.
  await parley.members()
  const fitting = await eventually(async () => {
    const answer = await choose('starter')
    expect(answer.status).toBe(200)
    return answer
  })
  const smaller = usageApi.read.response.parse(fitting.body)
  expect(smaller).toMatchObject({ plan: 'Growth', next: { plan: 'Starter', from: larger.to } })
  const later = `/api/usage?at=${new Date(Date.parse(larger.to) + 3 * 86_400_000).toISOString()}`
  expect(await owner.ask('GET', later)).toMatchObject({ plan: 'Starter', messages: { limit: 25_000, used: 0 } })

  expect((await admin.call('DELETE', '/api/billing/plan')).status).toBe(403)
  const kept = usageApi.read.response.parse(await owner.ask('DELETE', '/api/billing/plan'))
  expect([kept.plan, kept.next]).toEqual(['Growth', undefined])
  expect(await owner.ask('GET', later)).toMatchObject({ plan: 'Growth' })
  // Choosing the present plan cancels the smaller one too.
  await choose('starter')
  expect((await choose('growth')).body.next).toBeUndefined()
  expect((await usageOf(newcomer())).plan).toBe('Free Trial')
})

test('once the plan is used up, contacts who are silent get no template, and answers are never refused', async () => {
  await parley.services.applyPlan(parley.scope, { plan: 'free_trial', source: 'operator' })
  const owner = parley.signIn()
  // A utility template needs no consent.
  const body = 'Hi {{1}}, your order is on its way and arrives tomorrow.'
  const templateId = await approvedTemplate(parley, { category: 'utility', body })
  const { write } = withChats(parley, owner)
  const recent = await write('919861770002', 'Ravi', 'Hello')
  const silent = await write('919861770003', 'Meera', 'Hello')
  const old = new Date(Date.now() - 8 * 86_400_000)
  await collection('messages').updateMany({ conversationId: oid(silent.id) }, { $set: { sentAt: old } })
  const send = (conversation: typeof recent) =>
    owner.call('POST', `${pathOf(conversation)}/templates`, { templateId, values: { 1: 'Ravi' } })
  const used = await usageOf(owner)
  await uses(owner, used.messages.left - 1)
  // There is room for one.
  expect((await send(silent)).status).toBe(201)
  await uses(owner, 1)

  const refused = await send(silent)
  expect([refused.status, refused.body.code]).toEqual([402, 'quota_reached'])
  expect(refused.body.message).toMatch(
    /^All 1,000 messages in your plan until .+ are used up.+ To send another, ask the owner to choose a larger plan in Settings, Billing\.$/,
  )
  // A bot is no way around it; what it answers is never refused.
  const act = async (action: object) => {
    const by = { kind: 'bot', id: 'b'.repeat(24), runId: new Types.ObjectId().toHexString() }
    const key = `${by.runId}.1.0`
    const request = { conversationId: silent.id, by, chain: [], actions: [{ key, ...action }] }
    return (await parley.signInProcess('automation-worker').ask('POST', '/internal/actions', request)).results[0]
  }
  const template = { type: 'send_template', templateId, variables: { 1: 'Ravi' } }
  expect(await act(template)).toMatchObject({ outcome: 'refused', code: 'quota_reached' })
  expect(await act({ type: 'send', content: { type: 'text', text: 'Your order is here.' } })).toMatchObject({
    outcome: 'done',
  })
  expect((await send(recent)).status).toBe(201)
  expect((await send(recent)).body.code).toBe('quota_reached')
  const text = { content: { type: 'text', text: 'We have it.' }, clientId: new Types.ObjectId().toHexString() }
  expect((await owner.call('POST', `${pathOf(recent)}/messages`, text)).status).toBe(201)
  // The customer answers, and can be sent one more.
  await write('919861770002', 'Ravi', 'Thanks')
  expect((await send(recent)).status).toBe(201)
  await eventually(async () => expect((await usageOf(owner)).messages.used).toBe(1004))

  await parley.services.applyPlan(parley.scope, { plan: 'pro', source: 'operator' })
  expect((await send(silent)).status).toBe(201)
})
