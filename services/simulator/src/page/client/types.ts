/** Fields of the control API's answers that the page needs. */
export interface NumberInfo {
  id: string
  accountId: string
  displayNumber: string
  verifiedName: string
  quality: string
  status: string
  tokenExpired: boolean
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
export interface Chat {
  numberId: string
  customerId: string
  lastAt: number
  lastInboundAt: number
  freeEntryUntil: number
  last: Message | null
  unread: number
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
  forwarded: boolean
  status: string
  timeline: { status: string; at: number }[]
  error: number | null
  reactions: { business?: string; customer?: string }
  edited: boolean
  revoked: boolean
}
export interface ShownTemplate {
  header?: { format: string; text?: string; media?: Record<string, unknown> }
  offer?: { text: string; endsAt?: number }
  body: string
  footer?: string
  buttons: ShownButton[]
  cards?: { header?: ShownTemplate['header']; body?: string; buttons: ShownButton[] }[]
}
export interface ShownButton {
  type: string
  text: string
  url?: string
  payload?: string
  action?: unknown
}
export interface Delivery {
  id: string
  accountId: string
  state: 'pending' | 'delivered' | 'dropped'
  createdAt: number
  about: string
  attempts: { at: number; status: number | null; error: string | null }[]
}
/** A delivery as it is read, not as the stream tells it. */
export interface WholeDelivery extends Delivery {
  url: string
  body: string
  headers: Record<string, string>
  nextAt: number
}
interface Injection {
  id: string
  effect: { kind: string; code?: number }
  numberId?: string
}
interface Webhooks {
  paused: boolean
  signature: string
  copies: number
  shuffleMs: number
  oldBySeconds: number
  paddingBytes: number
  unknown: boolean
}
interface Ladder {
  swap: boolean
  skipDelivered: boolean
  dropEvery: number
}
export interface World {
  now: number
  skippedMs: number
  numbers: NumberInfo[]
  customers: Customer[]
  chats: Chat[]
  injections: Injection[]
  webhooks: Webhooks
  ladder: Ladder
}

/** A voice note that is being recorded. */
export interface Recording {
  readonly startedAt: number
  /** Ends the recording. @returns Ogg with Opus, as WhatsApp's voice notes are. */
  finish(): Promise<Blob>
  cancel(): void
}

/** One phone on the table: a customer, writing to one business number. */
export interface Phone {
  customerId: string
  draft: string
  replyTo: Message | undefined
  editing: Message | undefined
  /** The menu that is open: of a message (its id), what can be attached, or the person's own. */
  menu: string | undefined
  recording: Recording | undefined
  typingUntil: number
}
