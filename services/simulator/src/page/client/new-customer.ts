import { html } from 'lit-html'
import { enteredIn, field, openDialog, phoneProblem, usernameOf, usernameProblem } from './dialog.ts'
import { phoneText } from './format.ts'
import { call, refresh, showPhone, state, update } from './state.ts'
import type { Customer } from './types.ts'

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

/** Asks for the person who is to have a phone. Suggests a number that no one has. */
export function newCustomerDialog(): void {
  const known = state.world?.customers ?? []
  const person = {
    name: names.find((name) => known.every((one) => one.name !== name)) ?? `Customer ${known.length + 1}`,
    phone: phoneText(freeNumber(known)),
    username: '',
  }
  let hasUsername = false
  const typed = (name: keyof typeof person) => (event: Event) => {
    person[name] = enteredIn(event)
  }
  const switchUsername = () => {
    hasUsername = !hasUsername
    person.username ||= usernameOf(person.name)

    update()
  }

  openDialog({
    title: 'New customer',
    action: 'Add customer',
    body: () => html`
      ${field('Name', html`<input autofocus maxlength="120" .value=${person.name} @input=${typed('name')} />`)}
      ${field('Phone number', html`<input type="tel" .value=${person.phone} @input=${typed('phone')} />`, 'With its country code. The last six digits can stand for a fault, such as 131026 for “not delivered”.')}
      <label class="switch"><input type="checkbox" .checked=${hasUsername} @change=${switchUsername} /><span>Shows a username instead of the number</span></label>
      ${hasUsername ? field('Username', html`<input maxlength="35" .value=${person.username} @input=${typed('username')} />`, 'The business never learns the number.') : ''}`,
    run: () => {
      const name = person.name.trim()
      const username = person.username.trim().replace(/^@/, '')
      const digits = person.phone.replace(/\D/g, '')
      const same = known.find(({ phone }) => phone === digits)
      if (!name) return 'Enter a name.'
      if (same) return `That number belongs to ${same.name}.`
      const problem = phoneProblem(person.phone) ?? (hasUsername ? usernameProblem(username) : undefined)
      return problem ?? add({ phone: digits, name, ...(hasUsername && { username, hidesPhone: true }) })
    },
  })
}

async function add(person: object): Promise<void> {
  const { id } = await call<Customer>('/customers', { ...person, reads: 'opened' })
  await refresh()
  showPhone(id)
}

function freeNumber(known: readonly Customer[]): string {
  const used = new Set(known.map(({ phone }) => phone))
  for (;;) {
    const phone = `9198${String(10_000_000 + Math.floor(Math.random() * 9e7))}`
    if (!used.has(phone)) return phone
  }
}
