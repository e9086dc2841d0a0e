import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { newId } from '@parley/service-kit/data/plain'
import { inTransaction } from '@parley/service-kit/data/transaction'
import { Redis } from 'ioredis'
import { Types } from 'mongoose'
import { expect } from 'vitest'
import { createConversationsRepository } from '../modules/inbox/conversations/conversations.repository.ts'
import type { ConversationRecord } from '../modules/inbox/conversations/conversations.service.ts'
import { isHeldByPerson, ownedBy } from '../modules/inbox/conversations/ownership.ts'
import { eventually } from './campaign-fixtures.ts'
import type { joinMessaging } from './start-messaging.ts'

type Parley = Awaited<ReturnType<typeof joinMessaging>>
type Person = ReturnType<Parley['signIn']>

/** Limit of the platform for one customer, as the sender keeps it. */
const pair = { intervalMs: 6000, depth: 10 }
const parallel = 20

/** Bots and members on the same conversations. */
export function withBots(parley: Parley) {
  const { scope, services, simulator, simulatedNumber, number } = parley
  const { connection } = parley.database
  const stored = createConversationsRepository(connection)
  const redis = new Redis(parley.redisUrl)
  let phones = randomInt(1, 9000) * 10_000

  /** A customer who has written. @returns their conversation. */
  async function customer(): Promise<ConversationRecord & { readonly phone: string }> {
    const phone = `9198${String(++phones).padStart(8, '0')}`
    const { id: waMessageId } = await simulator.call('/inbound', { from: phone, type: 'text', text: { body: 'Hi' } })
    const conversationId = await eventually(async () => {
      const message = await connection.collection('messages').findOne({ waMessageId })
      expect(message).not.toBeNull()
      return String(message?.['conversationId'])
    })
    return { ...(await services.conversations.read(scope, conversationId)), phone }
  }
  const read = ({ id }: { readonly id: string }) => services.conversations.read(scope, id)

  /** A bot takes the conversation unless a person holds it. @returns its epoch. */
  const claim = ({ id }: { readonly id: string }): Promise<number | undefined> =>
    inTransaction(connection, async (tx) => {
      const current = await stored.read(scope, id, { session: tx.session })
      if (current?.status !== 'open' || isHeldByPerson(current, new Date())) return undefined
      const { set, unset } = ownedBy(current, { kind: 'bot', id: botId }, 'automation', new Date())
      await stored.change(scope, id, { $set: set, $unset: unset }, tx)
      await services.conversations.announce(scope, [id], tx)
      return current.ownerEpoch + 1
    })
  const botId = newId()

  const say = ({ id }: { readonly id: string }, epoch: number, text = 'From the bot') =>
    services.outgoing.send(scope, id, {
      content: { type: 'text', text },
      cause: { kind: 'bot', id: botId },
      epoch,
      clientId: newId(),
    })
  /** Lets the next message to this customer wait for its turn this long. */
  const holdTurn = ({ contactId }: ConversationRecord, ms: number) =>
    redis.set(`send:{${number.id}}:${contactId}`, Date.now() + (pair.depth - 1) * pair.intervalMs + ms)
  /** The turn of a message that waits has come. */
  async function endHold({ contactId }: ConversationRecord, messageId: string): Promise<void> {
    await redis.del(`send:{${number.id}}:${contactId}`)
    const due = { $set: { 'dispatch.notBefore': new Date() } }
    await connection.collection('messages').updateOne({ _id: new Types.ObjectId(messageId) }, due)
  }
  const messageOf = ({ id }: { readonly id: string }, messageId: string) => services.thread.find(scope, id, messageId)
  const arrived = async (phone: string): Promise<string[]> =>
    (await simulator.call(`/messages?phone_number_id=${simulatedNumber.phoneNumberId}&to=${phone}`)).items.flatMap(
      ({ direction, content }: { direction: string; content: { body?: string } }) =>
        direction === 'outbound' ? (content.body ?? '') : [],
    )
  const echo = (phone: string) =>
    simulator.call('/echo', { from: phone, type: 'text', text: { body: 'From my own phone' } })

  return { customer, read, claim, say, holdTurn, endHold, messageOf, arrived, echo, close: () => redis.disconnect() }
}

type Bots = ReturnType<typeof withBots>

/** Acts of a person on a conversation. Each resolves once it is stored. */
const acts = (bots: Bots, ann: Person, bob: Person) => {
  const path = ({ id }: { id: string }) => `/api/conversations/${id}`
  type Conversation = Awaited<ReturnType<Bots['customer']>>
  const reply = (by: Person) => (conversation: Conversation) =>
    by.ask('POST', `${path(conversation)}/messages`, { content: { type: 'text', text: 'From a person' } })
  const fromPhone = async (conversation: Conversation) => {
    await bots.echo(conversation.phone)
    await eventually(async () => expect(await bots.read(conversation)).toHaveProperty('personAt'))
  }
  return [
    reply(ann),
    (conversation: Conversation) => Promise.race([reply(ann)(conversation), reply(bob)(conversation)]),
    fromPhone,
    (conversation: Conversation) => Promise.race([fromPhone(conversation), reply(bob)(conversation)]),
    (conversation: Conversation) => ann.ask('PATCH', path(conversation), { owner: { kind: 'member' } }),
    (conversation: Conversation) => ann.ask('PATCH', path(conversation), { status: 'closed' }),
  ]
}

/**
 * Bots write, held by the limit of the pair; at a random moment a person takes part.
 * @returns how many messages of bots left that were due after the person's change was stored (`late`), how many were held off, and
 * how many left before.
 */
export async function interleave(parley: Parley, { ann, bob }: { ann: Person; bob: Person }, count: number) {
  const bots = withBots(parley)
  const persons = acts(bots, ann, bob)
  const tally = { late: 0, heldOff: 0, left: 0 }
  async function round(index: number): Promise<void> {
    const conversation = await bots.customer()
    const epoch = (await bots.claim(conversation)) ?? 0
    await bots.holdTurn(conversation, randomInt(0, 4000))
    const sent = await bots.say(conversation, epoch)
    await wait(randomInt(0, 1500))
    await persons[index % persons.length]?.(conversation)
    const at = Date.now()
    const { dispatch } = await eventually(async () => {
      const message = await bots.messageOf(conversation, sent.id)
      expect(['accepted', 'cancelled']).toContain(message.dispatch?.state)
      return message
    })
    const hasLeft = (await bots.arrived(conversation.phone)).includes('From the bot')
    expect(hasLeft).toBe(dispatch?.state === 'accepted')
    if (!hasLeft) tally.heldOff += 1
    else if ((dispatch?.notBefore.getTime() ?? 0) > at) tally.late += 1
    else tally.left += 1
    expect(await bots.read(conversation)).not.toMatchObject({ owner: { kind: 'bot' } })
  }
  const places = Array.from({ length: count }, (_, index) => index)
  const work = async () => {
    for (let index = places.pop(); index !== undefined; index = places.pop()) await round(index)
  }
  await Promise.all(Array.from({ length: parallel }, work)).finally(bots.close)
  return tally
}
