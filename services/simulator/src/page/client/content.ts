import { html, nothing, type TemplateResult } from 'lit-html'
import { marked } from './format.ts'
import { icon } from './icons.ts'
import { cardsOf, interactiveButtons, interactiveOf, pressedOf, templateButtons, templateOf } from './interactive.ts'
import { kinds, mediaOf } from './media.ts'
import { list, record, text } from './read.ts'
import { showNotice } from './state.ts'
import type { Message } from './types.ts'

type Content = Record<string, unknown>

/** Returns a message in one line, for quotes and the list of chats. */
export function summaryOf({ type, content, shown, revoked }: Message): string {
  if (revoked) return 'Message deleted'
  if (type === 'text') return text(content['body'])
  if (shown) return shown.body
  if (type === 'interactive')
    return text(record(content['body'])['text']) || pressedOf(content) || 'Interactive message'
  if (type === 'button') return text(content['text'])
  if (type === 'contacts') return text(record(list(content)[0]?.['name'])['formatted_name']) || 'Contact'
  if (type === 'audio' && content['voice'] === true) return 'Voice message'
  return text(content['caption']) || text(content['filename']) || text(content['name']) || (kinds[type] ?? type)
}

/** Returns the content of a message's bubble. */
export function contentOf(message: Message): TemplateResult {
  const { type, content, shown } = message
  if (shown) return templateOf(shown)
  switch (type) {
    case 'text':
      return html`<p>${marked(text(content['body']))}</p>`
    case 'image':
    case 'sticker':
    case 'video':
    case 'audio':
    case 'document':
      return html`${mediaOf(type, content)}${captionOf(content)}`
    case 'location':
      return placeOf(content)
    case 'contacts':
      return html`${list(content).map(cardOf)}`
    case 'interactive':
      return interactiveOf(message)
    case 'button':
      return html`<p>${text(content['text'])}</p>`
    case 'order':
      return html`<p>${list(content['product_items']).length} products ordered</p>
        <small class="form">${list(content['product_items'])
          .map((item) => text(item['product_retailer_id']))
          .join(', ')}</small>`
    default:
      return html`<p class="gone">${kinds[type] ?? type}</p>`
  }
}

const captionOf = (content: Content) => {
  const caption = text(content['caption'])
  return caption ? html`<p>${marked(caption)}</p>` : nothing
}

/** Returns the buttons below a message. */
export function buttonsOf(message: Message): TemplateResult | typeof nothing {
  const { type, content, shown, revoked } = message
  const buttons = revoked
    ? []
    : shown
      ? templateButtons(message, shown)
      : type === 'interactive'
        ? interactiveButtons(message)
        : type === 'contacts'
          ? list(content).map(copyNumber)
          : []
  if (!revoked && shown?.cards) return cardsOf(message, shown.cards)
  return buttons.length > 0 ? html`<div class="buttons">${buttons}</div>` : nothing
}

function copyNumber(contact: Content): TemplateResult {
  const copy = async () => {
    await navigator.clipboard?.writeText(text(list(contact['phones'])[0]?.['phone']))
    showNotice('The number is copied.')
  }
  return html`<button @click=${copy}>${icon('copy', 18)} Copy number</button>`
}

function placeOf(content: Content): TemplateResult {
  const at = `${String(content['latitude'])}, ${String(content['longitude'])}`
  return html`<div class="place">
    <div class="map">${icon('place', 32)}</div>
    <strong>${text(content['name']) || 'Location'}</strong>
    ${text(content['address']) ? html`<small>${text(content['address'])}</small>` : nothing}
    <small>${at}</small>
  </div>`
}

function cardOf(contact: Content): TemplateResult {
  const numbers = list(contact['phones']).map(({ phone }) => text(phone))
  return html`<div class="card">
    <span class="avatar">${icon('person', 22)}</span>
    <span><strong>${text(record(contact['name'])['formatted_name'])}</strong><small>${numbers.join(', ')}</small></span>
  </div>`
}
