/** What the control API tells; the page needs these fields of it. */
interface NumberInfo {
  id: string
  accountId: string
  displayNumber: string
  verifiedName: string
  quality: string
  throughput: string
  status: string
}
export interface Customer {
  id: string
  phone: string
  name: string
  username: string | null
  hidesPhone: boolean
  online: boolean
  reads: 'auto' | 'opened' | 'never'
  stopped: string[]
  blocks: string[]
  colour: number
}
interface Chat {
  numberId: string
  customerId: string
  lastAt: number
  lastInboundAt: number
}
export interface Message {
  id: string
  direction: 'inbound' | 'outbound'
  numberId: string
  customerId: string
  at: number
  type: string
  content: Record<string, unknown>
  shown?: ShownTemplate
  replyTo: string | null
  status: string
  timeline: { status: string; at: number }[]
  error: number | null
  reactions: { business?: string; customer?: string }
  edited: boolean
  revoked: boolean
}
export interface ShownTemplate {
  header?: { format: string; text?: string; media?: { id?: string; link?: string } }
  body: string
  footer?: string
  buttons: { type: string; text: string; url?: string; payload?: string }[]
}
export interface Delivery {
  id: string
  state: string
  createdAt: number
  body?: string
  attempts: { at: number; status: number | null; error: string | null }[]
}
interface Injection {
  id: string
  effect: { kind: string; code?: number }
  numberId?: string
}
interface World {
  now: number
  skippedMs: number
  numbers: NumberInfo[]
  customers: Customer[]
  chats: Chat[]
  injections: Injection[]
  webhooks: { paused: boolean; signature: string; copies: number }
}

/** One phone on the table: a customer, writing to one business number. */
export interface Phone {
  customerId: string
  draft: string
  replyTo: Message | undefined
  menuFor: string | undefined
  sheet: 'attach' | 'person' | undefined
  typingUntil: number
}

export const state = {
  world: undefined as World | undefined,
  /** The address may name the number that is meant. */
  numberId: new URLSearchParams(location.search).get('number') ?? '',
  phones: [] as Phone[],
  messages: new Map<string, Message[]>(),
  deliveries: [] as Delivery[],
  openDelivery: undefined as string | undefined,
  search: '',
  view: 'people' as 'people' | 'phone' | 'tools',
  notice: '',
  offline: false,
}

let draw = () => {}
let queued = false
/** Names what draws the page, once. */
export const onChange = (render: () => void): void => {
  draw = render
}
/** Draws the page soon; many changes at once are drawn once. */
export function update(): void {
  if (queued) return
  queued = true
  requestAnimationFrame(() => {
    queued = false
    draw()
  })
}

export const chatKey = (numberId: string, customerId: string): string => `${numberId}/${customerId}`

/** Calls the control API. What it refuses is shown to the person. */
export async function call<T = unknown>(
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<T> {
  const response = await fetch(`/sim${path}`, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (response.ok) return answer
  state.notice = answer.message ?? 'That did not work.'
  update()
  throw new Error(state.notice)
}

/** Reads numbers, people and settings again. */
export async function refresh(): Promise<void> {
  state.world = await call<World>('/state')
  const { numbers } = state.world
  if (!numbers.some(({ id }) => id === state.numberId)) state.numberId = numbers.at(-1)?.id ?? ''
  update()
}

/** Reads the messages of a phone's chat, and reports them as seen. */
export async function openChat(customerId: string): Promise<void> {
  const { numberId } = state
  if (!numberId) return
  const query = new URLSearchParams({ phone_number_id: numberId, customer_id: customerId })
  const { items } = await call<{ items: Message[] }>(`/messages?${query}`)
  state.messages.set(chatKey(numberId, customerId), items)
  update()
  await seen(customerId)
}

/** Whoever looks at a chat has read it, unless that person never lets it be known. */
export async function seen(customerId: string): Promise<void> {
  const person = state.world?.customers.find(({ id }) => id === customerId)
  if (!person || person.reads === 'never' || document.visibilityState === 'hidden') return
  await call('/read', { user_id: customerId, phone_number_id: state.numberId })
}

/** Puts a person's phone on the table; a second one stands beside the first. */
export function showPhone(customerId: string, { beside = false } = {}): void {
  const phone: Phone = {
    customerId,
    draft: '',
    replyTo: undefined,
    menuFor: undefined,
    sheet: undefined,
    typingUntil: 0,
  }
  const open = state.phones.find((candidate) => candidate.customerId === customerId)
  if (!open) state.phones = beside && state.phones.length > 0 ? [...state.phones.slice(-1), phone] : [phone]
  state.view = 'phone'
  location.hash = state.phones.map((shown) => shown.customerId).join(',')
  update()
  void openChat(customerId)
}

export function closePhone(customerId: string): void {
  state.phones = state.phones.filter((phone) => phone.customerId !== customerId)
  if (state.phones.length === 0) state.view = 'people'
  location.hash = state.phones.map((shown) => shown.customerId).join(',')
  update()
}
