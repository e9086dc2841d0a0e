import { expect, test } from 'vitest'
import { flowOf, greeting, keyword, text } from './drawn-flows.ts'
import { joinEach } from './join-each.ts'
import type { Joined } from './start-runs.ts'
import type { Talk } from './talk.ts'

let parley: Joined
let talk: Talk
joinEach((joined) => {
  parley = joined
  talk = parley.messaging.open()
})

const nodes = [
  keyword('book', 'book'),
  text('welcome', 'Welcome.'),
  { id: 'who', kind: 'ask' as const, text: 'In whose name?', attribute: 'name' },
  text('thanks', 'Thanks.'),
  text('instead', 'Call us, please.'),
]
const ways = ['book next welcome', 'welcome next who', 'who next thanks']
const withFailed = flowOf(nodes, [...ways, 'who failed instead'])
const without = flowOf(nodes, ways)

const texts = () => talk.sent.map((sent) => sent.text)
const sentAs = (wanted: string) => {
  const sent = talk.sent.find((one) => one.text === wanted)
  if (!sent) throw new Error(`nobody has said ${wanted}`)
  return sent
}
const say = async (written: string) => {
  parley.messaging.say(talk, { text: written })
  await parley.settle()
}

test.each([
  ['could not be delivered', {}],
  ['was taken back', { takenBack: true }],
] as const)('a question that %s is left by failed: the customer never saw it', async (_, how) => {
  parley.addBot(withFailed)
  await say('book')
  parley.messaging.lose(talk, sentAs('In whose name?'), how)
  await parley.settle()
  expect(texts()).toEqual(['Welcome.', 'In whose name?', 'Call us, please.'])
  expect((await parley.runs())[0]).toMatchObject({ outcome: 'completed' })
})

test('without that branch people have the conversation, with a note', async () => {
  parley.addBot(without)
  await say('book')
  parley.messaging.lose(talk, sentAs('In whose name?'))
  await parley.settle()
  expect((await parley.runs())[0]).toMatchObject({ outcome: 'handed_over' })
  expect([talk.waits, talk.owner.kind, talk.notes.length]).toEqual([true, 'nobody', 1])
})

test('another message that did not arrive leaves the question open, and the answer is taken', async () => {
  parley.addBot(withFailed)
  await say('book')
  parley.messaging.lose(talk, sentAs('Welcome.'))
  await say('Rao')
  expect(texts().at(-1)).toBe('Thanks.')
})

test('a message may be lost before the session knows that it has sent it', async () => {
  parley.addBot(withFailed)
  parley.messaging.say(talk, { text: 'book' })
  await parley.read()
  parley.messaging.loseAnswers(1)
  await parley.work()
  parley.messaging.lose(talk, sentAs('In whose name?'))
  await parley.read()
  expect((await parley.runs())[0]).toMatchObject({ status: 'working', inbox: [{ kind: 'not_delivered' }] })
  parley.messaging.pass(2000)
  await parley.settle()
  expect(texts()).toEqual(['Welcome.', 'In whose name?', 'Call us, please.'])
})

const codesOf = async () =>
  (await parley.steps()).flatMap(({ action, code }) => (action === 'send' ? [code ?? ''] : []))

test('the last answer of a session did not arrive: the customer waits for a person, and it has resolved nothing', async () => {
  const { id } = parley.addBot(greeting)
  await say('hi')
  expect(await parley.runs()).toMatchObject([{ outcome: 'completed' }])
  expect([talk.waits, talk.unread]).toEqual([false, []])
  parley.messaging.lose(talk, sentAs('Hello!'))
  await parley.settle()
  expect(talk.waits).toBe(true)
  const figures = await parley.figuresOf(parley.scope, [id])
  expect(figures.get(id)).toMatchObject({ ended: 1, resolved: 0 })
  expect(await codesOf()).toEqual(['not_delivered'])
  const listed = [{ code: 'not_delivered', conversationId: expect.anything(), nodeId: 'hello', count: 1 }]
  expect(await parley.items()).toMatchObject(listed)
  // Other messages of it that are lost, too, tell nothing more.
  parley.messaging.lose(talk, sentAs('Hello!'))
  await parley.settle()
  expect(await parley.items()).toMatchObject(listed)
})

test('the last answer was lost before the session knew that it had sent it', async () => {
  parley.addBot(greeting)
  parley.messaging.say(talk, { text: 'hi' })
  await parley.read()
  parley.messaging.loseAnswers(1)
  await parley.work()
  parley.messaging.lose(talk, sentAs('Hello!'))
  await parley.read()
  parley.messaging.pass(2000)
  await parley.settle()
  expect(await parley.runs()).toMatchObject([{ outcome: 'completed', followedUp: true }])
  expect(talk.waits).toBe(true)
  expect(await codesOf()).toEqual(['not_delivered'])
  expect((await parley.items()).map(({ code }) => code)).toEqual(['not_delivered'])
})

test('what was not delivered is nobody’s task where a person has the conversation, or nobody waits for it', async () => {
  parley.addBot(greeting)
  await say('hi')
  parley.messaging.people.reply(talk)
  parley.messaging.lose(talk, sentAs('Hello!'))
  await parley.settle()
  expect([talk.waits, await parley.items()]).toEqual([false, []])
  expect(await codesOf()).toEqual(['not_delivered'])
})
