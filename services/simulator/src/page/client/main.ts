import { html, nothing, render } from 'lit-html'
import { dialogView } from './dialog.ts'
import { icon } from './icons.ts'
import { closeMenus } from './menu.ts'
import { peopleView } from './people.ts'
import { phoneView } from './phone.ts'
import { call, chatKey, onChange, openChat, refresh, seen, showPhone, state, update } from './state.ts'
import { toolsView } from './tools.ts'
import type { Delivery, Message } from './types.ts'

type PageEvent =
  | { kind: 'message'; message: Message }
  | { kind: 'delivery'; delivery: Delivery }
  | { kind: 'typing'; numberId: string; customerId: string }
  | { kind: 'changed' }

const typingMs = 25_000
const clockMs = 30_000
/** Types that do not open the window. */
const silentTypes = new Set(['reaction', 'system', 'unsupported'])
const tabs = [
  { view: 'people', label: 'Customers', icon: 'people' },
  { view: 'phone', label: 'Phone', icon: 'phone' },
  { view: 'tools', label: 'Tools', icon: 'tools' },
] as const
const root = document.querySelector('#app')
/** Shows the chat of a customer in view who has just written. */
let hasWritten = false

onChange(() => {
  if (!(root instanceof HTMLElement)) return
  const threads = [...document.querySelectorAll('.thread')]
  const atEnd = new Map(threads.map((one) => [one, one.scrollHeight - one.scrollTop - one.clientHeight < 80]))
  render(page(), root)
  for (const thread of document.querySelectorAll('.thread'))
    if (hasWritten || (atEnd.get(thread) ?? true)) thread.scrollTop = thread.scrollHeight
  hasWritten = false
  const dialog = document.querySelector('dialog')
  if (dialog && !dialog.open) dialog.showModal()
  for (const element of document.querySelectorAll<HTMLElement>('[data-takes-focus]')) {
    element.removeAttribute('data-takes-focus')
    element.focus()
    element.closest('.menu')?.scrollIntoView({ block: 'nearest' })
  }
})

const page = () => html`<main class="page" data-view=${state.view}>
  <h1 class="unseen">Phones of customers</h1>
  ${state.offline ? html`<p class="notice" role="status">The simulator does not answer; trying again.</p>` : nothing}
  ${state.notice ? html`<p class="notice" role="alert">${state.notice}<button class="quiet" aria-label="Close" @click=${dismiss}>${icon('close', 18)}</button></p>` : nothing}
  ${peopleView()}
  <div class="table">
    ${
      state.phones.length === 0
        ? html`<div class="welcome">${icon('phone', 56)}<h2>Choose a customer</h2><p>Write as they would. The business sees it in Parley and answers from there.</p></div>`
        : state.phones.map(phoneView)
    }
  </div>
  ${toolsView()}
  <nav class="tabs" aria-label="Parts of the page">
    ${tabs.map(({ view, label, icon: name }) => html`<button aria-current=${state.view === view} @click=${() => look(view)}>${icon(name, 22)}${label}</button>`)}
  </nav>
  ${dialogView()}
</main>`

const dismiss = () => {
  state.notice = ''
  update()
}
const look = (view: typeof state.view) => {
  state.view = view
  update()
}

function receive(event: PageEvent): void {
  if (event.kind === 'message') void keep(event.message)
  else if (event.kind === 'delivery') {
    state.deliveries = [event.delivery, ...state.deliveries.filter(({ id }) => id !== event.delivery.id)]
      .toSorted((left, right) => right.createdAt - left.createdAt)
      .slice(0, 200)
  } else if (event.kind === 'typing') {
    const phone = state.phones.find(({ customerId }) => customerId === event.customerId)
    if (phone && event.numberId === state.numberId) phone.typingUntil = Date.now() + typingMs
    setTimeout(update, typingMs)
  } else void refresh()
  update()
}

async function keep(message: Message): Promise<void> {
  const { numberId, customerId } = message
  const key = chatKey(numberId, customerId)
  const known = state.messages.get(key) ?? []
  const index = known.findIndex(({ id }) => id === message.id)
  const isOpen = numberId === state.numberId && state.phones.some((phone) => phone.customerId === customerId)
  if (isOpen) state.messages.set(key, index === -1 ? [...known, message] : known.with(index, message))
  else state.messages.delete(key)
  if (!state.world?.customers.some(({ id }) => id === customerId)) await refresh()
  putChat(message, isOpen)
  const phone = isOpen ? state.phones.find((candidate) => candidate.customerId === customerId) : undefined
  if (phone && message.direction === 'outbound' && index === -1) phone.typingUntil = 0
  if (phone && message.direction === 'inbound' && index === -1) hasWritten = true
  if (phone && message.direction === 'outbound' && message.status === 'delivered') await seen(customerId)
  update()
}

/** Updates the row of the chat, without reading everything again. */
function putChat(message: Message, isOpen: boolean): void {
  const { numberId, customerId, at } = message
  const found = state.world?.chats.find((one) => one.numberId === numberId && one.customerId === customerId)
  const empty = { numberId, customerId, lastAt: 0, lastInboundAt: 0, freeEntryUntil: 0, last: null, unread: 0 }
  const chat = found ?? empty
  if (!found) state.world?.chats.push(chat)
  if (message.type !== 'reaction' && (at >= chat.lastAt || chat.last?.id === message.id)) chat.last = message
  chat.lastAt = Math.max(chat.lastAt, at)
  if (message.direction === 'inbound' && !silentTypes.has(message.type))
    chat.lastInboundAt = Math.max(chat.lastInboundAt, at)
  if (!isOpen && message.direction === 'outbound' && message.status === 'delivered') chat.unread += 1
}

function listen(): void {
  const source = new EventSource('/sim/stream')
  source.onopen = () => {
    state.offline = false
    void readAll()
  }
  source.onerror = () => {
    state.offline = true
    update()
  }
  source.onmessage = ({ data }) => receive(JSON.parse(data))
}

/** Reads everything in view again, after a start or an interruption. */
async function readAll(): Promise<void> {
  await refresh()
  state.deliveries = (await call<{ items: Delivery[] }>('/deliveries')).items
  for (const id of location.hash.slice(1).split(',').filter(Boolean).slice(0, 2))
    if (state.world?.customers.some((customer) => customer.id === id)) showPhone(id, { beside: true })
  for (const { customerId } of state.phones) await openChat(customerId)
  update()
}

document.addEventListener('visibilitychange', () => {
  for (const { customerId } of state.phones) void seen(customerId)
})
document.addEventListener('pointerdown', ({ target }) => {
  if (!(target instanceof Element) || !target.closest('.menu, [aria-haspopup="menu"]')) closeMenus()
})
// The clock of the page, and the rest of a window, advance while nothing happens.
setInterval(() => {
  if (state.world) state.world.now += clockMs
  update()
}, clockMs)
update()
listen()
