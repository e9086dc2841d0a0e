import { html, nothing, type TemplateResult } from 'lit-html'
import { summaryOf } from './content.ts'
import { initialOf, phoneText, shortTimeOf } from './format.ts'
import { icon } from './icons.ts'
import { newCustomerDialog } from './new-customer.ts'
import { closePhone, messagesOf, numberInView, openedFor, showPhone, state, update } from './state.ts'
import type { Chat, Customer, Message, NumberInfo } from './types.ts'

const shownAtOnce = 200

/** List of customers, the latest writers first, with a button to add one. */
export function peopleView(): TemplateResult {
  const { world, search } = state
  if (!world) return html`<nav class="people" aria-label="Customers"><p class="empty" role="status">Loading…</p></nav>`
  const chats = new Map(
    world.chats.filter(({ numberId }) => numberId === state.numberId).map((chat) => [chat.customerId, chat]),
  )
  const wanted = search.toLowerCase().trim()
  const digits = wanted.replace(/\D/g, '')
  const people = world.customers
    .filter(({ name, phone }) => name.toLowerCase().includes(wanted) || (digits !== '' && phone.includes(digits)))
    .sort((left, right) => (chats.get(right.id)?.lastAt ?? 0) - (chats.get(left.id)?.lastAt ?? 0))
  const type = (event: Event) => {
    state.search = (event.target as HTMLInputElement).value
    update()
  }
  return html`<nav class="people" aria-label="Customers">
    <header>
      <h2>Phones</h2>
      <button class="primary" @click=${newCustomerDialog}>${icon('plus', 18)} New customer</button>
    </header>
    ${numberView()}
    <div class="search">
      ${icon('search', 18)}
      <input type="search" placeholder="Search name or number" aria-label="Search customers" .value=${search} @input=${type} />
    </div>
    <ul>
      ${people.slice(0, shownAtOnce).map((person) => row(person, chats.get(person.id)))}
    </ul>
    ${people.length > shownAtOnce ? html`<p class="hint">${people.length - shownAtOnce} more; search to find them.</p>` : nothing}
    ${people.length === 0 ? html`<p class="empty">${search ? 'Nobody is called that.' : 'No customers yet. Add one and write as they would.'}</p>` : nothing}
  </nav>`
}

/** The business that the customers write to. */
function numberView(): TemplateResult {
  const numbers = state.world?.numbers ?? []
  const number = numberInView()
  if (!number)
    return html`<p class="empty">No business number yet. Connect a simulated number in Parley under WhatsApp Numbers; it appears here at once.</p>`
  const choose = (event: Event) => {
    for (const { customerId } of state.phones) closePhone(customerId)
    state.numberId = (event.target as HTMLSelectElement).value
    state.view = 'people'
    update()
  }
  // Numbers of one workspace share an account: those of the one that has opened the page stand first.
  const opener = numbers.find(({ id }) => id === openedFor) ?? number
  const [own, others] = [true, false].map((isOwn) =>
    numbers.filter(({ accountId }) => (accountId === opener.accountId) === isOwn),
  )
  const options = (of: readonly NumberInfo[] = []) =>
    of.map(
      ({ id, verifiedName, displayNumber }) =>
        html`<option value=${id} ?selected=${id === state.numberId}>${verifiedName} · ${phoneText(displayNumber)}</option>`,
    )
  return html`<label class="number">
    <span>Customers write to</span>
    <select @change=${choose}>
      ${
        others?.length
          ? html`<optgroup label="This workspace">${options(own)}</optgroup>
      <optgroup label="Other workspaces">${options(others)}</optgroup>`
          : options(numbers)
      }
    </select>
  </label>`
}

function row(person: Customer, chat: Chat | undefined): TemplateResult {
  const shown = state.phones.some(({ customerId }) => customerId === person.id)
  const last = messagesOf(person.id).findLast(({ type }) => type !== 'reaction') ?? chat?.last
  const now = state.world?.now ?? Date.now()
  const unread = shown ? 0 : (chat?.unread ?? 0)
  return html`<li class=${shown ? 'active' : ''}>
    <button class="person" aria-current=${shown} @click=${() => showPhone(person.id)}>
      <span class="avatar c${person.colour}">${initialOf(person.name)}</span>
      <span class="names"><strong>${person.name}</strong><small>${last ? lineOf(last) : person.hidesPhone ? `@${person.username ?? ''}` : phoneText(person.phone)}</small></span>
      <span class="side"><time>${chat?.lastAt ? shortTimeOf(chat.lastAt, now) : ''}</time>${unread > 0 ? html`<span class="count" aria-label=${`${unread} not read`}>${unread}</span>` : nothing}</span>
    </button>
    ${
      state.phones.length > 0 && !shown
        ? html`<button class="quiet beside" title="Open beside the other phone" aria-label=${`Open the phone of ${person.name} beside the other`} @click=${() => showPhone(person.id, { beside: true })}>${icon('beside')}</button>`
        : nothing
    }
  </li>`
}

const lineOf = (last: Message): string =>
  `${last.direction === 'inbound' && !last.revoked ? 'You: ' : ''}${summaryOf(last).replaceAll(/[*_~`]/g, '')}`
