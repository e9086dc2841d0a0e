import { html, nothing, type TemplateResult } from 'lit-html'
import { repeat } from 'lit-html/directives/repeat.js'
import { bubble } from './bubble.ts'
import { composer } from './composer.ts'
import { dayOf, initialOf, phoneText, spanOf, timeOf } from './format.ts'
import { icon } from './icons.ts'
import { toggleMenu } from './menu.ts'
import { personMenu } from './person-menu.ts'
import { chatOf, closePhone, messagesOf, numberInView, personOf, state, update } from './state.ts'
import type { Customer, Message, NumberInfo, Phone } from './types.ts'

const windowMs = 24 * 3600_000
/** Milliseconds within which successive messages of one side form one group. */
const groupMs = 5 * 60_000

/** Draws one phone: its owner, the chat with the business, and the input. */
export function phoneView(phone: Phone): TemplateResult {
  const person = personOf(phone.customerId)
  if (!person) return html`<section class="place-of-phone"><p class="empty">This person no longer exists.</p></section>`
  return html`<section class="place-of-phone" aria-label=${`Phone of ${person.name}`} data-phone=${person.id}>
    ${ownerView(phone, person)}
    <div class="phone ${person.online ? '' : 'off'}">
      ${businessView(phone, person, numberInView())}
      ${threadView(phone)}
      ${composer(phone)}
    </div>
  </section>`
}

function ownerView(phone: Phone, person: Customer): TemplateResult {
  const open = phone.menu === 'person'
  const back = () => {
    state.view = 'people'
    update()
  }
  return html`<header class="owner">
    <button class="quiet back" aria-label="All customers" @click=${back}>${icon('back')}</button>
    <span class="avatar c${person.colour}">${initialOf(person.name)}</span>
    <div class="names">
      <strong>${person.name}</strong>
      <small>${person.hidesPhone ? `@${person.username ?? 'username'}` : phoneText(person.phone)}</small>
    </div>
    ${windowView(person)}
    <div class="anchor">
      <button class="quiet" aria-label=${`Settings of ${person.name}`} title="Settings of this person" aria-haspopup="menu" aria-expanded=${open} @click=${() => toggleMenu(phone, 'person')}>${icon('dots', 22)}</button>
      ${open ? personMenu(phone, person) : nothing}
    </div>
    <button class="quiet" aria-label=${`Close the phone of ${person.name}`} title="Close this phone" @click=${() => closePhone(person.id)}>${icon('close')}</button>
  </header>`
}

/** Shows whether the business may write freely, which is for a day after each message of the customer. */
function windowView({ id }: Customer): TemplateResult {
  const now = state.world?.now ?? Date.now()
  const chat = chatOf(id)
  const until = Math.max((chat?.lastInboundAt ?? 0) + windowMs, chat?.freeEntryUntil ?? 0)
  return until > now
    ? html`<span class="pill good" title=${`The business may write freely until ${timeOf(until)}`}>Window ${spanOf(until - now)}</span>`
    : html`<span class="pill" title="The business can send templates only">Window closed</span>`
}

function businessView(phone: Phone, person: Customer, number: NumberInfo | undefined): TemplateResult {
  const typing = phone.typingUntil > Date.now()
  return html`<header class="business">
    <span class="avatar">${initialOf(number?.verifiedName ?? '?')}</span>
    <div class="names">
      <strong>${number?.verifiedName ?? 'No business number'}</strong>
      <small class=${typing ? 'typing' : ''}>${typing ? 'typing…' : 'Business account'}</small>
    </div>
    ${windowView(person)}
  </header>`
}

function threadView(phone: Phone): TemplateResult {
  const all = messagesOf(phone.customerId)
  const shown = all.filter(({ type }) => type !== 'reaction')
  const person = personOf(phone.customerId)
  return html`<div class="thread" role="log" aria-label="Messages" tabindex="0"><ol>
    ${shown.length === 0 ? html`<li class="hello">Nothing written yet. Say hello as ${person?.name}.</li>` : nothing}
    ${repeat(
      shown,
      ({ id }) => id,
      (message, index) =>
        html`${dayBreak(shown, index)}${bubble(message, { phone, all, isFirst: beginsGroup(message, shown[index - 1]) })}`,
    )}
    ${phone.typingUntil > Date.now() ? html`<li class="line theirs first"><div class="bubble dots" role="status" aria-label="The business is typing"><i></i><i></i><i></i></div></li>` : nothing}
    ${person && !person.online ? html`<li class="day">The phone is off</li>` : nothing}
  </ol></div>`
}

const beginsGroup = (message: Message, before: Message | undefined): boolean =>
  before?.direction !== message.direction || message.at - before.at > groupMs

function dayBreak(messages: readonly Message[], index: number): TemplateResult | typeof nothing {
  const message = messages[index]
  const before = messages[index - 1]
  const now = state.world?.now ?? Date.now()
  if (!message || (before && dayOf(before.at, now) === dayOf(message.at, now))) return nothing
  return html`<li class="day">${dayOf(message.at, now)}</li>`
}
