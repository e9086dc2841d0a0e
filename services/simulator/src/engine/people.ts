import { z } from 'zod'
import type { Message } from '../records.ts'
import type { World } from '../world.ts'
import type { Inbound } from './inbound.ts'
import type { Outbound } from './outbound.ts'

const answerMs = 1200
const textSchema = z.object({ body: z.string() })
const buttonsSchema = z.object({
  type: z.literal('button'),
  action: z.object({ buttons: z.array(z.object({ reply: z.object({ id: z.string(), title: z.string() }) })).min(1) }),
})
const listSchema = z.object({
  type: z.literal('list'),
  action: z.object({
    sections: z.array(
      z.object({ rows: z.array(z.object({ id: z.string(), title: z.string(), description: z.string().optional() })) }),
    ),
  }),
})
const templateSchema = z.object({
  buttons: z.array(z.object({ type: z.string(), text: z.string(), payload: z.string().optional() })),
})

/** What pressing a button of a message sends: the first one, or the one that is named. `undefined` where it has none. */
export function pressOf(message: Message, named?: string): { type: string; content: unknown } | undefined {
  const fits = ({ id, title }: { id: string; title: string }) => named === undefined || named === id || named === title
  const buttons = buttonsSchema.safeParse(message.content)
  if (buttons.success) {
    const reply = buttons.data.action.buttons.map((button) => button.reply).find(fits)
    return reply && { type: 'interactive', content: { type: 'button_reply', button_reply: reply } }
  }
  const list = listSchema.safeParse(message.content)
  if (list.success) {
    const row = list.data.action.sections.flatMap(({ rows }) => rows).find(fits)
    return row && { type: 'interactive', content: { type: 'list_reply', list_reply: row } }
  }
  const template = templateSchema.safeParse(message.shown)
  const quick = template.data?.buttons
    .filter(({ type }) => type === 'QUICK_REPLY')
    .find(({ text, payload }) => fits({ id: payload ?? text, title: text }))
  return quick && { type: 'button', content: { payload: quick.payload ?? quick.text, text: quick.text } }
}

/**
 * People whose numbers end on certain digits answer: one repeats what it reads, one presses the first button. Whoever has been
 * given answers writes the next of them.
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
