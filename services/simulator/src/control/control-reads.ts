import type { FastifyInstance } from 'fastify'
import type { Chat, Delivery, Message } from '../records.ts'
import type { Simulator } from '../simulator.ts'
import { aboutOf, headersOf } from '../webhooks/delivery-log.ts'
import { digitsOf } from '../world.ts'
import { ControlError, parse } from './control-error.ts'
import { assertSchema } from './control-schemas.ts'

/** Serves what the control API reports about the simulated platform. */
export function serveControlReads(control: FastifyInstance, simulator: Simulator): void {
  const { world, outbound, deliveries, limits, faults, waIds } = simulator

  control.get<{ Querystring: { phone_number_id?: string; customer_id?: string; to?: string } }>(
    '/messages',
    async (request) => {
      const { phone_number_id: numberId, customer_id: customerId, to } = request.query
      const customer = to === undefined ? customerId : world.customerOf(digitsOf(to)).id
      if (numberId !== undefined && customer !== undefined) return { items: world.messagesOf(numberId, customer) }
      const items = [...world.messages.values()].filter(
        (message) => (!numberId || message.numberId === numberId) && (!customer || message.customerId === customer),
      )
      return { items }
    },
  )
  control.get<{ Querystring: { account_id?: string } }>('/deliveries', async ({ query: { account_id: id } }) => {
    const all = [...world.deliveries.values()].filter(({ accountId }) => id === undefined || accountId === id)
    return { items: all.slice(-200).reverse().map(describeDelivery) }
  })
  control.get('/state', async () => ({
    now: world.clock.now(),
    skippedMs: world.clock.skipped(),
    numbers: [...world.numbers.values()].map((number) => ({ ...number, tokenExpired: isTokenExpired(number.id) })),
    accounts: [...world.accounts.values()],
    customers: [...world.customers.values()].slice(-500),
    chats: [...world.chats.values()]
      .sort((left, right) => right.lastAt - left.lastAt)
      .slice(0, 500)
      .map(describeChat),
    templates: [...world.templates.values()].slice(-500),
    injections: faults.list(),
    webhooks: deliveries.faults(),
    limits: limits.current(),
    ladder: outbound.settings(),
    waIds: waIds.change(),
  }))
  const describeDelivery = (delivery: Delivery) => ({
    ...delivery,
    about: aboutOf(delivery.body),
    headers: headersOf(delivery),
  })

  /** Adds its last message, and the number of the business's messages that the customer has not read. */
  function describeChat(chat: Chat) {
    const messages = world.messagesOf(chat.numberId, chat.customerId).filter(({ type }) => type !== 'reaction')
    const isUnread = ({ direction, status }: Message) => direction === 'outbound' && status === 'delivered'
    return { ...chat, last: messages.at(-1) ?? null, unread: messages.filter(isUnread).length }
  }

  const isTokenExpired = (id: string) =>
    [...world.tokens.values()].some(
      ({ numberId, expiresAt }) => numberId === id && expiresAt !== null && expiresAt <= world.clock.now(),
    )

  control.post('/assert', async (request) => {
    const { to, since = 0, count } = parse(assertSchema, request.body)
    const customer = world.customerOf(digitsOf(to))
    const found = [...world.messages.values()].filter(
      ({ direction, customerId, at }) => direction === 'outbound' && customerId === customer.id && at >= since,
    )
    if (count !== undefined && found.length !== count)
      throw new ControlError(409, `${found.length} messages were sent to ${to}, not ${count}.`)
    return { count: found.length, messages: found }
  })
}
