import { z } from 'zod'
import type { Message } from '../records.ts'
import type { World } from '../world.ts'
import type { Inbound } from './inbound.ts'
import type { Outbound } from './outbound.ts'
import { pressOf } from './press.ts'

const answerMs = 1200
const textSchema = z.object({ body: z.string() })

/**
 * Answers for people whose numbers end on certain digits: one repeats what it reads, one presses the first button. A person who
 * has been given answers writes the next of them.
 */
export function answerByThemselves({
  world,
  inbound,
  outbound,
}: {
  world: World
  inbound: Inbound
  outbound: Outbound
}) {
  const answer = (message: Message, input: { type: string; content: unknown } | undefined) => {
    if (!input) return
    world.clock.at(world.clock.now() + answerMs, () => {
      const number = world.numbers.get(message.numberId)
      const customer = world.customers.get(message.customerId)
      if (number && customer) inbound.write(number, customer, { ...input, replyTo: message.id })
    })
  }
  outbound.answerBy('000444', (message) => {
    const text = textSchema.safeParse(message.content)
    answer(message, text.success ? { type: 'text', content: text.data } : undefined)
  })
  outbound.answerBy('', (message) => {
    const customer = world.customers.get(message.customerId)
    const [next, ...later] = customer?.answers ?? []
    if (!customer || next === undefined) return
    world.putCustomer({ ...customer, answers: later })
    answer(message, { type: 'text', content: { body: next } })
  })
  outbound.answerBy('000555', (message) => answer(message, pressOf(message)))
}
