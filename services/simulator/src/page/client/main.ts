import { html, nothing, render } from 'lit-html'
import { peopleView } from './people.ts'
import { phoneView } from './phone.ts'
import {
  call,
  chatKey,
  type Delivery,
  type Message,
  onChange,
  openChat,
  refresh,
  seen,
  showPhone,
  state,
  update,
} from './state.ts'
import { toolsView } from './tools.ts'

type PageEvent =
  | { kind: 'message'; message: Message }
  | { kind: 'delivery'; delivery: Delivery }
  | { kind: 'typing'; numberId: string; customerId: string }
  | { kind: 'changed' }

const typingMs = 25_000
const root = document.querySelector('#app')

onChange(() => {
  if (!(root instanceof HTMLElement)) return
  const threads = [...document.querySelectorAll('.thread')]
  const atEnd = threads.map((thread) => thread.scrollHeight - thread.scrollTop - thread.clientHeight < 80)
  render(page(), root)
  for (const [index, thread] of [...document.querySelectorAll('.thread')].entries())
    if (atEnd[index] ?? true) thread.scrollTop = thread.scrollHeight
})

const page = () => html`<div class="page" data-view=${state.view}>
  ${state.offline ? html`<p class="notice" role="status">The simulator does not answer; trying again.</p>` : nothing}
  ${state.notice ? html`<p class="notice" role="alert">${state.notice} <button @click=${dismiss}>Close</button></p>` : nothing}
  ${peopleView()}
  <main class="table">
    ${
      state.phones.length === 0
        ? html`<div class="welcome"><h2>Choose a customer</h2><p>Pick somebody on the left, or add one, and write as they would.</p></div>`
        : state.phones.map(phoneView)
    }
  </main>
  ${toolsView()}
  <footer class="tabs">
    ${(['people', 'phone', 'tools'] as const).map((view) => html`<button aria-current=${state.view === view} @click=${() => look(view)}>${{ people: 'Customers', phone: 'Phone', tools: 'Tools' }[view]}</button>`)}
  </footer>
</div>`

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
    state.deliveries = [event.delivery, ...state.deliveries.filter(({ id }) => id !== event.delivery.id)].slice(0, 200)
  } else if (event.kind === 'typing') {
    const phone = state.phones.find(({ customerId }) => customerId === event.customerId)
    if (phone && event.numberId === state.numberId) phone.typingUntil = Date.now() + typingMs
    setTimeout(update, typingMs)
  } else void refresh()
  update()
}

async function keep(message: Message): Promise<void> {
  const key = chatKey(message.numberId, message.customerId)
  const known = state.messages.get(key) ?? []
  const index = known.findIndex(({ id }) => id === message.id)
  state.messages.set(key, index === -1 ? [...known, message] : known.with(index, message))
  if (!state.world?.customers.some(({ id }) => id === message.customerId)) await refresh()
  const chat = state.world?.chats.find(({ numberId, customerId }) => chatKey(numberId, customerId) === key)
  if (chat) chat.lastAt = Math.max(chat.lastAt, message.at)
  else
    state.world?.chats.push({
      numberId: message.numberId,
      customerId: message.customerId,
      lastAt: message.at,
      lastInboundAt: 0,
    })
  const phone = state.phones.find(({ customerId }) => customerId === message.customerId)
  if (phone && message.direction === 'outbound') phone.typingUntil = 0
  if (phone && message.status === 'delivered') await seen(message.customerId)
  update()
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

/** After a start or a break: everything that is in view, anew. */
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
update()
listen()
