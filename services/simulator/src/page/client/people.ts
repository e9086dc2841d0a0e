import { html, nothing, type TemplateResult } from 'lit-html'
import { summaryOf } from './bubble.ts'
import { icon, initialOf, phoneText, timeOf } from './format.ts'
import { type Customer, call, chatKey, refresh, showPhone, state, update } from './state.ts'

const names = [
  'Asha Rao',
  'Bruno Lima',
  'Chen Wei',
  'Dina Haddad',
  'Emeka Obi',
  'Fatima Noor',
  'Grace Kim',
  'Hugo Marín',
]

/** The customers, those who wrote last first, and a way to add one. */
export function peopleView(): TemplateResult {
  const { world, search } = state
  if (!world) return html`<nav class="people"><p class="empty">Loading…</p></nav>`
  const lastAt = new Map(
    world.chats.filter(({ numberId }) => numberId === state.numberId).map((chat) => [chat.customerId, chat.lastAt]),
  )
  const wanted = search.toLowerCase().replace(/^\+/, '')
  const people = world.customers
    .filter(({ name, phone }) => name.toLowerCase().includes(wanted) || phone.includes(wanted))
    .sort((left, right) => (lastAt.get(right.id) ?? 0) - (lastAt.get(left.id) ?? 0))
  const type = (event: Event) => {
    state.search = (event.target as HTMLInputElement).value
    update()
  }
  const choose = (event: Event) => {
    state.numberId = (event.target as HTMLSelectElement).value
    state.phones = []
    update()
  }
  return html`<nav class="people" aria-label="Customers">
    <h1>Phones</h1>
    <p class="hint">Write as a customer; the business sees it in Parley.</p>
    <label class="field">Business number
      <select @change=${choose}>
        ${world.numbers.map(({ id, verifiedName, displayNumber }) => html`<option value=${id} ?selected=${id === state.numberId}>${verifiedName} · ${phoneText(displayNumber)}</option>`)}
      </select>
    </label>
    ${world.numbers.length === 0 ? html`<p class="empty">No business number yet. Connect a simulated number in Parley under WhatsApp Numbers; it appears here at once.</p>` : nothing}
    <div class="row">
      <input type="search" placeholder="Search name or number" aria-label="Search customers" .value=${search} @input=${type} />
      <button class="primary" @click=${add}>New customer</button>
    </div>
    <ul>
      ${people.slice(0, 200).map((person) => row(person, lastAt.get(person.id)))}
    </ul>
    ${people.length === 0 ? html`<p class="empty">${search ? 'Nobody is called that.' : 'No customers yet.'}</p>` : nothing}
  </nav>`
}

function row(person: Customer, at: number | undefined): TemplateResult {
  const shown = state.phones.some(({ customerId }) => customerId === person.id)
  const last = state.messages.get(chatKey(state.numberId, person.id))?.at(-1)
  return html`<li class=${shown ? 'active' : ''}>
    <button class="person" aria-current=${shown} @click=${() => showPhone(person.id)}>
      <span class="avatar c${person.colour}">${initialOf(person.name)}</span>
      <span class="names"><strong>${person.name}</strong><small>${last ? summaryOf(last) : phoneText(person.phone)}</small></span>
      <time>${at ? timeOf(at) : ''}</time>
    </button>
    <button class="beside" title="Put this phone beside the other" aria-label=${`Put the phone of ${person.name} beside the other`} @click=${() => showPhone(person.id, { beside: true })}>${icon('beside')}</button>
  </li>`
}

async function add(): Promise<void> {
  const count = state.world?.customers.length ?? 0
  const name = names[count % names.length] ?? 'Customer'
  const phone = `9198${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`
  const person = await call<Customer>('/customers', { phone, name, reads: 'opened' })
  await refresh()
  showPhone(person.id)
}
