import { html, nothing, type TemplateResult } from 'lit-html'
import { icon, marked, timeOf } from './format.ts'
import { call, type Message, type Phone, type ShownTemplate, update } from './state.ts'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const list = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value : [])
const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const ticks: Record<string, string> = {
  accepted: '🕓',
  sent: '✓',
  delivered: '✓✓',
  read: '✓✓',
  played: '✓✓',
  failed: '!',
}

/** What a message says in one line: for quotes and the list of chats. */
export function summaryOf({ type, content, shown, revoked }: Message): string {
  if (revoked) return 'This message was deleted'
  if (type === 'text') return text(content['body'])
  if (shown) return shown.body
  if (type === 'interactive') return text(record(content['body'])['text']) || text(pressedOf(content)['title'])
  if (type === 'button') return text(content['text'])
  return text(content['caption']) || type.charAt(0).toUpperCase() + type.slice(1)
}

const pressedOf = (content: Record<string, unknown>) => record(content['button_reply'] ?? content['list_reply'])

/** One message in a phone, seen from the customer's side: what the customer wrote is on the right. */
export function bubble(message: Message, phone: Phone, all: readonly Message[]): TemplateResult {
  const own = message.direction === 'inbound'
  const quoted = message.replyTo ? all.find(({ id }) => id === message.replyTo) : undefined
  const reactions = [message.reactions.customer, message.reactions.business].filter(Boolean)
  const open = phone.menuFor === message.id
  const toggle = () => {
    phone.menuFor = open ? undefined : message.id
    update()
  }
  return html`<li class="line ${own ? 'own' : 'theirs'}">
    <div class="bubble ${reactions.length > 0 ? 'reacted' : ''}">
      ${quoted ? html`<div class="quote">${summaryOf(quoted).slice(0, 120)}</div>` : nothing}
      ${message.revoked ? html`<em class="gone">This message was deleted</em>` : contentOf(message)}
      <span class="meta">
        ${message.edited ? 'Edited ' : ''}${timeOf(message.at)}
        ${own ? html`<span class="ticks ${message.status}" title=${message.status}>${ticks[message.status] ?? ''}</span>` : nothing}
        ${message.error === null ? nothing : html`<span class="failed">failed ${message.error}</span>`}
      </span>
      <button class="more" aria-label="Actions for this message" aria-expanded=${open} @click=${toggle}>${icon('more')}</button>
      ${reactions.length > 0 ? html`<span class="reactions">${reactions.join(' ')}</span>` : nothing}
    </div>
    ${open ? actions(message, phone, own) : nothing}
  </li>`
}

function actions(message: Message, phone: Phone, own: boolean): TemplateResult {
  const wamid = message.id
  const done = (action: () => unknown) => async () => {
    phone.menuFor = undefined
    update()
    await action()
  }
  const reply = done(() => {
    phone.replyTo = message
    update()
  })
  const edit = done(() => {
    const body = prompt('Change the message to', text(message.content['body']))
    return body ? call('/edit', { wamid, body }) : undefined
  })
  return html`<div class="actions" role="group" aria-label="Actions">
    ${['👍', '❤️', '😂', '🙏', ''].map(
      (emoji) =>
        html`<button @click=${done(() => call('/react', { wamid, emoji }))}>${emoji || 'No reaction'}</button>`,
    )}
    <button @click=${reply}>Reply</button>
    ${own && message.type === 'text' ? html`<button @click=${edit}>Edit</button>` : nothing}
    ${own ? html`<button @click=${done(() => call('/revoke', { wamid }))}>Delete for everyone</button>` : nothing}
  </div>`
}

function contentOf(message: Message): TemplateResult {
  const { type, content, shown } = message
  if (shown) return templateOf(message, shown)
  switch (type) {
    case 'text':
      return html`<p>${marked(text(content['body']))}</p>`
    case 'image':
    case 'sticker':
      return html`<img class=${type} alt=${text(content['caption']) || type} src=${sourceOf(content)} />${captionOf(content)}`
    case 'video':
      return html`<video controls src=${sourceOf(content)}></video>${captionOf(content)}`
    case 'audio':
      return html`<audio controls src=${sourceOf(content)}></audio>`
    case 'document':
      return html`<a class="file" href=${sourceOf(content)} target="_blank">📄 ${text(content['filename']) || 'Document'}</a>${captionOf(content)}`
    case 'location':
      return html`<p class="place">📍 <strong>${text(content['name']) || 'Location'}</strong><br />${text(content['address'])}<br /><small>${String(content['latitude'])}, ${String(content['longitude'])}</small></p>`
    case 'contacts':
      return html`${list(content).map(
        (contact) =>
          html`<p class="card">👤 ${text(record(contact['name'])['formatted_name'])}<br /><small>${list(
            contact['phones'],
          )
            .map(({ phone }) => text(phone))
            .join(', ')}</small></p>`,
      )}`
    case 'interactive':
      return interactiveOf(message)
    case 'button':
      return html`<p>${text(content['text'])}</p>`
    case 'reaction':
      return html`<p>${text(content['emoji']) || 'took a reaction back'}</p>`
    default:
      return html`<p class="gone">${type}</p>`
  }
}

const sourceOf = (content: Record<string, unknown>): string =>
  text(content['link']) || `/sim/media/${encodeURIComponent(text(content['id']))}`
const captionOf = (content: Record<string, unknown>) => {
  const caption = text(content['caption'])
  return caption ? html`<p>${marked(caption)}</p>` : nothing
}

function interactiveOf({ id, content }: Message): TemplateResult {
  const pressed = text(pressedOf(content)['title'])
  if (pressed) return html`<p>${pressed}</p>`
  const action = record(content['action'])
  const rows = list(action['sections']).flatMap((section) => list(section['rows']))
  const link = record(action['parameters'])
  const press = (named: unknown) => () => call('/press', { wamid: id, button: text(named) })
  return html`
    ${headerOf(record(content['header']))}
    <p>${marked(text(record(content['body'])['text']))}</p>
    ${footerOf(text(record(content['footer'])['text']))}
    <div class="buttons">
      ${list(action['buttons']).map((button) => {
        const reply = record(button['reply'])
        return html`<button @click=${press(reply['id'])}>↩ ${text(reply['title'])}</button>`
      })}
      ${
        rows.length > 0
          ? html`<details><summary>☰ ${text(action['button'])}</summary>${rows.map((row) => html`<button @click=${press(row['id'])}>${text(row['title'])}<small>${text(row['description'])}</small></button>`)}</details>`
          : nothing
      }
      ${link['url'] ? html`<a href=${text(link['url'])} target="_blank" rel="noopener">↗ ${text(link['display_text'])}</a>` : nothing}
    </div>`
}

const headerOf = (header: Record<string, unknown>) => {
  const kind = text(header['type'])
  if (kind === 'text') return html`<p><strong>${text(header['text'])}</strong></p>`
  return kind ? html`<img class="image" alt=${kind} src=${sourceOf(record(header[kind]))} />` : nothing
}
const footerOf = (footer: string) => (footer ? html`<p class="footer">${footer}</p>` : nothing)

function templateOf({ id }: Message, { header, body, footer, buttons }: ShownTemplate): TemplateResult {
  return html`
    ${header?.text ? html`<p><strong>${header.text}</strong></p>` : nothing}
    ${header?.media ? html`<img class="image" alt=${header.format} src=${sourceOf(header.media as Record<string, unknown>)} />` : nothing}
    <p>${marked(body)}</p>
    ${footerOf(footer ?? '')}
    <div class="buttons">
      ${buttons.map(({ type, text: label, url, payload }) =>
        url
          ? html`<a href=${url} target="_blank" rel="noopener">↗ ${label}</a>`
          : html`<button ?disabled=${type !== 'QUICK_REPLY'} @click=${() => call('/press', { wamid: id, button: payload ?? label })}>↩ ${label}</button>`,
      )}
    </div>`
}
