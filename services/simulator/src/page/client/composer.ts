import { html, nothing, type TemplateResult } from 'lit-html'
import { live } from 'lit-html/directives/live.js'
import { attachMenu, filesDialog, voiceFileDialog } from './attach.ts'
import { summaryOf } from './content.ts'
import { lengthOf } from './format.ts'
import { icon } from './icons.ts'
import { toggleMenu } from './menu.ts'
import { send, sendVoice } from './sending.ts'
import { call, showNotice, update } from './state.ts'
import type { Phone, Recording } from './types.ts'
import { record } from './voice.ts'

const maxMs = 10 * 60_000

/** Returns the area in which a customer writes, chooses and speaks. */
export function composer(phone: Phone): TemplateResult {
  if (phone.recording) return recorder(phone, phone.recording)
  const { replyTo, editing } = phone
  const submit = (event: Event) => {
    event.preventDefault()
    void sendText(phone)
  }
  const input = (event: Event) => {
    phone.draft = (event.target as HTMLTextAreaElement).value
    update()
  }
  const keydown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) submit(event)
    else if (event.key === 'Escape' && (replyTo || editing)) leave(phone)
  }
  const paste = (event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    if (files.length === 0) return
    event.preventDefault()
    filesDialog(phone, files)
  }
  const isOpen = phone.menu === 'attach'
  return html`
    ${replyTo || editing ? bar(phone) : nothing}
    <form class="composer" @submit=${submit}>
      <div class="anchor">
        <button type="button" class="round" aria-label="Attach" aria-haspopup="menu" aria-expanded=${isOpen} @click=${() => toggleMenu(phone, 'attach')}>${icon('plus', 24)}</button>
        ${isOpen ? attachMenu(phone) : nothing}
      </div>
      <textarea rows="1" maxlength="4096" placeholder="Message" aria-label="Message" .value=${live(phone.draft)} @input=${input} @keydown=${keydown} @paste=${paste}></textarea>
      ${
        phone.draft.trim() || editing
          ? html`<button type="submit" class="round send" aria-label=${editing ? 'Save the change' : 'Send'}>${icon(editing ? 'check' : 'send', 22)}</button>`
          : html`<button type="button" class="round send" aria-label="Record a voice note" @click=${() => speak(phone)}>${icon('mic', 22)}</button>`
      }
    </form>`
}

function bar(phone: Phone): TemplateResult {
  const about = phone.editing ?? phone.replyTo
  return html`<div class="bar">
    <blockquote><strong>${phone.editing ? 'Edit message' : `Reply to ${about?.direction === 'inbound' ? 'yourself' : 'the business'}`}</strong>${about ? summaryOf(about).slice(0, 80) : ''}</blockquote>
    <button class="quiet" aria-label=${phone.editing ? 'Do not edit it' : 'Do not reply to it'} @click=${() => leave(phone)}>${icon('close')}</button>
  </div>`
}

function leave(phone: Phone): void {
  if (phone.editing) phone.draft = ''
  phone.editing = undefined
  phone.replyTo = undefined
  update()
}

async function sendText(phone: Phone): Promise<void> {
  const body = phone.draft.trim()
  const { replyTo, editing } = phone
  if (!body) return
  leave(phone)
  phone.draft = ''
  const sent = editing ? call('/edit', { wamid: editing.id, body }) : send(phone, 'text', { body }, replyTo)
  await sent.catch(() => {
    Object.assign(phone, { draft: body, replyTo, editing })
    update()
  })
}

async function speak(phone: Phone): Promise<void> {
  const recording = await record()
  if (typeof recording === 'string') return voiceFileDialog(phone, recording)
  phone.recording = recording
  const tick = setInterval(() => {
    if (phone.recording !== recording) return clearInterval(tick)
    if (Date.now() - recording.startedAt > maxMs) void finish(phone, recording)
    update()
  }, 500)
  update()
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.recorder .send')?.focus())
}

function recorder(phone: Phone, recording: Recording): TemplateResult {
  const cancel = () => {
    recording.cancel()
    phone.recording = undefined
    update()
  }
  return html`<div class="composer recorder" role="group" aria-label="Voice note">
    <button class="round" aria-label="Discard the recording" @click=${cancel}>${icon('trash', 22)}</button>
    <span class="running"><i></i>Recording <time>${lengthOf((Date.now() - recording.startedAt) / 1000)}</time></span>
    <button class="round send" aria-label="Send the voice note" @click=${() => finish(phone, recording)}>${icon('send', 22)}</button>
  </div>`
}

async function finish(phone: Phone, recording: Recording): Promise<void> {
  phone.recording = undefined
  update()
  try {
    await sendVoice(phone, await recording.finish())
  } catch (error) {
    showNotice(error instanceof Error ? error.message : 'The voice note could not be sent.')
  }
}
