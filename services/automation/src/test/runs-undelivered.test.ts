import { expect, test } from 'vitest'
import { flowOf, keyword, text } from './drawn-flows.ts'
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
