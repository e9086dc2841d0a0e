import type { FastifyInstance } from 'fastify'
import type { Simulator } from '../simulator.ts'
import { digitsOf } from '../world.ts'
import { ControlError, parse } from './control-error.ts'
import { assertSchema } from './control-schemas.ts'

/** What the control API tells of the simulated platform. */
export function serveControlReads(control: FastifyInstance, simulator: Simulator): void {
  const { world, outbound, deliveries, limits, faults } = simulator

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
  control.get('/deliveries', async () => ({ items: [...world.deliveries.values()].slice(-200).reverse() }))
  control.get('/state', async () => ({
    now: world.clock.now(),
    skippedMs: world.clock.skipped(),
    numbers: [...world.numbers.values()],
    accounts: [...world.accounts.values()],
    customers: [...world.customers.values()].slice(-500),
    chats: [...world.chats.values()].sort((left, right) => right.lastAt - left.lastAt).slice(0, 500),
    templates: [...world.templates.values()].slice(-500),
    injections: faults.list(),
    webhooks: deliveries.faults(),
    limits: limits.current(),
    ladder: outbound.settings(),
  }))
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
