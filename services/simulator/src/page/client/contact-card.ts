import { html } from 'lit-html'
import { enteredIn, field, openDialog, phoneProblem } from './dialog.ts'
import { phoneText } from './format.ts'
import { send } from './sending.ts'
import { state, update } from './state.ts'
import type { Phone } from './types.ts'

/** Opens the dialog in which a customer sends a contact card: another customer's, or anyone's. */
export function contactDialog(phone: Phone): void {
  const others = (state.world?.customers ?? []).filter(({ id, hidesPhone }) => id !== phone.customerId && !hidesPhone)
  const card = { name: 'Lucía Gómez', phone: '+34 600 000 000' }
  const choose = (event: Event) => {
    const other = others.find(({ id }) => id === enteredIn(event))
    if (!other) return
    card.name = other.name
    card.phone = phoneText(other.phone)
    update()
  }
  const typed = (name: keyof typeof card) => (event: Event) => {
    card[name] = enteredIn(event)
  }
  openDialog({
    title: 'Send a contact',
    action: 'Send',
    body: () => html`
      ${
        others.length === 0
          ? ''
          : field(
              'Customer to share',
              html`<select autofocus @change=${choose}>
              <option value="">Somebody else</option>
              ${others.slice(0, 100).map(({ id, name }) => html`<option value=${id}>${name}</option>`)}
            </select>`,
            )
      }
      ${field('Name', html`<input maxlength="100" .value=${card.name} @input=${typed('name')} />`)}
      ${field('Phone number', html`<input type="tel" .value=${card.phone} @input=${typed('phone')} />`)}`,
    run: () => {
      const name = card.name.trim()
      const [first = ''] = name.split(' ')
      if (!name) return 'Enter a name.'
      return (
        phoneProblem(card.phone) ??
        send(phone, 'contacts', [
          {
            name: { formatted_name: name, first_name: first },
            phones: [{ phone: card.phone, wa_id: card.phone.replace(/\D/g, ''), type: 'CELL' }],
          },
        ])
      )
    },
  })
}
