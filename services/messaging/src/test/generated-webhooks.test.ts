import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import type { mongo } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startMessaging } from './start-messaging.ts'
import { conversations, oddBodies, type Step } from './webhook-arbitraries.ts'
import { headOf, postSigned } from './webhook-fixtures.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
beforeAll(async () => {
  parley = await startMessaging()
})
afterAll(() => parley.stop())

/** `WEBHOOK_SEED` repeats a run; each run names its own. */
const seed = Number(process.env['WEBHOOK_SEED'] ?? randomInt(2 ** 31))
const numRuns = Number(process.env['WEBHOOK_RUNS'] ?? 30)
const options = { seed, numRuns, endOnFailure: true }

const patiently = <T>(check: () => Promise<T> | T) => vi.waitFor(check, { timeout: 90_000, interval: 30 })
const rows = (name: string, filter = {}) => parley.database.connection.collection(name).find(filter).toArray()
const post = async (...changes: object[]) => {
  const answer = await postSigned(
    parley,
    JSON.stringify({ entry: [{ id: parley.simulatedNumber.accountId, changes }] }),
  )
  expect(answer).toEqual({ status: 200, body: undefined })
}
const areApplied = () => patiently(async () => expect(await rows('rawEvents', { lane: { $exists: true } })).toEqual([]))

let count = 0
/** A customer to whom nothing has happened, and how what happens to them is sent. */
function someone() {
  count += 1
  const from = `9198${String(count).padStart(8, '0')}`
  const prefix = `wamid.${count}.`
  const changeOf = (step: Step) => {
    const { field, value } = step({ from, name: (short) => `${prefix}${short}` })
    return { field, value: { ...headOf(parley), ...value } }
  }
  return { from, prefix, changeOf }
}

/** Reads all that is stored of a customer, whatever its ids. */
async function stateOf({ from, prefix }: ReturnType<typeof someone>) {
  const [contact] = await rows('contacts', { phone: `+${from}` })
  const [conversation] = await rows('conversations', { contactId: contact?._id })
  const messages = await rows('messages', { conversationId: conversation?._id })
  const shortOf = new Map(messages.map(({ _id, waMessageId }) => [String(_id), waMessageId.slice(prefix.length)]))
  const usage = await rows('usage', { messageId: { $in: messages.map(({ _id }) => _id) } })
  const parked = await rows('parked', { waMessageId: { $regex: `^${prefix}` } })
  return {
    lastContactAt: contact?.['lastContactAt'],
    conversation: stateOfConversation(conversation),
    messages: messages.map((message) => stateOfMessage(message, shortOf)).toSorted(byId),
    usage: usage.map(({ messageId, category, billable, at }) => [
      shortOf.get(String(messageId)),
      category,
      billable,
      at,
    ]),
    parked: parked.map(({ waMessageId }) => waMessageId.slice(prefix.length)).toSorted(),
  }
}
type Row = mongo.BSON.Document
const byId = (left: { id: string }, right: { id: string }) => (left.id < right.id ? -1 : 1)
const stateOfConversation = ({ unreadCount, messageCount, lastMessage, windowExpiresAt, status }: Row = {}) => ({
  unreadCount,
  messageCount,
  windowExpiresAt,
  status,
  last: [lastMessage?.text, lastMessage?.status, lastMessage?.at],
})
function stateOfMessage(message: Row, shortOf: ReadonlyMap<string, string>) {
  const { _id, direction, status, statusAt, error, pricing, reactions, editedAt, deletedAt, content, replyTo } = message
  const felt = (reactions ?? []).toSorted((left: Row, right: Row) => (left['by'] < right['by'] ? -1 : 1))
  return {
    id: shortOf.get(String(_id)) ?? '',
    direction,
    status,
    statusAt,
    error,
    pricing,
    editedAt,
    deletedAt,
    content,
    reactions: felt,
    replyTo: shortOf.get(replyTo),
  }
}

test(`what happens comes to the same state in any order, at once or one by one (seed ${seed})`, async () => {
  const order = conversations.chain((steps) =>
    fc.record({
      steps: fc.constant(steps),
      other: fc.shuffledSubarray(steps, { minLength: steps.length, maxLength: steps.length }),
      isTogether: fc.boolean(),
    }),
  )
  const property = fc.asyncProperty(order, async ({ steps, other, isTogether }) => {
    const [one, another] = [someone(), someone()]
    for (const step of steps) await post(one.changeOf(step))
    if (isTogether) await post(...other.map(another.changeOf))
    else await Promise.all(other.map((step) => post(another.changeOf(step))))
    await areApplied()
    const [state, otherState] = [await stateOf(one), await stateOf(another)]
    expect(state.messages.length).toBeGreaterThan(1)
    expect(otherState).toEqual(state)
    expect(await rows('rawEvents', { deadAt: { $exists: true } })).toEqual([])
  })
  await fc.assert(property, options)
}, 300_000)

test(`whatever a signed body holds, it is taken and holds nobody up (seed ${seed})`, async () => {
  const { metadata } = headOf(parley)
  const bodies = oddBodies(metadata, fc.constantFrom('919812345678', '919812345679', 'IN.1'))
  const property = fc.asyncProperty(fc.array(bodies, { minLength: 1, maxLength: 5 }), async (some) => {
    const answers = await Promise.all(some.map((body) => postSigned(parley, body)))
    expect(answers.map(({ status }) => status)).toEqual(some.map(() => 200))
  })
  await fc.assert(property, options)
  const after = someone()
  await post({ field: 'messages', value: { ...headOf(parley), messages: [textOf(after.from)] } })
  await patiently(async () => expect(await rows('contacts', { phone: `+${after.from}` })).toHaveLength(1))
  await areApplied()
}, 300_000)

const textOf = (from: string) => ({
  id: 'wamid.after',
  from,
  timestamp: '1767225600',
  type: 'text',
  text: { body: 'Hi' },
})
