import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { pathOf, withChats } from './chat-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<typeof parley.signIn>
let profile: ReturnType<typeof parley.signInProcess>
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
  profile = parley.signInProcess('profile-worker')
})
afterAll(() => parley.stop())

const tell = async (closing: boolean) => {
  const message = {
    id: new Types.ObjectId().toHexString(),
    at: new Date().toISOString(),
    by: { kind: 'user', id: ann.userId },
    type: 'workspace.state',
    data: { closing },
  }
  expect((await profile.call('POST', '/internal/inbox', { messages: [message] })).status).toBe(204)
  // Each process believes what it has read for a second.
  const { closings } = parley.services
  await eventually(async () => expect((await closings.ids()).has(ann.workspaceId)).toBe(closing))
}

test('deliveries of a workspace that is being deleted are no work that waits', async () => {
  const webhook = {
    _id: new Types.ObjectId().toHexString(),
    name: 'Closed',
    url: 'https://example.com/closed',
    events: ['status.update'] as const,
    status: 'active' as const,
    secrets: [],
    totalCalls: 0,
    okCalls: 0,
    wakes: 0,
    revision: 1,
    dueAt: new Date(Date.now() - 20 * 60_000),
  }
  await tell(true)
  const { webhookRecords, closings } = parley.services
  await webhookRecords.create(parley.scope, webhook, {})
  const closed = await closings.ids()
  const late = new Date(Date.now() - 60_000)
  expect((await webhookRecords.due(new Date(), new Set())).map(({ id }) => id)).toContain(webhook._id)
  expect((await webhookRecords.due(new Date(), closed)).map(({ id }) => id)).not.toContain(webhook._id)
  const counted = async (without: ReadonlySet<string>) => (await webhookRecords.countWaiting(late, without)).late
  expect((await counted(new Set())) - (await counted(closed))).toBe(1)
  const sender = await parley.startWebhooks()
  try {
    const text = await (await fetch(`${sender.url}/metrics`)).text()
    expect(text).toMatch(/^pending_work_seconds\{kind="deliveries",process="messaging-webhooks"\} 0$/m)
  } finally {
    await sender.stop()
    await webhookRecords.remove(parley.scope, webhook._id, {})
    await tell(false)
  }
})

test('nothing leaves a workspace that is being deleted; restored, it goes on', async () => {
  const { write, threadOf } = withChats(parley, ann)
  const conversation = await write('919812380001', 'Asha', 'Hi')
  const { services } = parley
  const automation = parley.signInProcess('automation-worker', ann.workspaceId)
  const numberIn = () => services.numbers.readToSend({ workspaceId: ann.workspaceId }, conversation.numberId)
  expect((await numberIn())?.stopped).toBeUndefined()

  await tell(true)
  expect((await numberIn())?.stopped?.reason).toBe('This workspace is being deleted.')
  // The worker has its own copy, which is a second old at most.
  const [since] = [Date.now()]
  await eventually(async () => expect(Date.now() - since).toBeGreaterThan(1500))
  await ann.ask('POST', `${pathOf(conversation)}/messages`, { content: { type: 'text', text: 'Are you there?' } })
  const all = { of: { segmentId: 'all', after: '', upTo: 'f'.repeat(24), limit: 10 } }
  const started = async () => (await automation.ask('POST', '/internal/contacts', all)).ids.length
  expect(await started()).toBe(0)
  const statusOf = async () => (await threadOf(conversation)).at(-1)?.status
  // Messages that come in are stored meanwhile, and show that the worker works.
  await write('919812380002', 'Ravi', 'Hello')
  expect(await statusOf()).toBe('queued')

  await tell(false)
  await eventually(async () => expect(await started()).toBe(2))
  await eventually(async () => expect(['sent', 'delivered', 'read']).toContain(await statusOf()))
})
