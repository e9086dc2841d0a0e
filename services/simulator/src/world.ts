import { z } from 'zod'
import type { Clock } from './clock.ts'
import type { Journal } from './journal.ts'
import type { Random } from './random.ts'

const looseObject = z.record(z.string(), z.unknown())

/** A Meta app: who receives webhooks, and the secret that signs them. */
const callbackSchema = z.object({ url: z.string(), verifyToken: z.string() })
export type Callback = z.infer<typeof callbackSchema>
const appSchema = z.object({ id: z.string(), secret: z.string(), callback: callbackSchema.nullable() })

/** A WhatsApp Business Account. */
const accountSchema = z.object({
  id: z.string(),
  appId: z.string(),
  name: z.string(),
  timeZone: z.string(),
  subscribed: z.boolean(),
  /** Where this account's webhooks go instead of the app's callback. */
  override: callbackSchema.nullable(),
  /** Milliseconds from creation to the verdict on a template; `null` waits for a person. */
  reviewMs: z.number().nullable(),
  limitTier: z.string(),
})
export type Account = z.infer<typeof accountSchema>

const numberSchema = z.object({
  id: z.string(),
  accountId: z.string(),
  /** Digits, with country code. */
  displayNumber: z.string(),
  verifiedName: z.string(),
  quality: z.enum(['GREEN', 'YELLOW', 'RED', 'UNKNOWN']),
  throughput: z.enum(['STANDARD', 'HIGH']),
  status: z.enum(['CONNECTED', 'PENDING', 'DISCONNECTED', 'FLAGGED', 'RESTRICTED']),
  nameStatus: z.string(),
  registered: z.boolean(),
  pin: z.string().nullable(),
  profile: looseObject,
  settings: looseObject,
  blocked: z.array(z.string()),
})
export type BusinessNumber = z.infer<typeof numberSchema>

const tokenSchema = z.object({
  token: z.string(),
  appId: z.string(),
  accountIds: z.array(z.string()),
  scopes: z.array(z.string()),
  /** Milliseconds since 1970; `null` never ends. */
  expiresAt: z.number().nullable(),
})
export type Token = z.infer<typeof tokenSchema>

const customerSchema = z.object({
  /** Business-scoped user id. */
  id: z.string(),
  /** Digits, with country code. */
  phone: z.string(),
  name: z.string(),
  username: z.string().nullable(),
  /** A person with a username whose number the business does not see. */
  hidesPhone: z.boolean(),
  /** Whether the phone is on: else a message stays at `sent`. */
  online: z.boolean(),
  /** When a delivered message is read: by itself, when its chat is open on the page, or never reported. */
  reads: z.enum(['auto', 'opened', 'never']),
  blocks: z.array(z.string()),
  /** Accounts whose marketing this person has stopped. */
  stopped: z.array(z.string()),
  colour: z.number(),
  /** What the person writes back, one after the other; then they say no more. */
  answers: z.array(z.string()).default([]),
})
export type Customer = z.infer<typeof customerSchema>

/** What one number and one customer have between them. */
const chatSchema = z.object({
  id: z.string(),
  numberId: z.string(),
  customerId: z.string(),
  lastInboundAt: z.number(),
  lastAt: z.number(),
  /** Until then a business that was reached by an ad pays nothing. */
  freeEntryUntil: z.number(),
  referredAt: z.number(),
})
export type Chat = z.infer<typeof chatSchema>

export const statuses = ['accepted', 'sent', 'delivered', 'read', 'played', 'failed'] as const
const messageSchema = z.object({
  id: z.string(),
  direction: z.enum(['inbound', 'outbound']),
  numberId: z.string(),
  customerId: z.string(),
  at: z.number(),
  type: z.string(),
  content: z.unknown(),
  /** What the phone shows of a template or of pressed buttons. */
  shown: z.unknown().optional(),
  replyTo: z.string().nullable(),
  forwarded: z.boolean(),
  status: z.enum(statuses),
  timeline: z.array(z.object({ status: z.enum(statuses), at: z.number() })),
  error: z.number().nullable(),
  callbackData: z.string().nullable(),
  /** How the recipient was named: a status tells the same way. */
  addressedBy: z.enum(['phone', 'user_id']),
  pricing: z.object({ billable: z.boolean(), type: z.string(), category: z.string() }).nullable(),
  reactions: z.object({ business: z.string().optional(), customer: z.string().optional() }),
  edited: z.boolean(),
  revoked: z.boolean(),
})
export type Message = z.infer<typeof messageSchema>

const templateSchema = z.object({
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
  /** When the verdict falls; `null` once it has, or where a person decides. */
  verdictAt: z.number().nullable(),
  /** When it was edited while it was approved. */
  editedAt: z.array(z.number()).default([]),
})
export type Template = z.infer<typeof templateSchema>

const mediaSchema = z.object({
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
const deliverySchema = z.object({
  id: z.string(),
  accountId: z.string(),
  url: z.string(),
  body: z.string(),
  signature: z.string().nullable(),
  createdAt: z.number(),
  attempts: z.array(attemptSchema),
  state: z.enum(['pending', 'delivered', 'dropped']),
  nextAt: z.number(),
})
export type Delivery = z.infer<typeof deliverySchema>

/** Everything that the simulated platform knows. */
export function createWorld(journal: Journal, { clock, random }: { clock: Clock; random: Random }) {
  const world = {
    clock,
    random,
    apps: journal.records('apps', appSchema),
    accounts: journal.records('accounts', accountSchema),
    numbers: journal.records('numbers', numberSchema),
    tokens: journal.records('tokens', tokenSchema),
    customers: journal.records('customers', customerSchema),
    chats: journal.records('chats', chatSchema),
    messages: journal.records('messages', messageSchema),
    templates: journal.records('templates', templateSchema),
    media: journal.records('media', mediaSchema),
    deliveries: journal.records('deliveries', deliverySchema),
  }
  const customersByPhone = new Map<string, string>()
  for (const { id, phone } of world.customers.values()) customersByPhone.set(phone, id)

  function putCustomer(customer: Customer): Customer {
    const before = world.customers.get(customer.id)
    if (before && before.phone !== customer.phone) customersByPhone.delete(before.phone)
    customersByPhone.set(customer.phone, customer.id)
    return world.customers.put(customer.id, customer)
  }

  const messagesByChat = new Map<string, string[]>()
  const indexMessage = ({ id, numberId, customerId }: Message) => {
    const chat = `${numberId}/${customerId}`
    const ids = messagesByChat.get(chat)
    if (ids) ids.push(id)
    else messagesByChat.set(chat, [id])
  }
  for (const message of world.messages.values()) indexMessage(message)

  function putMessage(message: Message): Message {
    if (!world.messages.get(message.id)) indexMessage(message)
    return world.messages.put(message.id, message)
  }

  /** The messages of one number and one customer, oldest first. */
  const messagesOf = (numberId: string, customerId: string): Message[] =>
    (messagesByChat.get(`${numberId}/${customerId}`) ?? []).flatMap((id) => world.messages.get(id) ?? [])

  /** The customer of a phone number, made on first use: every number is on WhatsApp. */
  function customerOf(phone: string, name?: string): Customer {
    const id = customersByPhone.get(phone)
    const known = id === undefined ? undefined : world.customers.get(id)
    if (known) return name && known.name !== name ? putCustomer({ ...known, name }) : known
    return putCustomer({
      id: `${countryOf(phone)}.${random.digits(20)}`,
      phone,
      name: name ?? `Customer ${phone.slice(-4)}`,
      username: null,
      hidesPhone: phone.endsWith('000666'),
      online: true,
      reads: 'auto',
      blocks: [],
      stopped: [],
      colour: Number(phone.slice(-2)) % 8,
      answers: [],
    })
  }

  function chatOf(numberId: string, customerId: string): Chat {
    const id = `${numberId}/${customerId}`
    const fresh = { id, numberId, customerId, lastInboundAt: 0, lastAt: 0, freeEntryUntil: 0, referredAt: 0 }
    return world.chats.get(id) ?? world.chats.put(id, fresh)
  }

  return { ...world, putCustomer, customerOf, chatOf, putMessage, messagesOf }
}
export type World = ReturnType<typeof createWorld>

const countries = [
  ['91', 'IN'],
  ['55', 'BR'],
  ['52', 'MX'],
  ['54', 'AR'],
  ['44', 'GB'],
  ['49', 'DE'],
  ['1', 'US'],
] as const
const countryOf = (phone: string): string => countries.find(([code]) => phone.startsWith(code))?.[1] ?? 'ZZ'

/** The digits of a phone number as people and programs write it. */
export const digitsOf = (phone: string): string => phone.replace(/\D/g, '')
