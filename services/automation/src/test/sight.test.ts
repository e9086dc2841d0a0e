import { newId } from '@parley/service-kit/data/plain'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { beforeAll, expect, test } from 'vitest'
import { soundFlow } from './flow-fixtures.ts'
import { joinAutomation } from './start-automation.ts'

let parley: Awaited<ReturnType<typeof joinAutomation>>
beforeAll(async () => {
  parley = await joinAutomation()
})

type Person = ReturnType<typeof parley.signIn>

/** Sessions of a bot in two conversations, one of them a colleague's, and what each wants a person to look at. */
async function twoSessions(ann: Person, known?: string) {
  const botId = known ?? (await ann.ask('POST', '/api/bots', { name: 'Front desk', draft: soundFlow('x') })).id
  const inWorkspace = { workspaceId: new Types.ObjectId(ann.workspaceId), flowId: new Types.ObjectId(botId) }
  const [foreign, seen] = await Promise.all(
    ['Fiona Foreign', 'Mira Mine'].map(async (contactName) => {
      const [run, conversation] = [new Types.ObjectId(), new Types.ObjectId()]
      const id = new Types.ObjectId()
      const now = new Date()
      await parley.database.connection.collection('runs').insertOne({
        ...{ _id: run, ...inWorkspace, kind: 'bot', number: 1, contactId: id, contactName, home: '1' },
        ...{ conversationId: conversation, numberId: id, status: 'held', live: true, steps: 0, inbox: [], chain: [] },
        ...{ state: { nodeId: 'a', wait: null }, legs: [], recent: { sentAt: [] } },
        ...{ startedBy: { eventId: newId(), triggerId: 'a' }, createdAt: now, updatedAt: now, version: 1 },
      })
      await parley.database.connection.collection('attention').insertOne({
        ...{ _id: new Types.ObjectId(), ...inWorkspace, state: 'open', groupKey: run.toHexString(), code: 'late' },
        ...{ sentence: `${contactName} waits.`, runId: run, conversationId: conversation, count: 1 },
        ...{ firstAt: now, lastAt: now },
      })
      return { run: run.toHexString(), conversation: conversation.toHexString() }
    }),
  )
  if (!foreign || !seen) throw new Error('there are two')
  return { botId, foreign, seen }
}

test('an agent who sees their own conversations sees the sessions of those', async () => {
  const ann = parley.signIn()
  const bob = parley.signIn({ role: 'agent', workspaceId: ann.workspaceId })
  const { botId, foreign, seen } = await twoSessions(ann)
  const told = async (person: Person) =>
    JSON.stringify([
      await person.ask('GET', `/api/bots/${botId}/runs`),
      await person.ask('GET', '/api/attention'),
      (await person.call('GET', `/api/runs/${foreign.run}`)).body,
    ])
  // The setting is `all`.
  expect(await told(bob)).toContain('Fiona Foreign')
  parley.others.of(ann.workspaceId).visible = [seen.conversation]
  expect(await told(bob)).toContain('Mira Mine')
  expect(await told(bob)).not.toMatch(new RegExp(`Fiona|${foreign.run}|${foreign.conversation}`))
  expect(await told(ann)).toContain('Fiona Foreign')
  for (const step of ['cancel', 'release'])
    expect((await bob.call('POST', `/api/runs/${foreign.run}/${step}`)).status).toBe(404)
  const started = await bob.call('POST', `/api/bots/${botId}/sessions`, { conversationId: foreign.conversation })
  expect(started.status).toBe(404)
  expect((await bob.call('POST', `/api/runs/${seen.run}/release`)).status).toBe(200)
})

test('lists of what an agent does not see go on, and count what they see', async () => {
  const ann = parley.signIn()
  const bob = parley.signIn({ role: 'agent', workspaceId: ann.workspaceId })
  const { botId, seen } = await twoSessions(ann)
  // Newer ones, all of them a colleague's, fill the first page.
  await twoSessions(ann, botId)
  parley.others.of(ann.workspaceId).visible = [seen.conversation]
  for (const path of ['/api/attention?state=open&limit=1', `/api/bots/${botId}/runs?limit=1`]) {
    const { items, total, nextCursor } = await bob.ask('GET', path)
    expect([items.length, items[0]?.conversationId, total, nextCursor]).toEqual([1, seen.conversation, 1, null])
    expect((await ann.ask('GET', path)).total).toBe(4)
    await expectIndexed(parley.database.connection, () => bob.ask('GET', path))
  }
})

test('the cards of bots count what an agent sees of what is to be looked at', async () => {
  const ann = parley.signIn()
  const bob = parley.signIn({ role: 'agent', workspaceId: ann.workspaceId })
  const { botId, seen } = await twoSessions(ann)
  await twoSessions(ann, botId)
  const cards = async (person: Person) =>
    (await Promise.all([person.ask('GET', '/api/bots'), person.ask('GET', `/api/bots/${botId}`)])).map(
      (answer) => (answer.items?.[0] ?? answer).attention,
    )
  // The setting is `all`.
  expect(await cards(bob)).toEqual([4, 4])
  parley.others.of(ann.workspaceId).visible = [seen.conversation]
  expect(await cards(bob)).toEqual([1, 1])
  expect(await cards(ann)).toEqual([4, 4])
  // Entries about no conversation are everybody's; those that are resolved are nobody's.
  const inWorkspace = { workspaceId: new Types.ObjectId(ann.workspaceId) }
  const table = parley.database.connection.collection('attention')
  await table.updateOne({ ...inWorkspace, sentence: /^Fiona/ }, { $unset: { conversationId: '' } })
  expect(await cards(bob)).toEqual([2, 2])
  await table.updateMany({ ...inWorkspace, conversationId: new Types.ObjectId(seen.conversation) }, [
    { $set: { state: 'dismissed' } },
  ])
  expect(await cards(bob)).toEqual([1, 1])
  await expectIndexed(parley.database.connection, () => bob.ask('GET', '/api/bots'))
})

test('an agent takes off the list what they see', async () => {
  const ann = parley.signIn()
  const bob = parley.signIn({ role: 'agent', workspaceId: ann.workspaceId })
  const { seen } = await twoSessions(ann)
  parley.others.of(ann.workspaceId).visible = [seen.conversation]
  const { items } = await ann.ask('GET', '/api/attention')
  const ids = items.map(({ id }: { id: string }) => id)
  expect(await bob.ask('POST', '/api/attention/dismiss', { ids, state: 'dismissed' })).toEqual({ changed: 1 })
  const left = (await ann.ask('GET', '/api/attention?state=open')).items
  expect(left.map(({ sentence }: { sentence: string }) => sentence)).toEqual(['Fiona Foreign waits.'])
  // Entries about no conversation are everybody's.
  const table = parley.database.connection.collection('attention')
  await table.updateOne({ _id: new Types.ObjectId(left[0].id) }, { $unset: { conversationId: '' } })
  expect((await bob.ask('GET', '/api/attention?state=open')).total).toBe(1)
  expect(await bob.ask('POST', '/api/attention/dismiss', { ids, state: 'dismissed' })).toEqual({ changed: 1 })
})

test('while messaging cannot say what an agent sees, sessions are not shown', async () => {
  const ann = parley.signIn()
  const bob = parley.signIn({ role: 'agent', workspaceId: ann.workspaceId })
  const { botId } = await twoSessions(ann)
  parley.others.away(true)
  const answer = await bob.call('GET', `/api/bots/${botId}/runs`)
  parley.others.away(false)
  expect(answer.status).toBe(503)
})
