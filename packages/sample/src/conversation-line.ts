import type { Message, MessageContent } from '@parley/contracts/inbox/messages'

/** One message of a script: who wrote it, how long after the one before, and what. */
export interface Line {
  readonly from: 'customer' | 'team' | 'bot' | 'campaign' | 'note' | 'system'
  /** Minutes since the line before. */
  readonly after: number
  /** `{first}`, `{order}` and `{name}` stand for the customer's first name, order number and name. */
  readonly content: MessageContent
  readonly status?: NonNullable<Message['status']>
  readonly error?: NonNullable<Message['error']>
  /** Line that this one answers, as a number of lines before. */
  readonly answers?: number
  /** Line that a reaction is about, as a number of lines before. */
  readonly reactsTo?: number
}

type Extra = Omit<Line, 'from' | 'after' | 'content'>
const says =
  (from: Line['from']) =>
  (after: number, content: string | MessageContent, extra: Extra = {}): Line => ({
    from,
    after,
    content: typeof content === 'string' ? { type: 'text', text: content } : content,
    ...extra,
  })

export const customer = says('customer')
export const team = says('team')
export const bot = says('bot')
export const campaign = says('campaign')
export const note = says('note')
export const system = (after: number, text: string): Line => says('system')(after, { type: 'system', text })

/** Returns a reaction of the customer to the line `reactsTo` lines before. */
export const reaction = (after: number, emoji: string, reactsTo: number): Line =>
  customer(after, { type: 'reaction', emoji, to: 'message' }, { reactsTo })

/** Reasons why the platform did not deliver (error codes of the Cloud API), and what a person can do about it. */
export const failures = {
  unreachable: {
    code: 131_026,
    title: 'Message undeliverable',
    nextStep: 'The phone may be off or without WhatsApp. Try again later, or call the customer.',
  },
  tooMany: {
    code: 131_049,
    title: 'Not delivered to keep the customer’s chats in balance',
    nextStep: 'WhatsApp limits marketing for each person. Wait a day before you send another campaign.',
  },
  media: {
    code: 131_053,
    title: 'The file could not be uploaded',
    nextStep: 'Send it again as a PDF or JPEG below 16 MB.',
  },
} as const
