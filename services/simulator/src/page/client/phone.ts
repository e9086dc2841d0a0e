import { html, nothing, type TemplateResult } from 'lit-html'
import { live } from 'lit-html/directives/live.js'
import { repeat } from 'lit-html/directives/repeat.js'
import { bubble, summaryOf } from './bubble.ts'
import { dayOf, icon, initialOf, phoneText } from './format.ts'
import { type Customer, call, chatKey, closePhone, type Message, type Phone, refresh, state, update } from './state.ts'

/** One phone: whose it is, the chat with the business, and what can be sent. */
export function phoneView(phone: Phone): TemplateResult {
  const person = state.world?.customers.find(({ id }) => id === phone.customerId)
  if (!person) return html`<section class="phone"><p class="empty">This person is not known any more.</p></section>`
  const number = state.world?.numbers.find(({ id }) => id === state.numberId)
  const messages = state.messages.get(chatKey(state.numberId, phone.customerId)) ?? []
  const typing = phone.typingUntil > Date.now()
  const toggleSheet = (sheet: 'attach' | 'person') => () => {
    phone.sheet = phone.sheet === sheet ? undefined : sheet
    update()
  }
  return html`<section class="phone" aria-label=${`Phone of ${person.name}`}>
    <header class="owner">
      <span class="avatar c${person.colour}">${initialOf(person.name)}</span>
      <div><strong>${person.name}</strong><small>${person.hidesPhone ? `@${person.username ?? 'username'}` : phoneText(person.phone)}</small></div>
      <button aria-label="Settings of this person" aria-expanded=${phone.sheet === 'person'} @click=${toggleSheet('person')}>${icon('settings')}</button>
      <button aria-label="Put this phone away" @click=${() => closePhone(person.id)}>${icon('close')}</button>
    </header>
    ${phone.sheet === 'person' ? personSheet(person) : nothing}
    <header class="chat-head">
      <span class="avatar business">${initialOf(number?.verifiedName ?? '?')}</span>
      <div><strong>${number?.verifiedName ?? 'No business number'}</strong><small>${typing ? 'typing…' : 'Business account'}</small></div>
    </header>
    <ol class="thread" role="log" aria-label="Messages" tabindex="0">
      ${repeat(
        messages.filter(({ type }) => type !== 'reaction'),
        ({ id }) => id,
        (message, index) => html`${dayBreak(messages, index)}${bubble(message, phone, messages)}`,
      )}
      ${messages.length === 0 ? html`<li class="empty">Nothing written yet. Say hi below.</li>` : nothing}
    </ol>
    ${phone.replyTo ? replyBar(phone, phone.replyTo) : nothing}
    ${phone.sheet === 'attach' ? attachSheet(phone) : nothing}
    ${composer(phone, toggleSheet('attach'))}
  </section>`
}

function dayBreak(messages: readonly Message[], index: number): TemplateResult | typeof nothing {
  const message = messages[index]
  const before = messages[index - 1]
  if (!message || (before && dayOf(before.at) === dayOf(message.at))) return nothing
  return html`<li class="day">${dayOf(message.at)}</li>`
}

const replyBar = (phone: Phone, message: Message) => html`<div class="reply-bar">
  <span>Reply to: ${summaryOf(message).slice(0, 80)}</span>
  <button aria-label="Do not reply to it" @click=${() => {
    phone.replyTo = undefined
    update()
  }}>${icon('close')}</button>
</div>`

function composer(phone: Phone, toggleAttach: () => void): TemplateResult {
  const submit = (event: Event) => {
    event.preventDefault()
    void sendText(phone)
  }
  const input = (event: Event) => {
    phone.draft = (event.target as HTMLTextAreaElement).value
  }
  const keydown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) submit(event)
  }
  return html`<form class="composer" @submit=${submit}>
    <button type="button" aria-label="Attach" aria-expanded=${phone.sheet === 'attach'} @click=${toggleAttach}>${icon('plus')}</button>
    <textarea rows="1" placeholder="Message" aria-label="Message" .value=${live(phone.draft)} @input=${input} @keydown=${keydown}></textarea>
    <button type="submit" class="send" aria-label="Send">${icon('send')}</button>
  </form>`
}

async function sendText(phone: Phone): Promise<void> {
  const body = phone.draft.trim()
  if (!body) return
  const { replyTo } = phone
  phone.draft = ''
  phone.replyTo = undefined
  update()
  await send(phone, 'text', { body }, replyTo).catch(() => {
    phone.draft = body
    phone.replyTo = replyTo
    update()
  })
}

const send = (phone: Phone, type: string, content: unknown, replyTo = phone.replyTo) =>
  call('/inbound', {
    user_id: phone.customerId,
    phone_number_id: state.numberId,
    type,
    [type]: content,
    ...(replyTo && { reply_to: replyTo.id }),
  })

const kindOf = (type: string) =>
  type === 'image/webp' ? 'sticker' : (/^(image|video|audio)\//.exec(type)?.[1] ?? 'document')

function attachSheet(phone: Phone): TemplateResult {
  const close = () => {
    phone.sheet = undefined
    update()
  }
  const upload = async (event: Event) => {
    const files = [...((event.target as HTMLInputElement).files ?? [])]
    close()
    for (const file of files) await sendFile(phone, file)
  }
  const location = () => {
    close()
    return send(phone, 'location', {
      latitude: 19.076,
      longitude: 72.8777,
      name: 'Gateway of India',
      address: 'Mumbai',
    })
  }
  const contact = () => {
    close()
    const name = { formatted_name: 'Lucía Gómez', first_name: 'Lucía' }
    return send(phone, 'contacts', [
      { name, phones: [{ phone: '+34 600 000 000', wa_id: '34600000000', type: 'CELL' }] },
    ])
  }
  return html`<div class="sheet">
    <label class="choice">🖼 Photo, video or file<input type="file" multiple @change=${upload} /></label>
    <button @click=${location}>📍 Location</button>
    <button @click=${contact}>👤 Contact</button>
  </div>`
}

async function sendFile(phone: Phone, file: File): Promise<void> {
  const query = new URLSearchParams({ phone_number_id: state.numberId, name: file.name })
  const response = await fetch(`/sim/media?${query}`, {
    method: 'POST',
    headers: { 'content-type': file.type || 'application/octet-stream' },
    body: file,
  })
  const media = await response.json()
  const type = kindOf(file.type)
  await send(phone, type, { id: media.id, ...(type === 'document' && { filename: file.name }) })
}

function personSheet(person: Customer): TemplateResult {
  const number = state.world?.numbers.find(({ id }) => id === state.numberId)
  const change = (fields: object) => async () => {
    await call(`/customers/${encodeURIComponent(person.id)}`, fields, 'PATCH')
    await refresh()
  }
  const stopped = number !== undefined && person.stopped.includes(number.accountId)
  const prefer = async () => {
    await call('/preference', {
      user_id: person.id,
      phone_number_id: state.numberId,
      value: stopped ? 'resume' : 'stop',
    })
    await refresh()
  }
  const move = async () => {
    const to = prompt('New phone number, with country code', phoneText(person.phone))
    if (!to) return
    await call('/change-number', { user_id: person.id, to })
    await refresh()
  }
  const named = async () => {
    const name = prompt('Name shown to businesses', person.name)
    if (name) await change({ name })()
  }
  const username = async () => {
    const name = person.hidesPhone ? null : prompt('Username, without @', 'anonymous.customer')
    if (name !== '') await change({ username: name, hidesPhone: name !== null })()
  }
  return html`<div class="sheet person">
    <button aria-pressed=${!person.online} @click=${change({ online: !person.online })}>${person.online ? 'Switch the phone off' : 'Switch the phone on'}</button>
    <button aria-pressed=${person.reads === 'never'} @click=${change({ reads: person.reads === 'never' ? 'opened' : 'never' })}>Read receipts: ${person.reads === 'never' ? 'off' : 'on'}</button>
    <button aria-pressed=${stopped} @click=${prefer}>${stopped ? 'Resume offers' : 'Stop offers'}</button>
    <button aria-pressed=${person.blocks.includes(state.numberId)} @click=${change({ blocks: person.blocks.includes(state.numberId) ? [] : [state.numberId] })}>${person.blocks.includes(state.numberId) ? 'Unblock the business' : 'Block the business'}</button>
    <button @click=${named}>Rename</button>
    <button @click=${move}>Change the number</button>
    <button aria-pressed=${person.hidesPhone} @click=${username}>${person.hidesPhone ? 'Show the number again' : 'Use a username instead of the number'}</button>
  </div>`
}
