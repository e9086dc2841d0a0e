import { html, type TemplateResult } from 'lit-html'
import { type IconName, icon } from './icons.ts'
import { text } from './read.ts'

type Content = Record<string, unknown>

/** Types of messages as people call them. */
export const kinds: Record<string, string> = {
  image: 'Photo',
  video: 'Video',
  audio: 'Audio',
  document: 'Document',
  sticker: 'Sticker',
  location: 'Location',
  contacts: 'Contact',
  order: 'Order',
  unsupported: 'Message that cannot be shown',
}

const sourceOf = (content: Content): string =>
  text(content['link']) || `/sim/media/${encodeURIComponent(text(content['id']))}`

/** A picture, film, sound or document, of a message or of a header. */
export function mediaOf(kind: string, content: Content): TemplateResult {
  const source = sourceOf(content)
  const missing = (event: Event) => (event.currentTarget as HTMLElement).closest('.media')?.classList.add('missing')
  const instead = (name: IconName) => html`<span class="instead">${icon(name, 28)}${kinds[kind] ?? kind}</span>`
  if (kind === 'image' || kind === 'sticker') {
    const alt = text(content['caption']) || (kinds[kind] ?? kind)
    return html`<a class="media ${kind}" href=${source} target="_blank" rel="noopener"><img alt=${alt} src=${source} @error=${missing} />${instead('image')}</a>`
  }
  if (kind === 'video')
    return html`<div class="media video"><video controls preload="metadata" src=${source} @error=${missing}></video>${instead('film')}</div>`
  if (kind === 'audio') {
    const isVoice = content['voice'] === true
    return html`<div class="sound">${icon('mic', 20)}<audio controls preload="metadata" aria-label=${isVoice ? 'Voice message' : 'Audio'} src=${source}></audio></div>`
  }
  const name = text(content['filename']) || 'Document'
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1] ?? 'file'
  return html`<a class="file" href=${source} target="_blank" rel="noopener">${icon('file', 28)}<span><strong>${name}</strong><small>${extension.toUpperCase()}</small></span></a>`
}
