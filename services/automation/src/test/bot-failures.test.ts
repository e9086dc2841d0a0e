import { newId } from '@parley/service-kit/data/plain'
import { expect, test } from 'vitest'
import { createTellFailures } from '../modules/attention/tell-failures.ts'
import { flowOf, keyword } from './drawn-flows.ts'
import { joinEach } from './join-each.ts'
import type { Joined } from './start-runs.ts'

let parley: Joined
const database = joinEach((joined) => {
  parley = joined
})

/** Tells members, as the worker does. @param names of bots; one that is not among them is gone. */
function telling(names: Readonly<Record<string, string>>, sampleId?: string) {
  const { due, perform } = createTellFailures({
    mongo: database().database.connection,
    askMessaging: parley.messaging.ask,
    namesOf: async (_, ids) =>
      new Map(ids.flatMap((id) => (names[id] ? [[id, { kind: 'bot' as const, name: names[id] }]] : []))),
    isSample: (_, id) => id === sampleId,
  })
  return {
    perform: () => perform(parley.scope),
    isDue: async () => (await due()).some(({ workspaceId }) => workspaceId === parley.scope.workspaceId),
  }
}

/** A bot that leads to one that is not published: its sessions fail. */
const failing = (word: string) => {
  const nodes = [keyword(word, word), { id: 'to', kind: 'go_to_bot' as const, botId: newId() }]
  return parley.addBot(flowOf(nodes, [`${word} next to`]))
}
async function write(word: string): Promise<string> {
  const talk = parley.messaging.open()
  parley.messaging.say(talk, { text: word })
  await parley.settle()
  return talk.id
}
const sentence = 'The bot that this one leads to is not published.'

test('sessions that fail are told once for each bot, however many they are, and not again', async () => {
  const [tea, taxi] = [failing('tea'), failing('taxi')]
  const { perform, isDue } = telling({ [tea.id]: 'Tea', [taxi.id]: 'Taxi' }, taxi.id)
  for (const word of ['tea', 'tea', 'taxi']) await write(word)
  expect(await isDue()).toBe(true)
  await perform()
  const at = expect.any(String)
  expect(parley.messaging.failures).toEqual([
    { bot: { id: tea.id, kind: 'bot', name: 'Tea' }, sentence, at },
    { bot: { id: taxi.id, kind: 'bot', name: 'Taxi', sample: true }, sentence, at },
  ])
  await write('tea')
  await perform()
  expect(parley.messaging.failures).toHaveLength(2)
  expect(await isDue()).toBe(false)
})

test('while messaging is away nothing is forgotten', async () => {
  const { id } = failing('tea')
  const { perform, isDue } = telling({ [id]: 'Tea' })
  await write('tea')
  parley.messaging.fail(1)
  await expect(perform()).rejects.toMatchObject({ code: 'service_unavailable' })
  expect(await isDue()).toBe(true)
  await perform()
  expect(parley.messaging.failures).toHaveLength(1)
})

test('a bot that is gone is not told of; a message that no bot could be given is', async () => {
  failing('tea')
  const { perform, isDue } = telling({})
  await write('tea')
  await perform()
  expect(parley.messaging.failures).toEqual([])
  parley.messaging.say(parley.messaging.open(), { text: 'Hi' })
  Object.assign(parley.messaging.events.at(-1) ?? {}, { type: 'message.dreamt' })
  await parley.settle()
  await perform()
  expect(parley.messaging.failures).toMatchObject([{ sentence: expect.stringContaining('could not be handled') }])
  expect(await isDue()).toBe(false)
})

test('entries of many bots are found by their index, and of other workspaces none is told', async () => {
  const { id } = failing('tea')
  const { perform } = telling({ [id]: 'Tea' })
  await write('tea')
  const elsewhere = database().join()
  await elsewhere.feed.begin(elsewhere.scope)
  await createTellFailures({
    mongo: database().database.connection,
    askMessaging: elsewhere.messaging.ask,
    namesOf: async () => new Map([[id, { kind: 'bot' as const, name: 'Tea' }]]),
    isSample: () => false,
  }).perform(elsewhere.scope)
  expect(elsewhere.messaging.failures).toEqual([])
  await perform()
  expect(parley.messaging.failures).toHaveLength(1)
})
