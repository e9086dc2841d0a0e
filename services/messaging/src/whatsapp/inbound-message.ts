import { z } from 'zod'
import { bounded } from './bounded.ts'
import { pressedButton } from './card-reply.ts'
import { contactCardSchema, interactiveSchema, locationSchema, mediaSchema, orderSchema } from './message-parts.ts'
import {
  identityOf,
  momentSchema,
  optionalIdentity,
  optionalPhone,
  optionalText,
  readableItems,
  text,
} from './wire-values.ts'

const errorSchema = z.looseObject({ code: z.coerce.number().int(), title: optionalText(200) })

const contentSchemas = {
  text: z.looseObject({ body: text(4096) }),
  image: mediaSchema,
  video: mediaSchema,
  audio: mediaSchema,
  document: mediaSchema,
  sticker: mediaSchema,
  location: locationSchema,
  contacts: readableItems(contactCardSchema, 300),
  interactive: interactiveSchema,
  button: z.looseObject({ payload: optionalText(256), text: optionalText(200) }).transform(pressedButton),
  reaction: z.looseObject({ message_id: text(512), emoji: optionalText(64) }),
  order: orderSchema,
  system: z.looseObject({
    type: z.string().max(60).default('unknown').catch('unknown'),
    body: optionalText(500),
    wa_id: optionalPhone,
    new_wa_id: optionalPhone,
    user_id: optionalIdentity,
  }),
  edit: z.looseObject({
    original_message_id: text(512),
    message: z
      .looseObject({ type: z.string().max(60) })
      .optional()
      .catch(undefined),
  }),
  revoke: z.looseObject({ original_message_id: text(512) }),
} as const
type KnownType = keyof typeof contentSchemas

const envelopeSchema = z.looseObject({
  id: z.string().min(1).max(512),
  from: optionalIdentity,
  from_user_id: optionalIdentity,
  group_id: optionalIdentity,
  timestamp: momentSchema,
  type: z.string().max(60),
  context: z
    .looseObject({
      id: optionalText(512),
      forwarded: z.boolean().optional().catch(undefined),
      frequently_forwarded: z.boolean().optional().catch(undefined),
      referred_product: z
        .looseObject({ catalog_id: optionalText(100), product_retailer_id: optionalText(200) })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
  referral: z
    .looseObject({
      source_url: optionalText(2048),
      source_id: optionalText(100),
      source_type: optionalText(20),
      headline: optionalText(300),
      body: optionalText(1024),
      ctwa_clid: optionalText(500),
    })
    .transform(bounded)
    .optional()
    .catch(undefined),
  errors: readableItems(errorSchema, 10),
  unsupported: z
    .looseObject({ type: optionalText(60) })
    .optional()
    .catch(undefined),
})

/** Types of messages that do not open the customer service window, and {@link isMark}s, which are no messages of their own. */
const silentTypes: ReadonlySet<string> = new Set(['reaction', 'system', 'edit', 'revoke'])
/** Returns whether a type changes an existing message. */
const isMark = (type: string): boolean => type === 'reaction' || type === 'edit' || type === 'revoke'
/** Types by which the platform reports an event rather than a written message: that a chat was opened. */
const eventTypes: ReadonlySet<string> = new Set(['request_welcome'])

type Known = { [T in KnownType]: { readonly type: T; readonly value: z.infer<(typeof contentSchemas)[T]> } }[KnownType]

/** A message of a customer as the platform tells it, its unknown parts left aside. */
export interface InboundMessage {
  readonly waMessageId: string
  /** `wa_id`: digits of the phone number; absent for a person who hides it. */
  readonly waId: string | undefined
  readonly userId: string | undefined
  /** The group that it was written in: it is no message between its sender and the business. */
  readonly groupId: string | undefined
  readonly at: Date
  /** True where free text may be sent for a day after it: a known type counts, also where its value cannot be read. */
  readonly opensWindow: boolean
  readonly replyTo: string | undefined
  readonly forwarded: 'no' | 'yes' | 'many_times'
  readonly referral: z.infer<typeof envelopeSchema>['referral']
  /** The product of the catalog that it asks about, by the business's own id of it. */
  readonly productId: string | undefined
  /**
   * `unsupported` for what the platform could not pass on, for unknown types, and for messages of which nothing can be read;
   * `none` for what is no message.
   */
  readonly content:
    | Known
    | { readonly type: 'unsupported'; readonly named: string; readonly errorCode: number | undefined }
    | { readonly type: 'missed_call' | 'answered_call' }
    | { readonly type: 'none' }
}

/**
 * Reads one message of a webhook.
 * @throws ZodError where it has no id, no time or no type: nothing can be done with it then.
 */
export function readInboundMessage(message: unknown): InboundMessage {
  const envelope = envelopeSchema.parse(message)
  const { from, from_user_id: fromUserId, context } = envelope
  return {
    waMessageId: envelope.id,
    ...identityOf(from, fromUserId),
    groupId: envelope.group_id,
    at: envelope.timestamp,
    opensWindow: isKnown(envelope.type) && !silentTypes.has(envelope.type),
    replyTo: context?.id,
    forwarded: context?.frequently_forwarded ? 'many_times' : context?.forwarded ? 'yes' : 'no',
    referral: envelope.referral,
    productId: context?.referred_product?.product_retailer_id,
    content: contentOf(envelope),
  }
}

/**
 * Reads a message that a colleague has sent from the business's own phone: its recipient stands where a customer's message
 * has its sender. @throws ZodError as {@link readInboundMessage} does.
 */
export function readEcho(message: unknown): InboundMessage {
  const { to, to_user_id: userId, ...rest } = echoSchema.parse(message)
  return readInboundMessage({ ...rest, from: to, from_user_id: userId })
}
const echoSchema = z.looseObject({ to: z.string().optional(), to_user_id: z.string().optional() })

const callSchema = z.looseObject({
  event: z.string().max(40),
  direction: z.string().max(40),
  status: z.string().max(40).optional().catch(undefined),
  start_time: momentSchema.optional().catch(undefined),
})

/**
 * Reads the end of a customer's call, which opens the window whether or not it was answered: an unanswered one (`FAILED`) is a message
 * of its thread. Any other event of a call gives `none`.
 * @throws ZodError as {@link readInboundMessage} does. Source: Cloud API, webhooks of calls.
 */
export function readCall(call: unknown): InboundMessage {
  const { event, direction, status, start_time: startedAt } = callSchema.parse(call)
  const message = readInboundMessage({ ...callSchema.parse(call), type: 'call' })
  if (event !== 'terminate' || direction !== 'USER_INITIATED') return { ...message, content: { type: 'none' } }
  const type = status?.toUpperCase() === 'FAILED' ? 'missed_call' : 'answered_call'
  return { ...message, at: startedAt ?? message.at, opensWindow: true, content: { type } }
}

/**
 * Returns the new content of an edited message; `undefined` for what cannot be read. A file keeps its bytes: its caption alone
 * changes.
 */
export function readEdited(message: { readonly type: string; readonly [field: string]: unknown }) {
  const caption = captionSchema.safeParse(message[message.type])
  const content = contentOf({ errors: [], unsupported: undefined, ...message })
  return ['unsupported', 'none', 'reaction', 'edit', 'revoke'].includes(content.type) ? caption.data : content
}
const captionSchema = z
  .object({ caption: text(1024) })
  .transform(({ caption }) => ({ type: 'caption' as const, caption }))

type Typed = Pick<z.infer<typeof envelopeSchema>, 'type' | 'errors' | 'unsupported'> & Readonly<Record<string, unknown>>

function contentOf(envelope: Typed): InboundMessage['content'] {
  const { type, errors, unsupported: stated } = envelope
  const unsupported = { type: 'unsupported', named: stated?.type ?? type, errorCode: errors[0]?.code } as const
  if (eventTypes.has(type)) return { type: 'none' }
  if (!isKnown(type)) return unsupported
  const value = envelope[type]
  const parsed = contentSchemas[type].safeParse(typeof value === 'object' && value !== null ? value : {})
  // The schema was chosen by the type; TypeScript cannot follow that through the record.
  if (parsed.success) return { type, value: parsed.data } as Known
  return isMark(type) ? { type: 'none' } : unsupported
}

const isKnown = (type: string): type is KnownType => Object.hasOwn(contentSchemas, type)
