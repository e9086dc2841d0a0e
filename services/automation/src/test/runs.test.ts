import { expect, test } from 'vitest'
import { anyMessage, booking, end, flowOf, greeting, keyword, text } from './drawn-flows.ts'
import { joinEach } from './join-each.ts'
import type { Joined } from './start-runs.ts'
import type { Talk } from './talk.ts'

let parley: Joined
let talk: Talk
joinEach((joined) => {
  parley = joined
  talk = parley.messaging.open()
})

const texts = () => talk.sent.map(({ text }) => text)
const say = async (written: string) => {
  parley.messaging.say(talk, { text: written })
  await parley.settle()
}

test('a keyword is answered, the session ends as resolved, and its steps are written down', async () => {
  const bot = parley.addBot(greeting)
  await say('Hi')
  expect(texts()).toEqual(['Hello!'])
  expect([talk.owner.kind, talk.unread, talk.completed]).toEqual(['nobody', [], 1])
  const [run] = await parley.runs()
  expect(run).toMatchObject({ status: 'ended', outcome: 'completed', number: 1 })
  expect(
    (await parley.steps()).map(({ nodeId, kind, branch, action, outcome }) => [nodeId, kind, branch, action, outcome]),
  ).toEqual([
    ['hi', 'keyword', 'next', undefined, undefined],
    ['hello', 'send_text', 'next', 'send', 'done'],
    ['end', 'end', undefined, 'release', 'done'],
  ])
  const figures = await parley.figuresOf(parley.scope, [bot.id])
  expect(figures.get(bot.id)).toEqual({ running: 0, begun: 1, ended: 1, resolved: 1, succeeded: 1 })
})

test('a message that comes while a session says its last word stays unread, and is passed on', async () => {
  parley.addBot(greeting)
  parley.messaging.say(talk, { text: 'Hi' })
  await parley.read()
  const second = parley.messaging.say(talk, { text: 'my parcel is broken' })
  await parley.work()
  expect([texts(), talk.unread]).toEqual([['Hello!'], [second]])
  await parley.settle()
  expect([texts(), talk.unread, parley.messaging.passed]).toEqual([['Hello!'], [second], [talk.id]])
})

test('what no bot wants is passed on, and starts nothing', async () => {
  parley.addBot(greeting)
  await say('what is this')
  expect([texts(), await parley.runs(), parley.messaging.passed]).toEqual([[], [], [talk.id]])
})

test('a word of consent starts and moves nothing', async () => {
  parley.addBot(flowOf([anyMessage, text('hello', 'Hello!')], ['any next hello']))
  parley.messaging.say(talk, { text: 'stop', command: 'opt_out' })
  await parley.settle()
  expect([texts(), await parley.runs()]).toEqual([[], []])
})

test('a customer who opts out ends the session, says its last step, and nothing is sent for it', async () => {
  parley.addBot(booking)
  await say('book please')
  parley.messaging.say(talk, { text: 'STOP', command: 'opt_out' })
  await parley.settle()
  expect(texts()).toEqual(['What would you like?'])
  expect([talk.owner.kind, talk.notes]).toEqual([
    'nobody',
    ['The customer has opted out. The bot has ended its session.'],
  ])
  expect(await parley.runs()).toMatchObject([{ status: 'ended', outcome: 'cancelled', code: 'opted_out' }])
  expect((await parley.steps()).at(-1)).toMatchObject({ action: 'release', outcome: 'done', code: 'opted_out' })
})

test('a text that was cut says so in its step', async () => {
  parley.addBot(flowOf([anyMessage, text('hello', '{{city}}'.repeat(10))], ['any next hello']))
  talk.attributes['city'] = 'x'.repeat(500)
  await say('hi')
  expect(texts()[0]).toHaveLength(4096)
  const [step] = (await parley.steps()).filter(({ action }) => action === 'send')
  expect(step).toMatchObject({ nodeId: 'hello', outcome: 'done', code: 'text_cut' })
})

test('a tap and an answer lead through the flow; a tap on an older question brings the open one again', async () => {
  parley.addBot(booking)
  await say('book please')
  expect(texts()).toEqual(['What would you like?'])
  parley.messaging.tap(talk, 'A table')
  await parley.settle()
  expect(texts().at(-1)).toBe('In whose name?')
  parley.messaging.tap(talk, 'A room')
  await parley.settle()
  expect(texts().at(-1)).toBe('In whose name?')
  await say('Rao')
  expect(texts().at(-1)).toBe('A table for Rao.')
  expect(talk.attributes).toEqual({ 'booked for': 'Rao' })
  expect((await parley.runs())[0]).toMatchObject({ outcome: 'completed' })
})

test('what comes while messaging is away waits, and is answered once', async () => {
  parley.addBot(booking)
  await say('book')
  parley.messaging.tap(talk, 'A table')
  await parley.read()
  parley.messaging.fail(1)
  await parley.work()
  parley.messaging.say(talk, { text: 'Rao' })
  await parley.read()
  expect((await parley.runs())[0]?.['inbox']).toHaveLength(1)
  parley.messaging.pass(2000)
  await parley.settle()
  expect(texts()).toEqual(['What would you like?', 'In whose name?', 'A table for Rao.'])
})

test('after 15 minutes without messaging the session fails, and stands on the list', async () => {
  parley.addBot(greeting)
  parley.messaging.say(talk, { text: 'hi' })
  await parley.read()
  for (let minutes = 0; minutes < 17; minutes += 1) {
    parley.messaging.fail(1)
    await parley.work()
    parley.messaging.pass(61_000)
  }
  parley.messaging.fail(0)
  await parley.settle()
  expect((await parley.runs())[0]).toMatchObject({ status: 'ended', outcome: 'failed' })
  expect((await parley.items()).map(({ code }) => code)).toEqual(['unavailable'])
})

test('a refused message leaves its node by failed; without that branch people are told', async () => {
  const other = flowOf(
    [keyword('hi', 'hi'), text('first', 'One'), text('second', 'Two'), text('instead', 'Three'), end],
    ['hi next first', 'first next second', 'second failed instead', 'instead next end'],
  )
  parley.addBot(other)
  parley.messaging.refuse(
    'window_closed',
    (action) => action.type === 'send' && 'text' in action.content && action.content.text === 'Two',
  )
  await say('hi')
  expect(texts()).toEqual(['One', 'Three'])
  expect((await parley.runs())[0]).toMatchObject({ outcome: 'completed' })
})

test('fragments of free text are one input; a tap is applied at once', async () => {
  parley.addBot(booking, { collectSeconds: 1.5 })
  await say('book')
  parley.messaging.tap(talk, 'A table')
  await parley.settle()
  await say('Asha')
  parley.messaging.pass(1000)
  await say('Rao')
  expect(texts()).toHaveLength(2)
  parley.messaging.pass(1000)
  await parley.settle()
  expect(texts()).toHaveLength(2)
  parley.messaging.pass(600)
  await parley.settle()
  expect(texts().at(-1)).toBe('A table for Asha\nRao.')
})

test('a wait goes on at its time, a question is given up at its deadline, and an overdue one asks a person', async () => {
  const waiting = flowOf(
    [
      keyword('hi', 'hi'),
      text('one', 'One'),
      { id: 'later', kind: 'wait_time', seconds: 60 },
      { id: 'ask', kind: 'ask', text: 'Two?', attribute: 'answer' },
    ],
    ['hi next one', 'one next later', 'later next ask'],
  )
  const bot = parley.addBot(waiting, { idleHours: 1 })
  await say('hi')
  parley.messaging.pass(59_000)
  await parley.settle()
  expect(texts()).toEqual(['One'])
  parley.messaging.pass(1000)
  await parley.settle()
  expect(texts()).toEqual(['One', 'Two?'])
  parley.messaging.pass(3_600_000)
  await parley.settle()
  expect((await parley.runs())[0]).toMatchObject({ outcome: 'abandoned' })
  await say('hi')
  parley.messaging.pass(7 * 3_600_000)
  await parley.settle()
  const [, second] = await parley.runs()
  expect(second).toMatchObject({ status: 'held' })
  expect((await parley.items()).map(({ code, flowId }) => [code, String(flowId)])).toEqual([['held', bot.id]])
  await parley.service.release(parley.scope, String(second?._id))
  await parley.settle()
  expect(texts().at(-1)).toBe('Two?')
})

test('a late message starts no bot, and stands on the list; a session that waits takes it', async () => {
  parley.addBot(booking)
  const at = new Date((await parley.messaging.now()) - 3_700_000).toISOString()
  parley.messaging.say(talk, { text: 'book' }, { at })
  await parley.settle()
  expect([texts(), parley.messaging.passed]).toEqual([[], [talk.id]])
  expect((await parley.items()).map(({ code }) => code)).toEqual(['late'])
  await say('book')
  parley.messaging.say(talk, { text: 'A room' }, { at })
  await parley.settle()
  expect(texts().at(-1)).toBe('A room it is.')
})

test('a keyword that interrupts starts its bot in the place of the one that asks; another one is an answer', async () => {
  parley.addBot(booking)
  parley.addBot(
    flowOf([keyword('help', 'help', { interrupts: true }), text('answer', 'Helped.')], ['help next answer']),
  )
  parley.addBot(greeting)
  await say('book')
  await say('hi')
  expect(texts().at(-1)).toBe('What would you like?')
  await say('help')
  expect(texts().at(-1)).toBe('Helped.')
  expect((await parley.runs()).map(({ outcome }) => outcome)).toEqual(['superseded', 'completed'])
})

test('a message that ends a session without an answer is routed once more; one that starts it so goes to people', async () => {
  const silent = flowOf(
    [
      keyword('quiet', 'quiet'),
      text('said', 'Anything else?'),
      { id: 'reply', kind: 'wait_reply', timeoutSeconds: 600 },
      { id: 'tag', kind: 'add_tag', tag: 'quiet' },
    ],
    ['quiet next said', 'said next reply', 'reply reply tag'],
  )
  parley.addBot(silent)
  parley.addBot(greeting)
  await say('quiet')
  await say('hi there')
  expect(texts()).toEqual(['Anything else?', 'Hello!'])
  await say('quiet')
  await say('nothing that a bot knows')
  expect([talk.waits, talk.unread.length]).toEqual([true, 2])
  const mute = flowOf([keyword('mute', 'mute'), { id: 'tag', kind: 'add_tag', tag: 'mute' }], ['mute next tag'])
  parley.addBot(mute)
  talk = parley.messaging.open()
  await say('mute')
  expect([talk.tags, talk.waits, talk.unread.length]).toEqual([['mute'], true, 1])
})

test('a bot that leads to another stays one session', async () => {
  const second = parley.addBot(flowOf([{ id: 'in', kind: 'handed_over' }, text('there', 'There.')], ['in next there']))
  parley.addBot(
    flowOf(
      [keyword('go', 'go'), text('here', 'Here.'), { id: 'to', kind: 'go_to_bot', botId: second.id }],
      ['go next here', 'here next to'],
    ),
  )
  await say('go')
  expect(texts()).toEqual(['Here.', 'There.'])
  expect(await parley.runs()).toMatchObject([{ outcome: 'completed', legs: [{ number: 1 }] }])
})

test('a bot that sends without end is stopped, and so is one that talks to another machine', async () => {
  const ping = flowOf([keyword('ping', 'ping', { match: 'exact' }), text('pong', 'pong')], ['ping next pong'])
  parley.addBot(ping)
  for (let count = 0; count < 7; count += 1) await say('ping')
  expect(texts()).toHaveLength(5)
  expect(parley.messaging.passed).toEqual([talk.id, talk.id])
  expect((await parley.items()).map(({ code, count }) => [code, count])).toEqual([['loop', 2]])
  const eager = flowOf(
    [keyword('more', 'more'), ...Array.from({ length: 11 }, (_, index) => text(`t${index}`, `${index}`))],
    ['more next t0', ...Array.from({ length: 10 }, (_, index) => `t${index} next t${index + 1}`)],
  )
  parley.addBot(eager)
  talk = parley.messaging.open()
  await say('more')
  expect([texts(), talk.waits]).toEqual([[], true])
})
