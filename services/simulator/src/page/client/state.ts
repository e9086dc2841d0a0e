import type { TemplateResult } from 'lit-html'
import type { Chat, Customer, Delivery, Message, NumberInfo, Phone, World } from './types.ts'

/** A dialog of the page. */
export interface Dialog {
  title: string
  body: () => TemplateResult
  /** Label of the button that confirms; absent: there is nothing to confirm. */
  action?: string
  /** Confirms the dialog. @returns the problem with the input; the dialog stays open then. */
  run?: () => Promise<unknown> | string | undefined
  isDangerous?: boolean
  isWide?: boolean
}

/** Number that the address names: that of the workspace which has opened the page. */
export const openedFor = new URLSearchParams(location.search).get('number') ?? ''

export const state = {
  world: undefined as World | undefined,
  /** Number that is meant. */
  numberId: openedFor,
  phones: [] as Phone[],
  messages: new Map<string, Message[]>(),
  deliveries: [] as Delivery[],
  search: '',
  view: 'people' as 'people' | 'phone' | 'tools',
  dialog: undefined as Dialog | undefined,
  /** Problem with the dialog's input. */
  problem: '',
  notice: '',
  offline: false,
}

let draw = () => {}
let queued = false
/** Sets the function that draws the page, once. */
export const onChange = (render: () => void): void => {
  draw = render
}
/** Draws the page soon; several changes are drawn once. */
export function update(): void {
  if (queued) return
  queued = true
  requestAnimationFrame(() => {
    queued = false
    draw()
  })
}

export const chatKey = (numberId: string, customerId: string): string => `${numberId}/${customerId}`
export const numberInView = (): NumberInfo | undefined => state.world?.numbers.find(({ id }) => id === state.numberId)
export const personOf = (customerId: string): Customer | undefined =>
  state.world?.customers.find(({ id }) => id === customerId)
/** Returns the chat between the number in view and a customer. */
export const chatOf = (customerId: string): Chat | undefined =>
  state.world?.chats.find((chat) => chat.numberId === state.numberId && chat.customerId === customerId)
export const messagesOf = (customerId: string): readonly Message[] =>
  state.messages.get(chatKey(state.numberId, customerId)) ?? []

/** Calls the control API. Its refusals are shown to the person. */
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
  showNotice(answer.message ?? 'That did not work.')
  throw new Error(state.notice)
}

/** Shows a message until the person has read it. */
export function showNotice(notice: string): void {
  state.notice = notice
  update()
}

/** Reads numbers, people and settings again. */
export async function refresh(): Promise<void> {
  state.world = await call<World>('/state')
  const { numbers } = state.world
  if (!numbers.some(({ id }) => id === state.numberId)) state.numberId = numbers.at(-1)?.id ?? ''
  update()
}

/** Changes something by the control API and reads the result. */
export async function change(path: string, body: unknown, method?: string): Promise<void> {
  await call(path, body, method)
  await refresh()
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

/** Marks a chat in view as read; for people who never report reading, nothing is sent. */
export async function seen(customerId: string): Promise<void> {
  const person = personOf(customerId)
  const chat = chatOf(customerId)
  if (!person || document.visibilityState === 'hidden') return
  if (chat) chat.unread = 0
  if (person.reads !== 'never') await call('/read', { user_id: customerId, phone_number_id: state.numberId })
}

/** Opens a person's phone; a second one stands beside the first. */
export function showPhone(customerId: string, { beside = false } = {}): void {
  const phone: Phone = {
    customerId,
    draft: '',
    replyTo: undefined,
    editing: undefined,
    menu: undefined,
    recording: undefined,
    typingUntil: 0,
  }
  const open = state.phones.find((candidate) => candidate.customerId === customerId)
  if (!open) state.phones = beside && state.phones.length > 0 ? [...state.phones.slice(-1), phone] : [phone]
  state.view = 'phone'
  nameInAddress()
  void openChat(customerId)
}

export function closePhone(customerId: string): void {
  state.phones.find((phone) => phone.customerId === customerId)?.recording?.cancel()
  state.phones = state.phones.filter((phone) => phone.customerId !== customerId)
  if (state.phones.length === 0) state.view = 'people'
  nameInAddress()
}

function nameInAddress(): void {
  location.hash = state.phones.map((shown) => shown.customerId).join(',')
  update()
}
