import { html, nothing, type TemplateResult } from 'lit-html'
import { buttonsOf, contentOf, summaryOf } from './content.ts'
import { openDialog } from './dialog.ts'
import { timeOf, wholeTimeOf } from './format.ts'
import { type IconName, icon } from './icons.ts'
import { type MenuItem, menuView, toggleMenu } from './menu.ts'
import { text } from './read.ts'
import { call, update } from './state.ts'
import type { Message, Phone } from './types.ts'

const ticks: Record<string, IconName> = {
  accepted: 'clock',
  sent: 'check',
  delivered: 'checks',
  read: 'checks',
  played: 'checks',
  failed: 'alert',
}
const emojis = ['👍', '❤️', '😂', '😮', '😢', '🙏']

/** One message in a phone, seen from the customer's side: what the customer wrote is on the right. */
export function bubble(
  message: Message,
  { phone, all, isFirst }: { phone: Phone; all: readonly Message[]; isFirst: boolean },
): TemplateResult {
  const isOwn = message.direction === 'inbound'
  const quoted = message.replyTo ? all.find(({ id }) => id === message.replyTo) : undefined
  const reactions = [message.reactions.customer, message.reactions.business].filter(Boolean)
  const open = phone.menu === message.id
  return html`<li class="line ${isOwn ? 'own' : 'theirs'} ${isFirst ? 'first' : ''} ${reactions.length > 0 ? 'reacted' : ''}">
    <div class="bubble ${message.type === 'sticker' && !message.revoked ? 'bare' : ''}">
      ${message.forwarded ? html`<span class="rider">${icon('forward', 16)} Forwarded</span>` : nothing}
      ${quoted && !message.revoked ? quoteOf(quoted) : nothing}
      ${message.revoked ? html`<p class="gone"><em>${isOwn ? 'You deleted this message' : 'This message was deleted'}</em></p>` : contentOf(message)}
      <span class="meta">
        ${message.edited && !message.revoked ? html`<span>Edited</span>` : nothing}
        <time title=${wholeTimeOf(message.at)}>${timeOf(message.at)}</time>
        ${isOwn && !message.revoked ? tickOf(message.status) : nothing}
      </span>
      ${message.error === null ? nothing : html`<span class="failed">${icon('alert', 16)} Did not arrive (${message.error})</span>`}
      ${buttonsOf(message)}
      ${reactions.length > 0 ? html`<span class="reactions" aria-label="Reactions">${reactions.join(' ')}</span>` : nothing}
      <button class="more" aria-label="Actions for this message" aria-haspopup="menu" aria-expanded=${open} @click=${() => toggleMenu(phone, message.id)}>${icon('down')}</button>
      ${open ? actionsOf(message, phone, isOwn) : nothing}
    </div>
  </li>`
}

const tickOf = (status: string) =>
  html`<span class="ticks ${status}" role="img" aria-label=${status} title=${status}>${icon(ticks[status] ?? 'check', 16)}</span>`

const quoteOf = (quoted: Message) => html`<blockquote class=${quoted.direction === 'inbound' ? 'own' : ''}>
  <strong>${quoted.direction === 'inbound' ? 'You' : 'Business'}</strong>${summaryOf(quoted).slice(0, 120)}
</blockquote>`

function actionsOf(message: Message, phone: Phone, isOwn: boolean): TemplateResult {
  const wamid = message.id
  const react = (emoji: string) => () => {
    phone.menu = undefined
    update()
    return call('/react', { wamid, emoji: message.reactions.customer === emoji ? '' : emoji })
  }
  const before = message.revoked
    ? undefined
    : html`<div class="emojis">${emojis.map(
        (emoji, index) =>
          html`<button role="menuitemcheckbox" aria-checked=${message.reactions.customer === emoji} aria-label=${`React with ${emoji}`} ?data-takes-focus=${index === 0} @click=${react(emoji)}>${emoji}</button>`,
      )}</div>`
  const items: MenuItem[] = message.revoked
    ? []
    : [{ label: 'Reply', icon: 'reply', run: () => answer(phone, message) }]
  if (isOwn && message.type === 'text' && !message.revoked)
    items.push({ label: 'Edit', icon: 'edit', run: () => edit(phone, message) })
  items.push({ label: 'Details', icon: 'list', run: () => details(message) })
  if (isOwn && !message.revoked)
    items.push({ label: 'Delete', icon: 'trash', isDangerous: true, run: () => remove(message) })
  return menuView(phone, { label: 'Actions for this message', items, ...(before && { before }) })
}

function answer(phone: Phone, message: Message): void {
  phone.editing = undefined
  phone.replyTo = message
  write(phone)
}

/** Puts a message back into the composer, where it was written. */
function edit(phone: Phone, message: Message): void {
  phone.replyTo = undefined
  phone.editing = message
  phone.draft = text(message.content['body'])
  write(phone)
}

function write(phone: Phone): void {
  update()
  requestAnimationFrame(() => {
    const selector = `[data-phone="${CSS.escape(phone.customerId)}"] .composer textarea`
    document.querySelector<HTMLTextAreaElement>(selector)?.focus()
  })
}

const remove = (message: Message) =>
  openDialog({
    title: 'Delete this message?',
    action: 'Delete for everyone',
    isDangerous: true,
    body: () => html`<p>“${summaryOf(message).slice(0, 120)}” is deleted for the business too.</p>`,
    run: () => call('/revoke', { wamid: message.id }),
  })

const details = (message: Message) =>
  openDialog({
    title: 'Details',
    body: () => html`<dl class="facts">
      <dt>Message id</dt><dd><code>${message.id}</code></dd>
      <dt>Type</dt><dd>${message.type}</dd>
      ${message.timeline.map(({ status, at }) => html`<dt>${status}</dt><dd>${wholeTimeOf(at)}</dd>`)}
      ${message.error === null ? nothing : html`<dt>Error</dt><dd>${message.error}</dd>`}
    </dl>
    <pre tabindex="0">${JSON.stringify(message.content, null, 2)}</pre>`,
  })
