import { html, type TemplateResult } from 'lit-html'

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' })
const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const dayMs = 24 * 3600_000

export const timeOf = (at: number): string => clock.format(at)
export const wholeTimeOf = (at: number): string => whole.format(at)

/** Formats the day of a message: today and yesterday by name. */
export function dayOf(at: number, now: number): string {
  if (day.format(at) === day.format(now)) return 'Today'
  return day.format(at) === day.format(now - dayMs) ? 'Yesterday' : day.format(at)
}
/** Formats the time of a moment today, else its date. */
export const shortTimeOf = (at: number, now: number): string =>
  day.format(at) === day.format(now) ? clock.format(at) : date.format(at)

/** Formats seconds as minutes and seconds. */
export const lengthOf = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`

/** Formats a duration in its largest unit: `23 h`, `40 min`. */
export function spanOf(ms: number): string {
  if (ms >= 2 * dayMs) return `${Math.floor(ms / dayMs)} days`
  return ms >= 3600_000 ? `${Math.floor(ms / 3600_000)} h` : `${Math.max(1, Math.floor(ms / 60_000))} min`
}

const groups = /^(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d+)$/
/** Formats a phone number in readable groups. */
export function phoneText(digits: string): string {
  const [, code = '', national = digits] = groups.exec(digits) ?? []
  return `+${code} ${national.replace(/(\d{2,4})(?=(\d{4})+$)/g, '$1 ')}`.replace('+ ', '+')
}
export const initialOf = (name: string): string => (name.match(/[\p{L}\p{N}]/u)?.[0] ?? '?').toUpperCase()

const marks = /(https?:\/\/[^\s<]+)|\*([^*\n]+)\*|_([^_\n]+)_|~([^~\n]+)~|```([^`]+)```/g

/** Formats WhatsApp's markup as a phone shows it: bold, italic, struck, monospace, links. */
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
