import { skipLabels } from '@parley/contracts/campaigns/skip-labels'
import type { SkipReason } from '@parley/contracts/campaigns/skip-reasons'
import { type Message, messageSchema } from '@parley/contracts/inbox/messages'
import { z } from 'zod'
import { classifyError } from '../../../whatsapp/error-classes.ts'
import { errorCodes } from '../../../whatsapp/error-codes.ts'
import { flowAnswers } from './flow-answers.ts'
import type { MessageRecord } from './messages.model.ts'
import { orderItems, orderTotal } from './order-items.ts'

/** A message as the inbox shows it. */
export function toMessage(record: MessageRecord): Message {
  const { id, conversationId, version, direction, clientId, status, statusAt, dispatch, replyTo, error } = record
  const { deletedAt, editedAt, sendAt, forwarded, productId, reactions = [] } = record
  const referral = deletedAt ? undefined : referralOf(record.referral)
  const known = error && classifyError(error.code)
  const felt = reactions.filter(({ emoji }) => emoji !== '')
  return {
    id,
    conversationId,
    version,
    direction,
    content: contentOf(record),
    cause: causeOf(record),
    sentAt: record.sentAt.toISOString(),
    ...(clientId !== undefined && { clientId }),
    ...(status && { status }),
    ...(direction === 'outbound' && { statusAt: timesOf(statusAt) }),
    ...(dispatch && direction === 'outbound' && { dispatch: dispatch.state }),
    ...(sendAt && { sendAt: sendAt.toISOString() }),
    ...(replyTo !== undefined && { replyTo }),
    ...(forwarded && { forwarded }),
    ...(referral && { referral }),
    ...(record.mentions && { mentions: [...record.mentions] }),
    ...(record.payment && { payment: record.payment.state }),
    ...(productId && !deletedAt && { productId }),
    ...(editedAt && { editedAt: editedAt.toISOString() }),
    ...(deletedAt && { deletedAt: deletedAt.toISOString() }),
    ...(felt.length > 0 && { reactions: felt.map(({ by, emoji, at }) => ({ by, emoji, at: at.toISOString() })) }),
    ...(error && known && { error: { code: error.code, title: known.title, nextStep: known.advice } }),
    ...(dispatch?.reason && dispatch.state === 'cancelled' && { error: skipError(dispatch.reason) }),
    ...(dispatch?.unconfirmed && dispatch.state === 'uncertain' && { error: unconfirmed }),
  }
}

const skipError = (reason: SkipReason): Message['error'] => {
  const { title, advice } = skipLabels[reason]
  return { code: 0, title, nextStep: advice }
}

const unconfirmed: Message['error'] = {
  code: 0,
  title: 'Not confirmed',
  nextStep: 'WhatsApp has not confirmed whether it was sent. Send it again, or wait.',
}

/** Returns `unsupported` for content that is deleted, malformed or unknown to the contract. */
function contentOf({ content, deletedAt }: MessageRecord): Message['content'] {
  if (deletedAt) return { type: 'unsupported' }
  const parsed = messageSchema.shape.content.safeParse(shapeOf(content))
  return parsed.success ? parsed.data : { type: 'unsupported' }
}

const mediaTypes: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'document', 'sticker'])

function shapeOf(content: MessageRecord['content']): Record<string, unknown> {
  const shape = shapes[content.type]
  if (shape) return shape(content)
  if (!mediaTypes.has(content.type)) return content
  const { mediaId, state, url } = content
  // Media of sample data that was loaded earlier travels inside its record; some of it was never there.
  if (mediaId === undefined && typeof url === 'string') return content
  const readable = typeof mediaId === 'string'
  return {
    mimeType: 'application/octet-stream',
    sizeBytes: 0,
    ...(content.type === 'document' && { fileName: 'Document' }),
    ...content,
    url: readable ? `/api/media/${mediaId}` : '',
    state: readable ? undefined : (state ?? 'loading'),
  }
}

type Shape = (content: MessageRecord['content']) => Record<string, unknown>
const shapes: Readonly<Record<string, Shape>> = {
  order: (content) => {
    const items = orderItems(content['items'])
    const total = orderTotal(items)
    return { ...content, items, ...(total && { total }) }
  },
  // Answers were stored as WhatsApp's own JSON text at first.
  interactive: ({ answers, ...rest }) =>
    typeof answers === 'string'
      ? { ...rest, answers: flowAnswers(answers) }
      : { ...rest, ...(answers !== undefined && { answers }) },
  unsupported: ({ errorCode, ...rest }) => ({
    ...rest,
    ...(errorCode === errorCodes.fileNotFetched && { reason: 'too_large' }),
  }),
  location: ({ url, ...rest }) => ({ ...rest, ...(isWebAddress(url) && { url }) }),
}

/** Answers to words of consent and the rule of assignment were stored as those of a bot and a workflow at first. */
const rules: ReadonlySet<string> = new Set(['bot consent', 'workflow assignment'])

function causeOf({ cause }: MessageRecord): Message['cause'] {
  if (rules.has(`${cause.kind} ${cause.id}`)) return { kind: 'system', id: cause.id }
  return messageSchema.shape.cause.catch({ kind: 'member', id: 'unknown' }).parse(cause)
}

const timesOf = (statusAt: MessageRecord['statusAt']): Message['statusAt'] =>
  Object.fromEntries(Object.entries(statusAt).flatMap(([status, at]) => (at ? [[status, at.toISOString()]] : [])))

const isWebAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value)

const words = (max: number) =>
  z
    .string()
    .transform((text) => text.trim().slice(0, max) || undefined)
    .optional()
    .catch(undefined)
const referralSchema = z.object({
  source_type: z.string().optional().catch(undefined),
  headline: words(300),
  body: words(1024),
  source_url: z.string().max(2048).optional().catch(undefined),
})

/** Returns the ad or post of a message as WhatsApp reports it; `undefined` where nothing of it can be shown. */
function referralOf(stored: unknown): Message['referral'] {
  const parsed = referralSchema.safeParse(stored)
  if (!parsed.success) return undefined
  const { source_type: source, source_url: url, headline, body } = parsed.data
  if (!headline && !body && !isWebAddress(url)) return undefined
  return {
    kind: source === 'post' ? 'post' : 'ad',
    ...(headline && { headline }),
    ...(body && { body }),
    ...(isWebAddress(url) && { url }),
  }
}
