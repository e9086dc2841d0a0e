import type { RecordedEvent } from '@parley/contracts/platform/events'
import { createSampleDataset } from '@parley/sample/sample-dataset'
import { newId } from '@parley/service-kit/data/plain'
import { sampleBotId } from '@parley/service-kit/data/sample-ids'
import { Types } from 'mongoose'
import { beforeAll, expect, test, vi } from 'vitest'
import { sampleMainNumberId } from '../modules/flows/sample-flows.ts'
import { flowOf, keyword, say } from './flow-fixtures.ts'
import { inboundMessage } from './inbound-message.ts'
import { startAutomation } from './start-automation.ts'

let parley: Awaited<ReturnType<typeof startAutomation>>
beforeAll(async () => {
  parley = await startAutomation({ worker: true, kept: 'file' })
  return parley.stop
})

type Person = ReturnType<typeof parley.signIn>
const listOf = async (person: Person) => (await person.ask('GET', '/api/bots')).items
const timeout = { timeout: 30_000, interval: 100 }

/** Records an event at messaging; resolves once it has been read. */
async function tell({ workspaceId }: Person, event: object): Promise<void> {
  const workspace = parley.others.of(workspaceId)
  const seq = workspace.events.length + 1
  const at = new Date().toISOString()
  const common = { id: newId(), workspaceId, seq, by: { kind: 'system' }, chain: [], at, recordedAt: at }
  workspace.events.push({ ...common, ...event } as object as RecordedEvent)
  await vi.waitFor(() => expect(workspace.readUpTo).toBe(seq), timeout)
}

/** Reports another state of the sample data, and waits until that was read. */
async function change(person: Person, state: 'loaded' | 'cleared', toldAt = new Date().toISOString()) {
  parley.others.of(person.workspaceId).sampleData = { state, toldAt }
  await tell(person, { type: 'sample_data.changed', data: { state } })
}

/** Writes as a customer at a number. @returns the conversation. */
async function write(person: Person, numberId: string, text: string): Promise<string> {
  const conversationId = newId()
  await tell(person, inboundMessage({ conversationId, numberId, text }))
  return conversationId
}

const doneIn = ({ workspaceId }: Person, conversation: string) =>
  parley.others
    .of(workspaceId)
    .acts.filter(({ conversationId }) => conversationId === conversation)
    .flatMap(({ actions }) => actions)

async function start(person: Person, id: string): Promise<void> {
  const { problems } = await person.ask('POST', `/api/bots/${id}/check`, {})
  const accept = [...new Set(problems.map(({ code }: { code: string }) => code))]
  await person.ask('POST', `/api/bots/${id}/publish`, { version: 1, start: true, accept })
}

const left = async ({ workspaceId }: Person) => {
  const inWorkspace = { workspaceId: new Types.ObjectId(workspaceId) }
  const names = ['bots', 'workflows', 'flows', 'flowVersions', 'triggers', 'runs', 'flowDays', 'steps', 'attention']
  const counts = names.map((name) => parley.database.connection.collection(name).countDocuments(inWorkspace))
  return Object.fromEntries(
    (await Promise.all(counts)).flatMap((count, index) => (count > 0 ? [[names[index], count]] : [])),
  )
}

test('bots of the sample are there once, told twice even, with their figures, at its number alone', async () => {
  const ann = parley.signIn()
  const bob = parley.signIn()
  await change(bob, 'cleared')
  const toldAt = new Date().toISOString()
  await change(ann, 'loaded', toldAt)
  const first = await left(ann)
  await change(ann, 'loaded', toldAt)
  expect(await left(ann)).toEqual(first)
  expect(await left(bob)).toEqual({})

  const numberId = sampleMainNumberId(ann, createSampleDataset({ now: new Date(toldAt) }))
  const bots = await listOf(ann)
  expect(bots).toHaveLength(5)
  expect(bots).toContainEqual(
    expect.objectContaining({
      id: sampleBotId(ann, 'bot-1'),
      name: 'Order status',
      status: 'active',
      conversations: 1284,
      resolved: 1117,
      automationRate: 87,
      publishedVersion: 1,
      unpublishedChanges: false,
      numberIds: [numberId],
    }),
  )
  expect(bots).toContainEqual(expect.objectContaining({ name: 'Feedback after delivery', status: 'paused' }))
  await vi.waitFor(
    () => expect(parley.others.of(ann.workspaceId).told.at(-1)).toMatchObject({ active: true, numberIds: [numberId] }),
    timeout,
  )
  const { items: workflows } = await ann.ask('GET', '/api/workflows')
  expect(workflows).toHaveLength(5)
  expect(workflows).toContainEqual(
    expect.objectContaining({
      id: sampleBotId(ann, 'workflow-3'),
      name: 'Ask for feedback',
      status: 'active',
      triggers: 1,
      actions: 3,
      executions: 1846,
      succeeded: 1771,
      successRate: 95.9,
      reEnrolment: 'when_finished',
      publishedVersion: 1,
      unpublishedChanges: false,
    }),
  )
  expect(await ann.ask('GET', '/api/workflows/summary')).toEqual({
    total: 5,
    active: 4,
    executions: 3753,
    successRate: 96.9,
  })
  const { items: replies } = await ann.ask(
    'GET',
    `/api/workflows/${sampleBotId(ann, 'workflow-4')}/runs?outcome=failed`,
  )
  expect(replies).toHaveLength(8)
  expect(replies[0]).toMatchObject({ status: 'ended', started: { event: 'campaign.replied' } })

  const welcome = await ann.ask('GET', `/api/bots/${sampleBotId(ann, 'bot-2')}`)
  expect(JSON.stringify(welcome.draft)).toContain(sampleBotId(ann, 'bot-1'))
  const { items } = await ann.ask('GET', `/api/bots/${sampleBotId(ann, 'bot-2')}/runs`)
  expect(items[0]).toMatchObject({ status: 'ended', number: 1 })
  expect((await bob.call('GET', `/api/bots/${sampleBotId(ann, 'bot-2')}`)).status).toBe(404)
})

test('cleared, they go with everything of them; what people have made stays, and they can come again', async () => {
  const ann = parley.signIn()
  await change(ann, 'loaded')
  const { id } = await ann.ask('POST', '/api/bots', { name: 'Ours', draft: flowOf(keyword('ours'), say('Hello!')) })
  await change(ann, 'cleared')
  expect(await left(ann)).toEqual({ bots: 1, flows: 1 })
  expect((await listOf(ann)).map((bot: { id: string }) => bot.id)).toEqual([id])
  await change(ann, 'loaded')
  expect(await listOf(ann)).toHaveLength(6)
})

test('what a bot of the workspace listens to stays its own: the one of the sample is paused', async () => {
  const ann = parley.signIn()
  const { id } = await ann.ask('POST', '/api/bots', {
    name: 'Orders',
    draft: flowOf({ ...keyword('order'), match: 'word' }, say('Hello!')),
  })
  await start(ann, id)
  await change(ann, 'loaded')
  const bots = await listOf(ann)
  const statusOf = (name: string) => bots.find((bot: { name: string }) => bot.name === name)?.status
  expect(['Orders', 'Order status', 'Welcome'].map(statusOf)).toEqual(['active', 'paused', 'active'])
})

test('a workspace that had the sample before it was first read has the bots all the same', async () => {
  const ann = parley.signIn()
  parley.others.of(ann.workspaceId).sampleData = { state: 'loaded', toldAt: new Date().toISOString() }
  const { id } = await ann.ask('POST', '/api/bots', { name: 'Ours', draft: flowOf(keyword('ours'), say('Hello!')) })
  await start(ann, id)
  await vi.waitFor(async () => expect(await listOf(ann)).toHaveLength(6), timeout)
})

const mainNumber = (person: Person, toldAt: string) =>
  sampleMainNumberId(person, createSampleDataset({ now: new Date(toldAt) }))

test('whoever writes to the number of the sample is answered; at a number of the workspace its bots are silent', async () => {
  const ann = parley.signIn()
  const toldAt = new Date().toISOString()
  await change(ann, 'loaded', toldAt)
  const ownMessage = await write(ann, newId(), 'Hello?')
  expect(parley.others.of(ann.workspaceId).passed).toEqual([ownMessage])
  const there = await write(ann, mainNumber(ann, toldAt), 'Hello?')
  await vi.waitFor(() => expect(doneIn(ann, there).map(({ type }) => type)).toEqual(['claim', 'send']), timeout)
  expect(doneIn(ann, there)[1]).toMatchObject({
    content: {
      text: 'Welcome to Chai & Co, Kiran! What can we do for you?',
      options: [{ title: 'See our teas' }, { title: 'My order' }, { title: 'Talk to us' }],
    },
  })
  expect(doneIn(ann, ownMessage)).toEqual([])
})

test('a customer who is with a bot of the sample when that is cleared goes to people, and nothing of it is left', async () => {
  const ann = parley.signIn()
  const toldAt = new Date().toISOString()
  await change(ann, 'loaded', toldAt)
  const there = await write(ann, mainNumber(ann, toldAt), 'Hello?')
  await vi.waitFor(() => expect(doneIn(ann, there)).toHaveLength(2), timeout)
  await change(ann, 'cleared')
  expect(doneIn(ann, there).slice(2)).toMatchObject([
    { type: 'note', text: 'The sample data was cleared, and the bot of this conversation with it.' },
    { type: 'release', attention: true },
  ])
  expect(await left(ann)).toEqual({})
})

test('figures of the sample stay as they were told, and go on with what its bots do since', async () => {
  const ann = parley.signIn()
  const toldAt = new Date(Date.now() - 100 * 86_400_000).toISOString()
  await change(ann, 'loaded', toldAt)
  const welcome = async () => (await listOf(ann)).find((bot: { name: string }) => bot.name === 'Welcome')
  expect(await welcome()).toMatchObject({ conversations: 2036, resolved: 1486, automationRate: 73 })
  await write(ann, mainNumber(ann, toldAt), 'Hello?')
  await vi.waitFor(async () => expect(await welcome()).toMatchObject({ conversations: 2037, running: 1 }), timeout)
  const expiring = { workspaceId: new Types.ObjectId(ann.workspaceId), expireAt: { $exists: true } }
  expect(await parley.database.connection.collection('runs').countDocuments(expiring)).toBe(0)
})
