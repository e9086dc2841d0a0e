import { chatLimits } from '@parley/contracts/contacts/contact-jobs'
import type { Message, MessageContent } from '@parley/contracts/inbox/messages'
import { writtenPhone } from '@parley/phone'
import { activityLabels, actorOf } from '@parley/rules/activity-labels'
import type { MemberNames } from '../../../platform/member-names.ts'

/** Data of a conversation, read before its messages are written to a file. */
export interface Chat {
  readonly contact: { readonly name: string; readonly phone?: string | undefined }
  /** Name of the number that the customer wrote to. */
  readonly business: string
  readonly members: Pick<MemberNames, 'nameOf' | 'inSentence'>
  readonly timeZone: string
  readonly exportedAt: Date
  /** Messages that the conversation has. */
  readonly messages: number
}

/** One message, with what it answers. */
export interface ChatEntry {
  readonly message: Message
  /** `id` is absent where the answered message is not in the file. */
  readonly answered?: { readonly who: string; readonly words: string; readonly id?: string }
}

/** The first lines of a file: whose conversation it is, when it was written, and what is not in it. */
export function headOf({ contact, business, timeZone, exportedAt, messages }: Chat) {
  const phone = contact.phone && writtenPhone(contact.phone)
  const { date, time } = clockOf(timeZone)(exportedAt)
  return {
    title: `WhatsApp chat of ${business} with ${contact.name}`,
    phone: phone ?? '',
    written: `Exported on ${date} at ${time}. All times are those of ${timeZone}.`,
    limits:
      messages > chatLimits.messages
        ? `This file has the newest ${number(chatLimits.messages)} of ${number(messages)} messages.`
        : '',
  }
}

const number = (value: number): string => value.toLocaleString('en-US')

/** Date and time as a clock of the zone shows them: `2026-03-10` and `09:05`. */
export function clockOf(timeZone: string): (at: Date | string) => { date: string; time: string } {
  const options = { timeZone, dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' } as const
  const format = new Intl.DateTimeFormat('en-CA', options)
  return (at) => {
    const [date = '', time = ''] = format.format(new Date(at)).split(', ')
    return { date, time }
  }
}

const causes = {
  campaign: 'Campaign',
  bot: 'Bot',
  workflow: 'Workflow',
  api: 'API',
  phone_app: 'WhatsApp Business app',
  system: 'Automatic reply',
} as const

/** Returns a message's author: the contact, or the business with who acted for it. */
export function authorOf(
  { contact, business, members }: Chat,
  { direction, cause }: Pick<Message, 'direction' | 'cause'>,
) {
  if (direction === 'inbound') return contact.name
  const who =
    cause.kind === 'member' ? members.nameOf(cause.id) : cause.kind === 'customer' ? undefined : causes[cause.kind]
  return who === undefined ? business : `${business} (${who})`
}

/** An activity line in words. */
export function activityOf(
  { members, timeZone }: Chat,
  { cause, content }: { cause: Message['cause']; content: Extract<MessageContent, { type: 'system' }> },
): string {
  if (!content.activity) return content.text
  const clock = clockOf(timeZone)
  const member = cause.kind === 'member' ? cause.id : undefined
  const actor = actorOf(cause, members.nameOf)
  return activityLabels(content.activity, {
    actor,
    who: (userId = '') => (userId === member ? actor : members.inSentence(userId)),
    timeOf: (iso) => Object.values(clock(iso)).join(', '),
  })
}

/** The items of an order and what they come to, one line each. */
export function orderLines({ items, total }: Extract<MessageContent, { type: 'order' }>): string[] {
  const lines = items.map(({ id, quantity, price, currency }) =>
    [
      `${quantity === undefined ? '' : `${number(quantity)} × `}${id || 'Unnamed product'}`,
      ...(price === undefined ? [] : [`${amount(price, currency)} each`]),
    ].join(', '),
  )
  return total ? [...lines, `Total: ${amount(total.amount, total.currency)}`] : lines
}

const amount = (value: number, currency: string | undefined): string =>
  currency ? new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(value) : number(value)

type Interactive = Extract<MessageContent, { type: 'interactive' }>

/** Returns a line for each card of a carousel: its text and its buttons. */
export const cardLines = ({ cards = [] }: Extract<MessageContent, { type: 'template' }>): string[] =>
  cards.map(({ text, buttons }) => [...(text ? [text] : []), ...buttons.map((button) => `[${button.text}]`)].join(' '))

/** Returns what was entered in a form, one line each. */
export const answerLines = (answers: NonNullable<Interactive['answers']>): string[] =>
  answers.map(({ question, answer }) => `${question}: ${answer}`)

const paymentLabels = { paid: 'paid', failed: 'payment failed', pending: 'payment pending' } as const

/** Returns what is worth knowing of a message beside its content. */
export function remarksOf(message: Message): string[] {
  const { editedAt, deletedAt, status, dispatch, sendAt, forwarded, referral, productId, payment } = message
  return [
    ...(forwarded ? ['forwarded'] : []),
    ...(referral
      ? [[`came from ${referral.kind === 'ad' ? 'an ad' : 'a post'}`, referral.headline].filter(Boolean).join(': ')]
      : []),
    ...(productId ? [`about the product ${productId}`] : []),
    ...(payment ? [paymentLabels[payment]] : []),
    ...(editedAt && !deletedAt ? ['edited'] : []),
    ...(status === 'failed' ? ['not delivered'] : []),
    ...(dispatch === 'cancelled' ? ['cancelled before it was sent'] : []),
    ...(dispatch === 'uncertain' ? ['perhaps not sent'] : []),
    ...(dispatch === 'held' || dispatch === 'queued' ? [sendAt ? 'scheduled' : 'not sent yet'] : []),
  ]
}

/** Returns who has reacted how: `👍 Priya`. */
export const reactionsOf = ({ contact, business }: Chat, { reactions = [] }: Message): string[] =>
  reactions.map(({ by, emoji }) => `${emoji} ${by === 'customer' ? contact.name : business}`)

export const mediaNames = {
  image: 'Photo',
  video: 'Video',
  audio: 'Audio',
  document: 'Document',
  sticker: 'Sticker',
} as const
export type MediaMessage = Extract<MessageContent, { mimeType: string }>
