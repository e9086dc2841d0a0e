import { z } from 'zod'
import { bounded } from './bounded.ts'

const text = (max: number) => z.string().transform((value) => value.slice(0, max))
const optionalText = (max: number) => text(max).optional().catch(undefined)

/** A file as a webhook names it: its bytes are fetched later. */
const mediaSchema = z.looseObject({
  id: z.string().max(64),
  mime_type: z.string().max(200).default('application/octet-stream').catch('application/octet-stream'),
  sha256: optionalText(100),
  caption: optionalText(1024),
  filename: optionalText(240),
  voice: z.boolean().optional().catch(undefined),
  animated: z.boolean().optional().catch(undefined),
  url: optionalText(2048),
})

const contactCardSchema = z.looseObject({
  name: z
    .looseObject({ formatted_name: optionalText(200), first_name: optionalText(200) })
    .default({})
    .catch({}),
  phones: z
    .array(z.looseObject({ phone: optionalText(40), wa_id: optionalText(20) }))
    .default([])
    .catch([]),
  org: z
    .looseObject({ company: optionalText(200) })
    .optional()
    .catch(undefined),
  emails: z
    .array(z.looseObject({ email: optionalText(254) }))
    .default([])
    .catch([]),
})

const errorSchema = z.looseObject({ code: z.number().int(), title: optionalText(200) })

const contentSchemas = {
  text: z.looseObject({ body: text(4096) }),
  image: mediaSchema,
  video: mediaSchema,
  audio: mediaSchema,
  document: mediaSchema,
  sticker: mediaSchema,
  location: z.looseObject({
    latitude: z.coerce.number().min(-90).max(90),
    longitude: z.coerce.number().min(-180).max(180),
    name: optionalText(200),
    address: optionalText(300),
    url: optionalText(2048),
  }),
  contacts: z.array(contactCardSchema).max(300),
  interactive: z.looseObject({
    type: z.string().max(60),
    button_reply: z.looseObject({ id: text(256), title: text(200) }).optional(),
    list_reply: z.looseObject({ id: text(256), title: text(200), description: optionalText(200) }).optional(),
    nfm_reply: z
      .looseObject({ name: optionalText(60), body: optionalText(1024), response_json: optionalText(20_000) })
      .optional(),
    call_permission_reply: z.looseObject({ response: optionalText(60) }).optional(),
  }),
  button: z.looseObject({ payload: optionalText(256), text: text(200) }),
  reaction: z.looseObject({ message_id: text(512), emoji: z.string().max(64).optional() }),
  order: z.looseObject({
    catalog_id: optionalText(100),
    text: optionalText(1024),
    product_items: z
      .array(
        z
          .looseObject({
            product_retailer_id: text(200),
            quantity: z.coerce.number(),
            item_price: z.coerce.number(),
            currency: text(3),
          })
          // Stored as they come, with fields that nobody here knows.
          .transform(bounded),
      )
      .max(100),
  }),
  system: z.looseObject({
    type: z.string().max(60).default('unknown'),
    body: optionalText(500),
    wa_id: optionalText(20),
    new_wa_id: optionalText(20),
    user_id: optionalText(140),
  }),
  edit: z.looseObject({ original_message_id: text(512), message: z.looseObject({ type: z.string().max(60) }) }),
  revoke: z.looseObject({ original_message_id: text(512) }),
} as const
type KnownType = keyof typeof contentSchemas

const envelopeSchema = z.looseObject({
  id: z.string().min(1).max(512),
  from: z.string().max(200).optional(),
  from_user_id: z.string().max(200).optional(),
  timestamp: z.coerce.number().int().positive(),
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
  errors: z.array(errorSchema).optional().catch(undefined),
  unsupported: z
    .looseObject({ type: optionalText(60) })
    .optional()
    .catch(undefined),
})

type Known = { [T in KnownType]: { readonly type: T; readonly value: z.infer<(typeof contentSchemas)[T]> } }[KnownType]

/** A message of a customer as the platform tells it, its unknown parts left aside. */
export interface InboundMessage {
  readonly waMessageId: string
  /** `wa_id`: digits of the phone number; absent for a person who hides it. */
  readonly waId: string | undefined
  readonly userId: string | undefined
  readonly at: Date
  readonly replyTo: string | undefined
  readonly forwarded: 'no' | 'yes' | 'many_times'
  readonly referral: z.infer<typeof envelopeSchema>['referral']
  /** The product of the catalog that it asks about, by the business's own id of it. */
  readonly productId: string | undefined
  /** `unsupported` for what the platform could not pass on, and for types that nobody here knows. */
  readonly content:
    | Known
    | { readonly type: 'unsupported'; readonly named: string; readonly errorCode: number | undefined }
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
    at: new Date(envelope.timestamp * 1000),
    replyTo: context?.id,
    forwarded: context?.frequently_forwarded ? 'many_times' : context?.forwarded ? 'yes' : 'no',
    referral: envelope.referral,
    productId: context?.referred_product?.product_retailer_id,
    content: contentOf(envelope),
  }
}

/**
 * Reads a message that a colleague has sent from the business's own phone: who it went to stands where a customer's message
 * says who it is from. @throws ZodError as {@link readInboundMessage} does.
 */
export function readEcho(message: unknown): InboundMessage {
  const { to, to_user_id: userId, ...rest } = echoSchema.parse(message)
  return readInboundMessage({ ...rest, from: to, from_user_id: userId })
}
const echoSchema = z.looseObject({ to: z.string().optional(), to_user_id: z.string().optional() })

/** What an edited message holds now; `undefined` for what cannot be read. A file keeps its bytes: its caption alone changes. */
export function readEdited(message: { readonly type: string; readonly [field: string]: unknown }) {
  const caption = captionSchema.safeParse(message[message.type])
  const content = contentOf({ id: '-', timestamp: 1, ...message })
  return ['unsupported', 'reaction', 'edit', 'revoke'].includes(content.type) ? caption.data : content
}
const captionSchema = z
  .object({ caption: text(1024) })
  .transform(({ caption }) => ({ type: 'caption' as const, caption }))

/** A user id has been seen where a phone number belongs. */
function identityOf(from: string | undefined, fromUserId: string | undefined) {
  const isPhone = from !== undefined && /^\d{5,20}$/.test(from)
  return { waId: isPhone ? from : undefined, userId: fromUserId ?? (isPhone ? undefined : from) }
}

function contentOf(envelope: z.infer<typeof envelopeSchema>): InboundMessage['content'] {
  const { type, errors, unsupported: stated } = envelope
  const unsupported = { type: 'unsupported', named: stated?.type ?? type, errorCode: errors?.[0]?.code } as const
  if (!isKnown(type)) return unsupported
  const parsed = contentSchemas[type].safeParse(envelope[type])
  // The schema was chosen by the type; TypeScript cannot follow that through the record.
  return parsed.success ? ({ type, value: parsed.data } as Known) : unsupported
}

const isKnown = (type: string): type is KnownType => Object.hasOwn(contentSchemas, type)
