import { html, svg, type TemplateResult } from 'lit-html'

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' })
export const timeOf = (at: number): string => clock.format(at)
export const dayOf = (at: number): string => day.format(at)
export const phoneText = (digits: string): string => `+${digits}`
export const initialOf = (name: string): string => (name.match(/[\p{L}\p{N}]/u)?.[0] ?? '?').toUpperCase()

const marks = /(https?:\/\/[^\s<]+)|\*([^*\n]+)\*|_([^_\n]+)_|~([^~\n]+)~|```([^`]+)```/g

/** WhatsApp's own marks as a phone shows them: bold, italic, struck, monospace, links. */
export function marked(text: string): (string | TemplateResult)[] {
  const pieces: (string | TemplateResult)[] = []
  let end = 0
  for (const match of text.matchAll(marks)) {
    pieces.push(text.slice(end, match.index))
    end = match.index + match[0].length
    const [whole, link, bold, italic, struck, code] = match
    if (link) pieces.push(html`<a href=${link} target="_blank" rel="noopener noreferrer">${link}</a>`)
    else if (bold) pieces.push(html`<strong>${bold}</strong>`)
    else if (italic) pieces.push(html`<em>${italic}</em>`)
    else if (struck) pieces.push(html`<s>${struck}</s>`)
    else if (code) pieces.push(html`<code>${code}</code>`)
    else pieces.push(whole)
  }
  pieces.push(text.slice(end))
  return pieces
}

/** Paths of 16 × 16 px, drawn with a stroke. */
const paths = {
  settings:
    'M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M3.4 12.6l1.4-1.4M11.2 4.8l1.4-1.4',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  plus: 'M8 2.5v11M2.5 8h11',
  send: 'M2 3l12 5-12 5 2-5zM4 8h5',
  beside: 'M1.5 3.5h5v9h-5zM9.5 3.5h5v9h-5z',
  more: 'M4 6l4 4 4-4',
} as const

/** An icon; what it means stands in the name of its button. */
export const icon = (name: keyof typeof paths): TemplateResult =>
  html`<svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">${svg`<path d=${paths[name]} />`}</svg>`
