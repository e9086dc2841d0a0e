import { laneOf } from '@parley/service-kit/queue/lanes'
import { ObjectId } from 'mongodb'
import { expect, test } from 'vitest'
import { eachWithDatabase } from './each-with-database.ts'

const { client, folder, backup, command } = eachWithDatabase()

test('what waited to be sent is held after a restore, until a person releases it, workspace by workspace', async () => {
  const messages = client().db().collection('messages')
  const [one, two, numberId] = [new ObjectId(), new ObjectId(), new ObjectId()]
  const waiting = (workspaceId: ObjectId, state: string) => ({
    workspaceId,
    numberId,
    version: 3,
    sendLane: '7',
    dispatch: { state, attempts: 0, ...(state === 'sending' && { claim: 'a process', leaseUntil: new Date() }) },
  })
  const sent = { workspaceId: one, numberId, version: 5, dispatch: { state: 'accepted', attempts: 1 } }
  await messages.insertMany([waiting(one, 'queued'), waiting(one, 'sending'), waiting(two, 'queued'), sent])
  await backup()
  expect((await command('restore', folder(), '--force')).output).toContain('3 messages that waited to be sent are held')

  expect(await messages.countDocuments({ sendLane: { $exists: true } })).toBe(0)
  expect(await messages.countDocuments({ 'dispatch.claim': { $exists: true } })).toBe(0)
  expect(await messages.countDocuments({ 'dispatch.state': 'held', version: 4 })).toBe(3)
  expect(await messages.countDocuments({ 'dispatch.state': 'accepted', version: 5 })).toBe(1)
  const { output } = await command('release-held')
  expect(output.split('\n')).toEqual([`workspace ${one}: 2 messages held`, `workspace ${two}: 1 messages held`])

  expect((await command('release-held', String(two))).output).toBe(`1 messages of workspace ${two} will be sent.`)
  const released = await messages.findOne({ workspaceId: two })
  expect(released).toMatchObject({ sendLane: String(laneOf(String(numberId))), dispatch: { state: 'queued' } })
  expect((await command('release-held')).output).toBe(`workspace ${one}: 2 messages held`)
  expect(await command('release-held', 'everybody')).toMatchObject({ code: 1, output: expect.stringContaining('24') })
})

test('no campaign runs by itself after a restore; whom it may have reached since is never sent to again', async () => {
  const db = client().db()
  const workspaceId = new ObjectId()
  const campaign = (status: string, over: object = {}) => ({
    _id: new ObjectId(),
    workspaceId,
    status,
    version: 1,
    watch: 'campaigns',
    nextAt: new Date(),
    frozen: { rows: 3, done: false },
    ...over,
  })
  const [running, planned, over, draft] = [
    campaign('active', { startedAt: new Date() }),
    campaign('scheduled'),
    campaign('completed', { startedAt: new Date(), watch: undefined }),
    campaign('draft', { review: { id: 'r', state: 'ready' } }),
  ]
  await db.collection('campaigns').insertMany([running, planned, over, draft], { ignoreUndefined: true })
  const rows = ['pending', 'queued', 'read'].map((state, n) => ({ workspaceId, campaignId: running._id, n, state }))
  await db.collection('campaignRecipients').insertMany(rows)
  await backup()
  expect((await command('restore', folder(), '--force')).code).toBe(0)

  const found = await db.collection('campaigns').find().sort({ _id: 1 }).toArray()
  expect(found.map(({ status, pausedFor, watch }) => [status, pausedFor, watch])).toEqual([
    ['paused', 'restored', undefined],
    ['paused', 'restored', undefined],
    ['completed', undefined, undefined],
    // Its rows may lack some of its audience: they are deleted, and it is reviewed again.
    ['draft', undefined, 'campaigns'],
  ])
  expect(found[3]).toMatchObject({ frozen: { clearing: true } })
  expect(found[3]).not.toHaveProperty('review')
  expect(found.slice(0, 3).map(({ frozen }) => frozen.done)).toEqual([true, false, false])
  const states = await db.collection('campaignRecipients').find().sort({ n: 1 }).toArray()
  expect(states.map(({ state }) => state)).toEqual(['uncertain', 'uncertain', 'read'])
})

test('a released message that is scheduled for later waits for its time', async () => {
  const messages = client().db().collection('messages')
  const [workspaceId, numberId] = [new ObjectId(), new ObjectId()]
  const [later, earlier] = [new Date(Date.now() + 3600_000), new Date(Date.now() - 3600_000)]
  const scheduled = (sendAt: Date) => ({
    workspaceId,
    numberId,
    version: 1,
    sendAt,
    sendLane: 'scheduled',
    dispatch: { state: 'held', attempts: 0, notBefore: sendAt },
  })
  await messages.insertMany([scheduled(later), scheduled(earlier)])
  await backup()
  await command('restore', folder(), '--force')
  expect((await command('release-held', String(workspaceId))).output).toContain('2 messages')
  const waiting = { sendLane: 'scheduled', version: 3, dispatch: { state: 'held', notBefore: later } }
  expect(await messages.findOne({ sendAt: later })).toMatchObject(waiting)
  expect(await messages.findOne({ sendAt: later })).not.toHaveProperty('dispatch.lastError')
  const due = { sendLane: String(laneOf(String(numberId))), dispatch: { state: 'queued' } }
  expect(await messages.findOne({ sendAt: earlier })).toMatchObject(due)
})

test('no session of a bot goes on by itself after a restore, and messaging is told anew where bots are active', async () => {
  const db = client().db()
  const workspaceId = new ObjectId()
  const createdAt = new Date('2026-05-01T00:00:00Z')
  const [flowId, conversationId] = [new ObjectId(), new ObjectId()]
  const session = (status: string, more: object = {}) => ({
    workspaceId,
    flowId,
    status,
    version: 2,
    live: true,
    createdAt,
    home: '7',
    ...more,
  })
  const due = { dueAt: new Date(), dueFor: 'timer', dueLane: '7' }
  await db
    .collection('runs')
    .insertMany([
      session('waiting', due),
      session('working', { lane: '7', retryAt: new Date(), holds: true, conversationId, todo: { message: { at: 1 } } }),
      session('working', { ending: 'The bot was deleted.', ...due }),
      { workspaceId, status: 'ended', outcome: 'completed', version: 9 },
    ])
  await db.collection('routing').insertOne({ workspaceId, turns: 4, number: 3 })
  await db.collection('calls').insertOne({ workspaceId, state: 'waiting', open: 'open', dueAt: new Date() })
  await backup()
  expect((await command('restore', folder(), '--force')).output).toContain('2 sessions of bots are held')

  const held = await db.collection('runs').find({ status: 'held' }).toArray()
  expect(held).toHaveLength(2)
  for (const run of held) {
    expect(run).toMatchObject({ version: 3, reason: expect.stringContaining('restored') })
    for (const field of ['lane', 'retryAt']) expect(run).not.toHaveProperty(field)
    // It waits for a person, and not for ever.
    expect(run).toMatchObject({ dueAt: new Date('2026-06-30T00:00:00Z'), dueFor: 'end', dueLane: '7' })
  }
  // People are told of the flow, and of the conversation in which an answer is owed.
  const list = await db.collection('attention').find({ workspaceId, state: 'open', told: 'no' }).toArray()
  expect(list.map(({ groupKey, code, count }) => [groupKey, code, count])).toEqual([
    [`held:${flowId}`, 'held', 2],
    [`held:${held.find(({ holds }) => holds)?._id}`, 'held', 1],
  ])
  expect(list[1]).toMatchObject({ flowId, conversationId, sentence: expect.stringContaining('answer') })
  expect(await db.collection('runs').countDocuments({ status: 'working', ...due })).toBe(1)
  expect(await db.collection('runs').countDocuments({ status: 'ended', version: 9 })).toBe(1)
  // As one whose worker has died: made again only where that does no harm.
  expect(await db.collection('calls').findOne({ workspaceId })).toMatchObject({ state: 'started', dueAt: new Date(0) })
  const table = await db.collection('routing').findOne({ workspaceId })
  expect(table).toMatchObject({ watch: 'routing', tellAt: expect.any(Date), number: 1_000_003 })
})
