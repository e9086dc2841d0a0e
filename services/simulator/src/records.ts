import { z } from 'zod'

const looseObject = z.record(z.string(), z.unknown())

/** A Meta app: the receiver of webhooks, and the secret that signs them. */
const callbackSchema = z.object({ url: z.string(), verifyToken: z.string() })
export type Callback = z.infer<typeof callbackSchema>
export const appSchema = z.object({ id: z.string(), secret: z.string(), callback: callbackSchema.nullable() })

/** A WhatsApp Business Account. */
export const accountSchema = z.object({
  id: z.string(),
  appId: z.string(),
  name: z.string(),
  timeZone: z.string(),
  subscribed: z.boolean(),
  /** Address for this account's webhooks instead of the app's callback. */
  override: callbackSchema.nullable(),
  /** Milliseconds from creation to the verdict on a template; `null` waits for a person. */
  reviewMs: z.number().nullable(),
  limitTier: z.string(),
  /** Limit that a reset restores; `null` where it has not been changed. */
  usualTier: z.string().nullable().default(null),
})
export type Account = z.infer<typeof accountSchema>

export const numberSchema = z.object({
  id: z.string(),
  accountId: z.string(),
  /** Digits, with country code. */
  displayNumber: z.string(),
  verifiedName: z.string(),
  quality: z.enum(['GREEN', 'YELLOW', 'RED', 'UNKNOWN']),
  throughput: z.enum(['STANDARD', 'HIGH']),
  /** True where it is used in the WhatsApp Business app as well. */
  onBusinessApp: z.boolean().default(false),
  status: z.enum(['CONNECTED', 'PENDING', 'DISCONNECTED', 'FLAGGED', 'RESTRICTED']),
  nameStatus: z.string(),
  registered: z.boolean(),
  pin: z.string().nullable(),
  profile: looseObject,
  settings: looseObject,
  blocked: z.array(z.string()),
  /** Address for this number's webhooks, before that of its account. */
  override: callbackSchema.nullable().default(null),
  codeStatus: z.enum(['VERIFIED', 'NOT_VERIFIED']).default('VERIFIED'),
  /** The code that was sent to the number, until it is entered. */
  code: z.string().nullable().default(null),
  /** Quality that a reset restores. */
  usualQuality: z.enum(['GREEN', 'YELLOW', 'RED', 'UNKNOWN']).default('GREEN'),
})
export type BusinessNumber = z.infer<typeof numberSchema>

export const tokenSchema = z.object({
  token: z.string(),
  appId: z.string(),
  accountIds: z.array(z.string()),
  scopes: z.array(z.string()),
  /** End in milliseconds since 1970; `null`: none. */
  expiresAt: z.number().nullable(),
  /** The number that it was made with. */
  numberId: z.string().nullable().default(null),
})
export type Token = z.infer<typeof tokenSchema>

export const customerSchema = z.object({
  /** Business-scoped user id. */
  id: z.string(),
  /** Digits, with country code. */
  phone: z.string(),
  name: z.string(),
  username: z.string().nullable(),
  /** A person with a username whose number the business does not see. */
  hidesPhone: z.boolean(),
  /** True where the phone is on: else a message stays at `sent`. */
  online: z.boolean(),
  /** Way in which a delivered message is read: by itself, when its chat is open on the page, or never reported. */
  reads: z.enum(['auto', 'opened', 'never']),
  blocks: z.array(z.string()),
  /** Accounts whose marketing this person has stopped. */
  stopped: z.array(z.string()),
  colour: z.number(),
  /** Messages that the person writes back, one after the other; then they say no more. */
  answers: z.array(z.string()).default([]),
})
export type Customer = z.infer<typeof customerSchema>

/** Chat between one number and one customer. */
export const chatSchema = z.object({
  id: z.string(),
  numberId: z.string(),
  customerId: z.string(),
  lastInboundAt: z.number(),
  lastAt: z.number(),
  /** Time until which a business that was reached by an ad pays nothing. */
  freeEntryUntil: z.number(),
  referredAt: z.number(),
})
export type Chat = z.infer<typeof chatSchema>

export const statuses = ['accepted', 'sent', 'delivered', 'read', 'played', 'failed'] as const
export const messageSchema = z.object({
  id: z.string(),
  direction: z.enum(['inbound', 'outbound']),
  numberId: z.string(),
  customerId: z.string(),
  at: z.number(),
  type: z.string(),
  content: z.unknown(),
  /** Template or pressed buttons as the phone shows them. */
  shown: z.unknown().optional(),
  replyTo: z.string().nullable(),
  forwarded: z.boolean(),
  status: z.enum(statuses),
  timeline: z.array(z.object({ status: z.enum(statuses), at: z.number() })),
  error: z.number().nullable(),
  callbackData: z.string().nullable(),
  /** Form in which the recipient was named: a status uses the same. */
  addressedBy: z.enum(['phone', 'user_id']),
  pricing: z.object({ billable: z.boolean(), type: z.string(), category: z.string() }).nullable(),
  reactions: z.object({ business: z.string().optional(), customer: z.string().optional() }),
  edited: z.boolean(),
  revoked: z.boolean(),
})
export type Message = z.infer<typeof messageSchema>

export const templateSchema = z.object({
  id: z.string(),
  accountId: z.string(),
  name: z.string(),
  language: z.string(),
  category: z.string(),
  previousCategory: z.string().nullable(),
  status: z.string(),
  rejectedReason: z.string(),
  parameterFormat: z.enum(['POSITIONAL', 'NAMED']),
  components: z.array(looseObject),
  quality: z.string(),
  createdAt: z.number(),
  /** Time of the verdict; `null` after it, or where a person decides. */
  verdictAt: z.number().nullable(),
  /** Times at which it was edited while it was approved. */
  editedAt: z.array(z.number()).default([]),
})
export type Template = z.infer<typeof templateSchema>

/** A form, which the platform calls a flow. Its screens are not simulated. */
export const formSchema = z.object({
  id: z.string(),
  accountId: z.string(),
  name: z.string(),
  status: z.enum(['DRAFT', 'PUBLISHED', 'DEPRECATED', 'BLOCKED', 'THROTTLED']),
  /** Address of a server that it asks while it is filled in. */
  endpointUri: z.string().nullable(),
})

export const mediaSchema = z.object({
  id: z.string(),
  numberId: z.string(),
  mimeType: z.string(),
  sha256: z.string(),
  sizeBytes: z.number(),
  fileName: z.string().nullable(),
  from: z.enum(['business', 'customer']),
  createdAt: z.number(),
})
export type Media = z.infer<typeof mediaSchema>

const attemptSchema = z.object({ at: z.number(), status: z.number().nullable(), error: z.string().nullable() })
export const deliverySchema = z.object({
  id: z.string(),
  accountId: z.string(),
  /** Set where the delivery goes to the callback of one number. */
  numberId: z.string().nullable().default(null),
  url: z.string(),
  body: z.string(),
  signature: z.string().nullable(),
  createdAt: z.number(),
  attempts: z.array(attemptSchema),
  state: z.enum(['pending', 'delivered', 'dropped']),
  nextAt: z.number(),
})
export type Delivery = z.infer<typeof deliverySchema>

/** A change that has not become part of a delivery yet. */
export const waitingSchema = z.object({
  id: z.string(),
  accountId: z.string(),
  numberId: z.string().nullable(),
  field: z.string(),
  value: z.unknown(),
})
export type Waiting = z.infer<typeof waitingSchema>
