import { z } from 'zod'
import { countSchema, idSchema, timeSchema } from '../core/records.ts'
import { cardLimits } from '../templates/template-cards.ts'
import { dispatchStates } from './dispatch-states.ts'
import { templateButtonsSchema, templateCardSchema, templateHeaderSchema } from './template-parts.ts'

/** Statuses of an outbound message; it only ever moves right, and to `failed` only where nothing was delivered. */
export const messageStatuses = ['queued', 'sent', 'delivered', 'read', 'failed'] as const
export type MessageStatus = (typeof messageStatuses)[number]

/** Members that one note may mention. */
export const maxMentions = 20

export const messageDirections = ['inbound', 'outbound', 'note'] as const

/** Limit of the platform for a text message. */
export const maxMessageLength = 4096

/** Limit of the platform for the text under a picture, film or document. */
export const maxCaptionLength = 1024

const mediaFields = {
  /** Address for the page: `/api/media/<id>`; empty while the file is fetched from WhatsApp, or where that failed. */
  url: z.string().max(2048),
  mediaId: idSchema.optional(),
  /** Absent once it can be read. */
  state: z.enum(['loading', 'expired', 'failed']).optional(),
  mimeType: z.string().max(100),
  sizeBytes: countSchema,
  /** Pixels, of pictures and films. */
  width: countSchema.optional(),
  height: countSchema.optional(),
  caption: z.string().max(maxCaptionLength).optional(),
}

/** Action on a conversation. */
export const activitySchema = z.object({
  kind: z.enum(['assigned', 'unassigned', 'closed', 'reopened', 'snoozed', 'woken']),
  /** To whom it was given: the user's id. */
  member: idSchema.optional(),
  until: timeSchema.optional(),
})

const orderSchema = z.object({
  type: z.literal('order'),
  /** Text that the customer wrote with it. */
  text: z.string().max(1024),
  items: z
    .array(
      z.object({
        /** The seller's own id of the product; empty where the order names none. */
        id: z.string().max(200),
        /** Absent where WhatsApp has sent none that can be read. */
        quantity: z.number().optional(),
        /** Price of one, in units of the currency; absent as the quantity is. */
        price: z.number().optional(),
        /** ISO 4217; absent where the order names none. */
        currency: z.string().length(3).optional(),
      }),
    )
    .max(100),
  /** Absent where the items have different currencies, or one of them no price or quantity. */
  total: z.object({ amount: z.number(), currency: z.string().length(3) }).optional(),
})
/** Answers of a form that a customer has filled in, in its order. */
export const formAnswersSchema = z
  .array(z.object({ question: z.string().max(100), answer: z.string().max(1000) }))
  .max(50)

const messageContentSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string().min(1).max(maxMessageLength) }),
  z.object({ type: z.literal('image'), ...mediaFields }),
  z.object({ type: z.literal('video'), ...mediaFields }),
  z.object({ type: z.literal('audio'), ...mediaFields, voice: z.boolean().optional() }),
  z.object({ type: z.literal('document'), ...mediaFields, fileName: z.string().max(240) }),
  z.object({ type: z.literal('sticker'), ...mediaFields }),
  z.object({
    type: z.literal('location'),
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    name: z.string().max(200).optional(),
    address: z.string().max(300).optional(),
    /** A page about the place, `http` or `https`. */
    url: z.string().max(2048).optional(),
  }),
  z.object({
    type: z.literal('contacts'),
    contacts: z
      .array(
        z.object({
          name: z.string().max(200),
          phones: z.array(z.string().max(40)).max(10),
          company: z.string().max(200).optional(),
          emails: z.array(z.string().max(254)).max(10).optional(),
        }),
      )
      .max(10),
  }),
  orderSchema,
  z.object({
    type: z.literal('interactive'),
    text: z.string().max(1024),
    options: z
      .array(
        z.object({ id: z.string().max(256), title: z.string().max(24), description: z.string().max(72).optional() }),
      )
      .max(10),
    /** Small text below the question. */
    footer: z.string().max(60).optional(),
    /** Button that opens the options as a list; absent where they are buttons. */
    button: z.string().max(20).optional(),
    /** Form that `button` opens, by its id at WhatsApp. */
    flow: z.object({ id: z.string().max(64) }).optional(),
    /** Choice of the customer; absent on the question itself. */
    chosen: z.string().max(256).optional(),
    /** Card of a carousel whose button was pressed, counted from 1. */
    card: z.number().int().min(1).max(cardLimits.max).optional(),
    /** Description below the chosen entry of a list. */
    description: z.string().max(200).optional(),
    answers: formAnswersSchema.optional(),
    /** Kind of that form, where it is not the business's own: `address_message`. */
    form: z.string().max(60).optional(),
  }),
  z.object({
    type: z.literal('template'),
    templateId: idSchema,
    name: z.string().max(512),
    /** All that is read: header, body and footer, with an empty line between them. */
    text: z.string().max(2048),
    /** The part of `text` that is its header. */
    headerText: z.string().max(2048).optional(),
    /** The part of `text` that is its footer. */
    footer: z.string().max(2048).optional(),
    /** Buttons below the text. Absent, as the two above, for messages of older versions. */
    buttons: templateButtonsSchema.optional(),
    /** Carousel below the text. */
    cards: z.array(templateCardSchema).max(cardLimits.max).optional(),
    /** Offer for a limited time above the text. */
    offer: z.object({ text: z.string().max(100), endsAt: timeSchema.optional() }).optional(),
    /** Version of the template that it was filled in from; absent for messages of older versions. */
    templateVersion: z.number().int().positive().optional(),
    /** Header above the text, where it is not text. */
    header: templateHeaderSchema.optional(),
  }),
  z.object({ type: z.literal('reaction'), emoji: z.string().max(64), to: idSchema }),
  z.object({
    type: z.literal('system'),
    text: z.string().max(300),
    /** Action of the line's `cause`, for a page that knows the names of members. */
    activity: activitySchema.optional(),
    /** The number that the customer has moved to, E.164. */
    phone: z.string().max(24).optional(),
  }),
  z.object({
    type: z.literal('unsupported'),
    /** Name at WhatsApp: `poll`, `view_once`. */
    named: z.string().max(60).optional(),
    /** A file of the customer that is larger than WhatsApp passes on (100 MB). */
    reason: z.literal('too_large').optional(),
  }),
])
export type MessageContent = z.infer<typeof messageContentSchema>

export const messageSchema = z.object({
  id: idSchema,
  conversationId: idSchema,
  /** Rises with every change of the message; absent on what the page shows before the server has answered. */
  version: z.number().int().positive().optional(),
  /** The id that the sender's page gave it. */
  clientId: z.string().max(64).optional(),
  direction: z.enum(messageDirections),
  /** `system` in a note is an activity line: who did what. */
  content: messageContentSchema,
  /** Outbound only. */
  status: z.enum(messageStatuses).optional(),
  /** Time at which it reached each status. */
  statusAt: z.partialRecord(z.enum(messageStatuses), timeSchema).optional(),
  /** Outbound only. `uncertain`: it is unknown whether it left; it is never resent automatically. */
  dispatch: z.enum(dispatchStates).optional(),
  /** Time at which a scheduled message leaves. */
  sendAt: timeSchema.optional(),
  reactions: z
    .array(z.object({ by: z.enum(['customer', 'member']), emoji: z.string().max(64), at: timeSchema }))
    .max(10)
    .optional(),
  /** Set where the customer has changed or deleted it. A deleted one keeps its place, without its content. */
  editedAt: timeSchema.optional(),
  deletedAt: timeSchema.optional(),
  error: z.object({ code: z.number().int(), title: z.string().max(200), nextStep: z.string().max(300) }).optional(),
  replyTo: idSchema.optional(),
  /** True where the customer has forwarded it from another chat. */
  forwarded: z.enum(['yes', 'many_times']).optional(),
  /** The ad or post through which the customer came. */
  referral: z
    .object({
      kind: z.enum(['ad', 'post']),
      headline: z.string().max(300).optional(),
      body: z.string().max(1024).optional(),
      /** `http` or `https`. */
      url: z.string().max(2048).optional(),
    })
    .optional(),
  /** State of the payment that the message asks for, as WhatsApp reports it. */
  payment: z.enum(['paid', 'failed', 'pending']).optional(),
  /** The product that the customer asks about, by its id in the business's catalog. */
  productId: z.string().max(200).optional(),
  cause: z.object({
    /**
     * `phone_app`: a colleague, in the WhatsApp Business app of the number that `id` names. `system`: Parley itself, by a rule that
     * `id` names (`consent`, `assignment`).
     */
    kind: z.enum(['member', 'campaign', 'bot', 'workflow', 'api', 'customer', 'phone_app', 'system']),
    id: idSchema,
  }),
  /** Notes only: user ids of the members who are mentioned by `@` and their name, and were told. */
  mentions: z.array(idSchema).max(maxMentions).optional(),
  /** Time by the platform's clock. */
  sentAt: timeSchema,
})
export type Message = z.infer<typeof messageSchema>
