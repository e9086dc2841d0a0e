import type { Enrolment } from '@parley/contracts/automation/workflows'
import { expect, test } from 'vitest'
import { anyMessage, booking, end, flowOf, greeting, text } from './drawn-flows.ts'
import { joinEach } from './join-each.ts'
import type { Joined } from './start-runs.ts'
import type { Talk } from './talk.ts'

let parley: Joined
let talk: Talk
joinEach((joined) => {
  parley = joined
  talk = parley.messaging.open()
})

const on = (event: string, filter?: object) => ({ id: 'on', kind: 'event' as const, event, ...(filter && { filter }) })
const only = (field: string, value: string) => ({
  match: 'all',
  conditions: [{ field, comparison: 'equals', value }],
})
const addTag = (tag: string) => ({ id: 'tag', kind: 'add_tag' as const, tag })
const template = { id: 'template', kind: 'send_template' as const, templateId: 'welcome', variables: {} }

/** A customer who is tagged `vip` gets a template, and another tag. */
const thanks = flowOf(
  [on('contact.tag_added', only('event.tag', 'vip')), template, addTag('thanked')],
  ['on next template', 'template next tag'],
)
/** Says something each time that a contact is tagged. */
const greeter = flowOf([on('contact.tag_added'), text('hello', 'Hello!')], ['on next hello'])

const tagged = async (tag: string, who = talk) => {
  parley.messaging.tag(who, tag)
  await parley.settle()
}
const untagged = () => {
  talk.tags = []
}
const runsOf = async ({ id }: { id: string }) => (await parley.runs()).filter(({ flowId }) => String(flowId) === id)

test('a tag starts a workflow about its contact: a template leaves, a tag is set, each step is written down, and who has caused it', async () => {
  const workflow = parley.addWorkflow(thanks)
  await tagged('other')
  expect(await parley.runs()).toEqual([])
  await tagged('VIP')
  expect(talk.log).toHaveLength(1)
  expect(talk.tags).toEqual(['other', 'VIP', 'thanked'])
  expect([talk.owner.kind, talk.epoch]).toEqual(['nobody', 0])
  const [run] = await runsOf(workflow)
  expect(run).toMatchObject({ kind: 'workflow', status: 'ended', outcome: 'completed', slot: 'once' })
  expect(run?.['startedBy']).toMatchObject({ event: 'contact.tag_added', detail: 'VIP', by: 'user' })
  expect((await parley.steps()).map(({ nodeId, action, outcome }) => [nodeId, action, outcome])).toEqual([
    ['on', undefined, undefined],
    ['template', 'send_template', 'done'],
    ['tag', 'add_tag', 'done'],
  ])
  const figures = await parley.figuresOf(parley.scope, [workflow.id])
  expect(figures.get(workflow.id)).toMatchObject({ running: 0, begun: 1, ended: 1, succeeded: 1 })
})

test.each<[string, Partial<Enrolment>, number]>([
  ['once', {}, 1],
  ['once while it lives', { reEnrolment: 'when_finished' }, 3],
  ['each time', { reEnrolment: 'always' }, 3],
  ['each time, with a pause', { reEnrolment: 'always', coolDownSeconds: 60 }, 1],
])('a contact takes part %s', async (_, enrolment, starts) => {
  parley.addWorkflow(thanks, enrolment)
  for (let time = 0; time < 3; time += 1) {
    untagged()
    await tagged('vip')
  }
  expect(await parley.runs()).toHaveLength(starts)
})

test('a run that waits keeps its place; the next one begins once it has ended', async () => {
  const waiting = flowOf(
    [on('contact.tag_added'), { id: 'wait', kind: 'wait_time', seconds: 60 }, text('later', 'Later')],
    ['on next wait', 'wait next later'],
  )
  parley.addWorkflow(waiting, { reEnrolment: 'when_finished' })
  await tagged('one')
  await tagged('two')
  expect(await parley.runs()).toMatchObject([{ status: 'waiting', slot: 'live' }])
  parley.messaging.pass(61_000)
  await parley.settle()
  await tagged('three')
  expect(await parley.runs()).toMatchObject([{ status: 'ended' }, { status: 'waiting' }])
  expect(talk.sent).toHaveLength(1)
})

test('a failure before the first action leaves the place free, and stands on the attention list', async () => {
  const workflow = parley.addWorkflow(thanks)
  parley.messaging.refuse('template_not_approved', ({ type }) => type === 'send_template')
  await tagged('vip')
  expect(await runsOf(workflow)).toMatchObject([{ status: 'ended', outcome: 'failed' }])
  expect((await runsOf(workflow))[0]).not.toHaveProperty('slot')
  expect(await parley.items()).toMatchObject([{ code: 'template_not_approved' }])
  expect(talk.notes).toEqual([])
})

test('what a workflow itself has caused starts it no more, nor does what follows from that', async () => {
  const again = flowOf([on('contact.tag_added'), addTag('again')], ['on next tag'])
  const first = parley.addWorkflow(again, { reEnrolment: 'always' })
  const second = parley.addWorkflow(
    flowOf([on('contact.tag_added', only('event.tag', 'again')), addTag('and again')], ['on next tag']),
    { reEnrolment: 'always' },
  )
  await tagged('vip')
  expect([(await runsOf(first)).length, (await runsOf(second)).length]).toEqual([1, 1])
  expect(talk.tags).toEqual(['vip', 'again', 'and again'])
})

test('above its limits a workflow is held; let go on, it does what it would have done', async () => {
  parley.addWorkflow(greeter, { reEnrolment: 'always', perContactPerHour: 2 })
  for (const tag of ['a', 'b', 'c', 'd']) await tagged(tag)
  expect(talk.sent).toHaveLength(2)
  const held = (await parley.runs()).filter(({ status }) => status === 'held')
  expect(held).toHaveLength(2)
  expect(await parley.items()).toMatchObject([{ code: 'held', count: 2 }])
  const [run] = held
  await parley.service.release(parley.scope, String(run?._id))
  await parley.settle()
  expect(talk.sent).toHaveLength(3)

  parley.addWorkflow(flowOf([on('contact.tag_added', only('event.tag', 'x')), end], ['on next end']), {
    startsPerHour: 1,
  })
  const other = parley.messaging.open('Ravi')
  await tagged('x')
  await tagged('x', other)
  expect((await parley.runs()).at(-1)).toMatchObject({ status: 'held' })
})

test('a message starts a workflow beside the bot that answers it; neither owns what is the other’s', async () => {
  parley.addBot(greeting)
  parley.addWorkflow(flowOf([on('message.received', only('message.text', 'hi')), addTag('greeter')], ['on next tag']))
  parley.messaging.say(talk, { text: 'hi' })
  await parley.settle()
  expect([talk.sent.map(({ text: said }) => said), talk.tags, talk.owner.kind]).toEqual([
    ['Hello!'],
    ['greeter'],
    'nobody',
  ])
  parley.messaging.say(talk, { text: 'stop', command: 'opt_out' })
  await parley.settle()
  expect(await parley.runs()).toHaveLength(2)
})

test('a workflow that asks claims the conversation, takes the answer and releases it', async () => {
  parley.addWorkflow({
    ...booking,
    nodes: booking.nodes.map((node) =>
      node.id === 'book' ? { ...node, settings: { kind: 'event', event: 'contact.tag_added' } } : node,
    ),
  })
  await tagged('booker')
  expect(talk.owner.kind).toBe('bot')
  parley.messaging.tap(talk, 'A room')
  await parley.settle()
  expect(talk.sent.map(({ text: said }) => said)).toEqual(['What would you like?', 'A room it is.'])
  expect(talk.owner.kind).toBe('nobody')
  expect(await parley.runs()).toMatchObject([{ status: 'ended', outcome: 'completed' }])
})

test('where a bot is talking, a workflow does not ask; it goes on where it only says', async () => {
  parley.addBot(booking)
  parley.messaging.say(talk, { text: 'book' })
  await parley.settle()
  const asks = flowOf(
    [on('contact.tag_added'), { id: 'ask', kind: 'ask', text: 'Your name?', attribute: 'name' }],
    ['on next ask'],
  )
  const asking = parley.addWorkflow(asks)
  const saying = parley.addWorkflow(greeter)
  await tagged('vip')
  expect(await runsOf(asking)).toMatchObject([{ outcome: 'failed', code: 'conversation_busy' }])
  expect(await runsOf(saying)).toMatchObject([{ outcome: 'completed' }])
  expect([talk.owner.kind, talk.notes]).toEqual(['bot', []])
  parley.messaging.tap(talk, 'A table')
  await parley.settle()
  expect(talk.sent.at(-1)?.text).toBe('In whose name?')
})

test('a run that waits for a reply sees it beside people and bots; a member’s reply does not end it', async () => {
  const workflow = parley.addWorkflow(
    flowOf(
      [on('contact.tag_added'), { id: 'wait', kind: 'wait_reply', timeoutSeconds: 3600 }, addTag('replied')],
      ['on next wait', 'wait reply tag'],
    ),
  )
  await tagged('vip')
  parley.messaging.people.reply(talk)
  await parley.settle()
  expect(await runsOf(workflow)).toMatchObject([{ status: 'waiting' }])
  parley.messaging.say(talk, { text: 'thanks' })
  await parley.settle()
  expect(talk.tags).toEqual(['vip', 'replied'])
})

test('an answer to a campaign starts the workflow of that campaign, and no other message does', async () => {
  const campaignId = 'c'.repeat(24)
  const workflow = parley.addWorkflow(
    flowOf([on('campaign.replied', only('campaign.id', campaignId)), addTag('interested')], ['on next tag']),
  )
  for (const said of [{}, { campaignId: 'd'.repeat(24) }, { campaignId }]) {
    expect(talk.tags).toEqual([])
    parley.messaging.say(talk, { text: 'Yes, please', ...said })
    await parley.settle()
  }
  expect(talk.tags).toEqual(['interested'])
  expect(await runsOf(workflow)).toMatchObject([{ startedBy: { event: 'campaign.replied' } }])
})

test('events that come twice, read by several at once, start one run', async () => {
  const workflow = parley.addWorkflow(thanks)
  for (let count = 0; count < 100; count += 1) {
    untagged()
    parley.messaging.tag(talk, 'vip')
  }
  const readers = Array.from({ length: 10 }, () => parley.create())
  while (
    (await Promise.all(readers.map(({ feed }) => feed.readOn(parley.scope).catch(() => true)))).some((isMore) => isMore)
  );
  await parley.settle()
  expect(await runsOf(workflow)).toHaveLength(1)
  expect(talk.log).toHaveLength(1)
})

test('an erased person’s runs end; of two who become one the live run moves, and a second place is given up', async () => {
  const waiting = flowOf(
    [on('contact.tag_added'), { id: 'wait', kind: 'wait_time', seconds: 3600 }, end],
    ['on next wait', 'wait next end'],
  )
  parley.addWorkflow(waiting)
  const [kept, other, third] = [talk, parley.messaging.open('Ravi'), parley.messaging.open('Mina')]
  await tagged('a', other)
  const became = (contactId: string, otherId: string) =>
    parley.messaging.emit(kept, {
      type: 'contact.merged',
      by: { kind: 'user' },
      data: { contactId, otherId },
    })
  became(kept.contactId, other.contactId)
  await parley.settle()
  expect((await parley.runs()).map(({ contactId, status }) => [String(contactId), status])).toEqual([
    [kept.contactId, 'waiting'],
  ])
  await tagged('b', third)
  became(kept.contactId, third.contactId)
  await parley.settle()
  expect((await parley.runs()).map(({ outcome }) => outcome ?? 'live')).toEqual(['live', 'superseded'])
  parley.messaging.emit(kept, {
    type: 'contact.erased',
    by: { kind: 'user' },
    data: { contactId: kept.contactId, conversationIds: [] },
  })
  await parley.settle()
  expect(await parley.runs()).toMatchObject([{ outcome: 'cancelled' }, { outcome: 'superseded' }])
})

test('any message starts a bot as before, whatever workflows there are', async () => {
  parley.addWorkflow(greeter)
  parley.addBot(flowOf([anyMessage, text('hello', 'Hello!'), end], ['any next hello', 'hello next end']))
  parley.messaging.say(talk, { text: 'x' })
  await parley.settle()
  expect(talk.sent.map(({ text: said }) => said)).toEqual(['Hello!'])
})

test('of two runs that ask in one conversation at the same moment the later question stays open, and the other run ends', async () => {
  const asking = flowOf(
    [
      on('contact.tag_added'),
      { id: 'wait', kind: 'wait_time', seconds: 60 },
      { id: 'ask', kind: 'ask', text: 'How was it?', attribute: 'rating' },
      text('thanks', 'Thanks!'),
    ],
    ['on next wait', 'wait next ask', 'ask next thanks'],
  )
  const workflow = parley.addWorkflow(asking, { reEnrolment: 'always' })
  await tagged('one')
  await tagged('two')
  parley.messaging.pass(61_000)
  await parley.settle()
  // The run that gives way is seen to do so by its events, a moment later.
  parley.messaging.pass(5000)
  await parley.settle()
  expect(talk.sent.map(({ text: said }) => said)).toEqual(['How was it?', 'How was it?'])
  const ended = { status: 'ended', outcome: 'superseded', reason: expect.stringContaining('the same customer') }
  const [given, open] = (await runsOf(workflow)).toSorted(
    (left, right) => Number(left['epoch']) - Number(right['epoch']),
  )
  expect([given, open]).toMatchObject([ended, { status: 'waiting', holds: true, epoch: talk.epoch }])
  parley.messaging.say(talk, { text: 'Very good' })
  await parley.settle()
  expect(talk.attributes).toMatchObject({ rating: 'Very good' })
  expect(talk.sent.at(-1)?.text).toBe('Thanks!')
  expect(await runsOf(workflow)).toMatchObject([{ status: 'ended' }, { status: 'ended' }])
})
