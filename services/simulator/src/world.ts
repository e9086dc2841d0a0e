import type { Clock } from './clock.ts'
import type { Journal } from './journal.ts'
import type { Random } from './random.ts'
import {
  accountSchema,
  appSchema,
  type BusinessNumber,
  type Chat,
  type Customer,
  chatSchema,
  customerSchema,
  deliverySchema,
  formSchema,
  type Message,
  mediaSchema,
  messageSchema,
  numberSchema,
  templateSchema,
  tokenSchema,
  waitingSchema,
} from './records.ts'

/** State of the simulated platform. */
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
    forms: journal.records('forms', formSchema),
    media: journal.records('media', mediaSchema),
    deliveries: journal.records('deliveries', deliverySchema),
    waiting: journal.records('waiting', waitingSchema),
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

  /** Returns the messages of one number and one customer, oldest first. */
  const messagesOf = (numberId: string, customerId: string): Message[] =>
    (messagesByChat.get(`${numberId}/${customerId}`) ?? []).flatMap((id) => world.messages.get(id) ?? [])

  /** Returns the customer of a phone number, made on first use: every number is on WhatsApp. */
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

/** Returns the digits of a phone number as people and programs write it. */
export const digitsOf = (phone: string): string => phone.replace(/\D/g, '')

/** Creates a number that an account has just got: not registered, without any history. */
export const newNumber = (fields: {
  id: string
  accountId: string
  displayNumber: string
  name: string
}): BusinessNumber => ({
  id: fields.id,
  accountId: fields.accountId,
  displayNumber: fields.displayNumber,
  verifiedName: fields.name,
  quality: 'UNKNOWN',
  usualQuality: 'UNKNOWN',
  throughput: 'STANDARD',
  onBusinessApp: false,
  status: 'PENDING',
  nameStatus: 'APPROVED',
  registered: false,
  pin: null,
  profile: {},
  settings: {},
  blocked: [],
  override: null,
  codeStatus: 'VERIFIED',
  code: null,
})
