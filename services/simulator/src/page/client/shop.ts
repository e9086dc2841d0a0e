import { html } from 'lit-html'
import { enteredIn, field, openDialog } from './dialog.ts'
import { list, record, text } from './read.ts'
import { send } from './sending.ts'
import { state, update } from './state.ts'
import type { Message } from './types.ts'

/** Lets a customer order products of a message, or of the catalogue, whose products the simulator does not know. */
export function shopDialog(message: Message, title: string, action: Record<string, unknown>): void {
  const phone = state.phones.find(({ customerId }) => customerId === message.customerId)
  if (!phone) return
  const sections = list(action['sections']).map((section) => ({
    title: text(section['title']),
    products: list(section['product_items']).map((item) => text(item['product_retailer_id'])),
  }))
  const chosen = new Set<string>()
  let typed = text(action['thumbnail_product_retailer_id'])
  const toggle = (id: string) => () => {
    if (!chosen.delete(id)) chosen.add(id)
    update()
  }
  openDialog({
    title,
    action: 'Order',
    body: () => html`
      ${sections.map(
        (section) => html`<h3>${section.title}</h3>
        ${section.products.map(
          (id) => html`<label class="choice">
          <input type="checkbox" .checked=${chosen.has(id)} @change=${toggle(id)} />
          <span><strong>${id}</strong></span>
        </label>`,
        )}`,
      )}
      ${
        sections.length === 0
          ? html`<p class="hint">Products of a catalogue are not simulated. Enter the content ID of the one to order.</p>
            ${field(
              'Product',
              html`<input maxlength="100" .value=${typed} @input=${(event: Event) => {
                typed = enteredIn(event).trim()
              }} />`,
            )}`
          : ''
      }`,
    run: () => {
      const products = sections.length > 0 ? [...chosen] : [typed].filter(Boolean)
      if (products.length === 0) return 'Choose a product.'
      const items = products.map((product_retailer_id) => ({
        product_retailer_id,
        quantity: 1,
        item_price: 100,
        currency: 'INR',
      }))
      return send(phone, 'order', { catalog_id: 'simulated', text: '', product_items: items }, message)
    },
  })
}

/** Returns the content ID of the product whose picture stands above a message. */
export const shownProduct = (action: unknown): string => text(record(action)['thumbnail_product_retailer_id'])
