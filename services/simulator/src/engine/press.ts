import { z } from 'zod'
import type { Customer, Message } from '../records.ts'

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
const templateButtonsSchema = z.array(z.object({ type: z.string(), text: z.string(), payload: z.string().optional() }))
const templateSchema = z.object({
  buttons: templateButtonsSchema,
  cards: z.array(z.object({ buttons: templateButtonsSchema })).default([]),
})

/** Returns what pressing a button of a message sends: the first one, or the one that is named. `undefined` where it has none. */
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
  const { buttons: below = [], cards = [] } = template.data ?? {}
  const quick = [...below, ...cards.flatMap((card) => card.buttons)]
    .filter(({ type }) => type === 'QUICK_REPLY')
    .find(({ text, payload }) => fits({ id: payload ?? text, title: text }))
  return quick && { type: 'button', content: { payload: quick.payload ?? quick.text, text: quick.text } }
}

const flowSchema = z.object({
  type: z.literal('flow'),
  action: z.object({ parameters: z.looseObject({ flow_token: z.string().optional() }) }),
})
const flowButtonSchema = z.looseObject({
  sub_type: z
    .string()
    .transform((type) => type.toLowerCase())
    .pipe(z.literal('flow')),
  parameters: z
    .array(z.looseObject({ action: z.looseObject({ flow_token: z.string().optional() }).optional() }))
    .default([]),
})

/** Returns what a filled-in flow sends. `undefined` where the message offers none. */
export function flowAnswerOf(message: Message, answers: Record<string, unknown>) {
  const offered = flowTokenOf(message)
  if (!offered) return undefined
  const response = { ...answers, ...(offered.token !== undefined && { flow_token: offered.token }) }
  const reply = { name: 'flow', body: 'Sent', response_json: JSON.stringify(response) }
  return { type: 'interactive', content: { type: 'nfm_reply', nfm_reply: reply } }
}

function flowTokenOf({ content, shown }: Message): { token: string | undefined } | undefined {
  const flow = flowSchema.safeParse(content)
  if (flow.success) return { token: flow.data.action.parameters.flow_token }
  const template = templateSchema.safeParse(shown)
  if (!template.data?.buttons.some(({ type }) => type === 'FLOW')) return undefined
  const sent = z.looseObject({ components: z.array(z.unknown()).default([]) }).safeParse(content)
  const button = sent.data?.components.map((one) => flowButtonSchema.safeParse(one)).find(({ success }) => success)
  return { token: button?.data?.parameters[0]?.action?.flow_token }
}

const askSchema = z.object({ type: z.enum(['contact_request', 'call_permission_request']) })

/** Returns what agreeing to a request for the customer's own contact, or for calls, sends. */
export function grantOf(
  { content }: Message,
  { name, phone }: Customer,
): { type: string; content: unknown } | undefined {
  const ask = askSchema.safeParse(content)
  if (!ask.success) return undefined
  if (ask.data.type === 'call_permission_request') {
    const reply = { response: 'accept', is_permanent: false, response_source: 'user_action' }
    return { type: 'interactive', content: { type: 'call_permission_reply', call_permission_reply: reply } }
  }
  const card = {
    name: { formatted_name: name, first_name: name },
    phones: [{ phone: `+${phone}`, wa_id: phone, type: 'CELL' }],
  }
  return { type: 'contacts', content: [{ ...card, origin: 'contact_request' }] }
}
