import { replayRun } from '@parley/flow/replay-run'
import { newId } from '@parley/service-kit/data/plain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createReadTaken } from '../modules/runs/read-taken.ts'
import { booking, flowOf, keyword, text } from './drawn-flows.ts'
import { joinEach } from './join-each.ts'
import { flowsOf, words } from './random-flows.ts'
import { carryOut, comeToRest, commandsOf } from './random-orders.ts'
import type { Joined } from './start-runs.ts'
import { tapped } from './talk.ts'

let parley: Joined
const database = joinEach((joined) => {
  parley = joined
})

const recent = { kind: 'recent' } as const
const replay = (id: string, draft?: typeof booking, of: Parameters<Joined['replay']>[2]['of'] = recent) =>
  parley.replay(parley.scope, { kind: 'bot', id }, { draft, of })

/** Has a customer book a table. */
async function book() {
  const talk = parley.messaging.open('Asha')
  for (const say of ['book', 'A table', 'Rao']) {
    if (say === 'A table') parley.messaging.tap(talk, say)
    else parley.messaging.say(talk, { text: say })
    await parley.settle()
  }
  return talk
}

test('any run, replayed on the version that ran, goes the way that it went, and nothing is sent or stored', async () => {
  let compared = 0
  const botIds = [newId(), newId()]
  await fc.assert(
    fc.asyncProperty(
      fc.array(flowsOf(botIds), { minLength: 1, maxLength: 2 }),
      fc.array(commandsOf(words), { minLength: 5, maxLength: 25 }),
      async (flows, commands) => {
        parley = database().join()
        const bots = flows.map((flow, index) => Object.assign(parley.addBot(flow), { id: botIds[index] ?? newId() }))
        await parley.feed.begin(parley.scope)
        const talks = [parley.messaging.open('Asha'), parley.messaging.open('Ravi')]
        const scene = { parley, talks, workers: [parley, parley.create()], bots }
        for (const command of commands) await carryOut(command, scene)
        await comeToRest(scene)
        const before = [await parley.runs(), await parley.steps(), talks.map(({ log }) => [...log])]
        const known = new Set((await parley.runs()).map(({ flowId }) => String(flowId)))
        for (const id of botIds.filter((one) => known.has(one)))
          for (const { result, stop } of (await replay(id)).items) {
            if (result === 'not_replayable') expect(['no_record', 'gap', 'too_long']).toContain(stop)
            else expect(result).toBe('same')
            if (result === 'same') compared += 1
          }
        expect([await parley.runs(), await parley.steps(), talks.map(({ log }) => [...log])]).toEqual(before)
      },
    ),
    { numRuns: 40, endOnFailure: true },
  )
  expect(compared).toBeGreaterThan(10)
})

test.each([0, 1.5])(
  'a form that another run has sent is no answer, nor is it in a replay (fragments are collected for %s s)',
  async (collectSeconds) => {
    const visit = { id: 'visit', kind: 'form', text: 'Book a visit', button: 'Open', formId: '77' } as const
    const { id } = parley.addBot(
      flowOf(
        [keyword('go', 'go'), visit, text('done', 'On {{session.Wanted day}}.')],
        ['go next visit', 'visit next done'],
      ),
      { collectSeconds },
    )
    const talk = parley.messaging.open('Asha')
    const say = async (...said: Parameters<Joined['messaging']['say']>[1][]) => {
      for (const one of said) parley.messaging.say(talk, one)
      await parley.settle()
      parley.messaging.pass(1600)
      await parley.settle()
    }
    await say({ text: 'go' })
    const other = tapped({ id: `${newId()}.1.form`, title: 'Sent' })
    await say(other, { ...other, choice: 'a campaign' })
    await say({ text: 'Monday' })
    expect(talk.sent.map((one) => one.text)).not.toContain('On Monday.')
    expect((await replay(id)).items).toMatchObject([{ result: 'same' }])
  },
)

test('other words, another way and a step that is gone are told at their node, with both chains', async () => {
  const { id } = parley.addBot(booking)
  await book()
  const reworded = {
    ...booking,
    nodes: booking.nodes.map((node) =>
      node.id === 'who' ? { ...node, settings: { ...node.settings, text: 'Your name?' } } : node,
    ),
  }
  const [words1] = (await replay(id, reworded)).items
  expect(words1).toMatchObject({ result: 'words', nodeId: 'who' })
  const other = {
    ...booking,
    edges: booking.edges.map((edge) => (edge.branch === 'table' ? { ...edge, target: 'room' } : edge)),
  }
  const [run] = await parley.runs()
  const [whole] = (await replay(id, other, { kind: 'run', runId: String(run?._id) })).items
  expect(whole).toMatchObject({ result: 'differs', nodeId: 'who' })
  expect(whole?.chains?.replayed.flatMap(({ nodeId }) => nodeId ?? [])).toEqual(['book', 'what', 'what', 'room', 'end'])
  const deaf = flowOf([keyword('hi', 'hi'), text('hello', 'Hello!')], ['hi next hello'])
  expect((await replay(id, deaf)).items[0]).toMatchObject({ result: 'differs', nodeId: 'book' })
})

test('beside a run stand references alone: none of the words, names or numbers of its customer', async () => {
  parley.addBot(booking)
  await book()
  const text = JSON.stringify(await parley.inputs())
  expect(text).toContain('table')
  for (const word of ['Rao', 'Asha', '919812345678', 'A table']) expect(text).not.toContain(word)
})

test('a run whose messages are deleted, or whose customer is erased, cannot be replayed', async () => {
  const { id } = parley.addBot(booking)
  const talk = await book()
  expect((await replay(id)).items).toMatchObject([{ result: 'same' }])
  const [first] = parley.messaging.events.flatMap((event) => (event.type === 'message.changed' ? event.data : []))
  parley.messaging.deleted.add(first?.messageId ?? '')
  expect((await replay(id)).items).toMatchObject([{ result: 'not_replayable', stop: 'words_gone' }])
  const data = { contactId: talk.contactId, conversationIds: [talk.id] }
  parley.messaging.emit(talk, { type: 'contact.erased', by: { kind: 'system' }, chain: [], data })
  await parley.settle()
  expect((await replay(id)).items).toMatchObject([{ result: 'not_replayable', stop: 'erased' }])
  expect(replayRun([], { nodes: new Map() } as never, { goesOn: false }).stop).toBe('no_record')
})

test('a run of a workflow meets the filter of the draft with the event that began it, and asks messaging to do nothing', async () => {
  const on = (value: string) => ({
    id: 'on',
    kind: 'event' as const,
    event: 'contact.tag_added',
    filter: { match: 'all', conditions: [{ field: 'event.tag', comparison: 'equals', value }] },
  })
  const thanks = (tag: string) => flowOf([on(tag), { id: 'tag', kind: 'add_tag', tag: 'thanked' }], ['on next tag'])
  const { id } = parley.addWorkflow(thanks('vip'))
  const talk = parley.messaging.open('Asha')
  parley.messaging.tag(talk, 'vip')
  await parley.settle()
  const before = [await parley.runs(), await parley.steps(), talk.tags]
  parley.messaging.asked.length = 0
  const ofWorkflow = (draft?: ReturnType<typeof thanks>) =>
    parley.replay(parley.scope, { kind: 'workflow', id }, { draft, of: recent })
  expect((await ofWorkflow()).items).toMatchObject([{ result: 'same' }])
  expect((await ofWorkflow(thanks('gold'))).items).toMatchObject([
    { result: 'differs', replayed: { lines: [{ by: 'passed', text: 'no_trigger' }] } },
  ])
  expect([await parley.runs(), await parley.steps(), talk.tags]).toEqual(before)
  expect([...new Set(parley.messaging.asked)]).toEqual(['internal.events.named'])
})

test('of a session that a bot has led back to itself its first part is replayed', async () => {
  const id = newId()
  const again = flowOf(
    [
      keyword('book', 'book'),
      { id: 'who', kind: 'ask', text: 'In whose name?', attribute: 'booked for', timeoutSeconds: 60 },
      { id: 'over', kind: 'go_to_bot', botId: id },
      text('thanks', 'Thanks!'),
    ],
    ['book next who', 'who timeout over', 'who next thanks'],
  )
  Object.assign(parley.addBot(again), { id })
  const talk = parley.messaging.open('Asha')
  parley.messaging.say(talk, { text: 'book' })
  await parley.settle()
  parley.messaging.pass(61_000)
  await parley.settle()
  parley.messaging.say(talk, { text: 'Rao' })
  await parley.settle()
  expect(talk.sent.map(({ text: said }) => said)).toEqual(['In whose name?', 'In whose name?', 'Thanks!'])
  expect((await replay(id)).items).toMatchObject([{ result: 'same' }])
})

test('messaging is asked once for the runs of a replay', async () => {
  const { id } = parley.addBot(booking)
  for (let time = 0; time < 3; time += 1) await book()
  parley.messaging.asked.length = 0
  expect((await replay(id)).items.map(({ result }) => result)).toEqual(['same', 'same', 'same'])
  expect(parley.messaging.asked.filter((operation) => operation === 'internal.events.named')).toHaveLength(1)
})

test('a call names 200 events at most, and each run gets its own', async () => {
  const sizes = [120, 30, 60, 199, 1]
  const runs = sizes.map((size) => ({ id: String(size), contactName: 'Asha', startedBy: { eventId: newId() } }))
  const calls: string[][] = []
  const readTaken = createReadTaken({
    inputs: {
      of: (async (_: unknown, runId: string) =>
        Array.from({ length: Number(runId) }, () => ({
          taken: JSON.stringify({ input: { type: 'message', eventIds: [newId()] } }),
        }))) as never,
    },
    askMessaging: (async (_: unknown, __: unknown, { body }: { body: { ids: string[] } }) => {
      calls.push(body.ids)
      return { items: [], texts: [] }
    }) as never,
    program: async () => undefined,
  })
  const read: unknown[] = []
  for await (const one of readTaken(parley.scope, newId(), runs as never)) read.push(one)
  expect(read).toEqual(sizes.map(() => 'words_gone'))
  expect(calls.map((ids) => ids.length)).toEqual([152, 61, 200, 2])
})
