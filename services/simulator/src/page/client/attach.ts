import { html, nothing, type TemplateResult } from 'lit-html'
import { contactDialog } from './contact-card.ts'
import { closeDialog, enteredIn, field, openDialog } from './dialog.ts'
import { locationDialog } from './location.ts'
import { type MenuItem, menuView } from './menu.ts'
import { kindOf, sendFile, sendVoice } from './sending.ts'
import { update } from './state.ts'
import type { Phone } from './types.ts'

const maximumFiles = 10

/** Returns the menu of what can be sent beside text. */
export function attachMenu(phone: Phone): TemplateResult {
  const items: readonly MenuItem[] = [
    {
      label: 'Photo or video',
      icon: 'image',
      run: () => pick('image/*,video/*', (files) => filesDialog(phone, files)),
    },
    { label: 'Document', icon: 'file', run: () => pick('', (files) => filesDialog(phone, files)) },
    { label: 'Audio file', icon: 'mic', run: () => pick('audio/*', (files) => filesDialog(phone, files)) },
    { label: 'Location', icon: 'place', run: () => locationDialog(phone) },
    { label: 'Contact', icon: 'person', run: () => contactDialog(phone) },
  ]
  return menuView(phone, { label: 'Attach', items })
}

/** Lets the person choose files, by the browser's own dialog. */
function pick(accept: string, chosen: (files: File[]) => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = accept
  input.multiple = true
  input.onchange = () => chosen([...(input.files ?? [])].slice(0, maximumFiles))
  input.click()
}

/** Shows what is about to be sent, with a caption. */
export function filesDialog(phone: Phone, files: readonly File[]): void {
  if (files.length === 0) return
  const addresses = files.map((file) => URL.createObjectURL(file))
  const captioned = files.some(({ type }) => !['audio', 'sticker'].includes(kindOf(type)))
  let caption = ''
  openDialog({
    title: files.length === 1 ? 'Send a file' : `Send ${files.length} files`,
    action: 'Send',
    body: () => html`<div class="previews">${files.map((file, index) => preview(file, addresses[index] ?? ''))}</div>
      ${
        captioned
          ? field(
              'Caption',
              html`<input autofocus maxlength="1024" placeholder="Nothing" @input=${(event: Event) => {
                caption = enteredIn(event)
              }} />`,
            )
          : nothing
      }`,
    run: async () => {
      for (const [index, file] of files.entries()) await sendFile(phone, file, index === 0 ? caption.trim() : '')
      for (const address of addresses) URL.revokeObjectURL(address)
    },
  })
}

function preview(file: File, address: string): TemplateResult {
  const kind = kindOf(file.type)
  const size = `${Math.max(1, Math.round(file.size / 1024)).toLocaleString()} KB`
  return html`<figure>
    ${
      kind === 'image' || kind === 'sticker'
        ? html`<img src=${address} alt="" />`
        : kind === 'video'
          ? html`<video src=${address} controls></video>`
          : kind === 'audio'
            ? html`<audio src=${address} controls></audio>`
            : nothing
    }
    <figcaption><span>${file.name}</span><small>${size}</small></figcaption>
  </figure>`
}

/** Says why no voice note can be recorded, and takes a file instead. */
export function voiceFileDialog(phone: Phone, reason: string): void {
  const choose = async (event: Event) => {
    const [file] = (event.target as HTMLInputElement).files ?? []
    if (!file) return
    closeDialog()
    if (file.type === 'audio/ogg') await sendVoice(phone, file)
    else await sendFile(phone, file)
  }
  openDialog({
    title: 'No voice note',
    body: () => html`<p>${reason}</p>
      ${field('Send an audio file instead', html`<input type="file" accept="audio/*" autofocus @change=${choose} />`, 'An Ogg file is sent as a voice note, any other as audio.')}`,
  })
  update()
}
