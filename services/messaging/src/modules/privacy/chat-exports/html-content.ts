import type { MessageContent } from '@parley/contracts/inbox/messages'
import { parsePhone } from '@parley/phone'
import { answerLines, cardLines, type MediaMessage, mediaNames, orderLines } from './chat.ts'
import type { ChatFile, ChatMedia } from './chat-media.ts'
import { escaped, formatted } from './html-text.ts'

/** Renders a message's content, as the thread shows it. */
export async function contentOf(content: MessageContent, media: ChatMedia): Promise<string> {
  switch (content.type) {
    case 'text':
    case 'system':
      return textOf(content.text)
    case 'template':
      return kindOf(`Template · ${content.name}`) + textOf(content.text) + listOf(cardLines(content))
    case 'location':
      return locationOf(content)
    case 'contacts':
      return content.contacts
        .map(({ name, company, phones, emails = [] }) => {
          const numbers = phones.map((phone) => parsePhone(phone)?.international ?? phone)
          const words = [name, company, ...numbers, ...emails].filter(Boolean).join(', ')
          return `${kindOf('Contact')}<p dir="auto">${escaped(words)}</p>`
        })
        .join('')
    case 'order':
      return `${kindOf('Order')}${listOf(orderLines(content))}${content.text ? textOf(content.text) : ''}`
    case 'interactive': {
      if (content.answers) return kindOf('Answered a form') + listOf(answerLines(content.answers))
      if (content.chosen !== undefined)
        return (
          kindOf(content.card === undefined ? 'Chose an option' : `Chose an option on card ${content.card}`) +
          textOf([content.text, content.description].filter(Boolean).join('\n'))
        )
      return textOf(content.text) + listOf(content.options.map(({ title }) => title))
    }
    case 'reaction':
      return `<p class="absent">Reacted ${escaped(content.emoji)} to an earlier message</p>`
    case 'unsupported':
      return content.reason === 'too_large'
        ? '<p class="absent">A file that is too large for WhatsApp to pass on.</p>'
        : '<p class="absent">This kind of message cannot be shown.</p>'
    default:
      return mediaOf(content, await media.add(content))
  }
}

const textOf = (text: string): string => `<p class="text" dir="auto">${formatted(text)}</p>`
const listOf = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `<ul>${lines.map((line) => `<li dir="auto">${escaped(line)}</li>`).join('')}</ul>`
const kindOf = (text: string): string => `<p class="kind" dir="auto">${escaped(text)}</p>`

function locationOf({ latitude, longitude, name, address }: Extract<MessageContent, { type: 'location' }>): string {
  const coordinates = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`
  const url = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`
  const words = [name, address, coordinates].filter(Boolean).join(', ')
  return `${kindOf('Location')}<p dir="auto"><a href="${escaped(url)}" target="_blank" rel="noreferrer noopener">${escaped(words)}</a></p>`
}

function mediaOf(content: MediaMessage, file: ChatFile | string): string {
  const caption = content.caption ? `<figcaption>${textOf(content.caption)}</figcaption>` : ''
  const name = content.type === 'document' ? `Document ${content.fileName}` : mediaNames[content.type]
  if (typeof file === 'string')
    return `<figure><p class="absent" dir="auto">${escaped(`${name}: ${file}`)}</p>${caption}</figure>`
  return `<figure>${shown(content, file)}${caption}</figure>`
}

/** Renders a file by what it is, not by what the message says of it. */
function shown(content: MediaMessage, { name, type }: ChatFile): string {
  const path = `media/${encodeURIComponent(name)}`
  const isDocument = content.type === 'document'
  const label = escaped(isDocument ? content.fileName : mediaNames[content.type])
  // A drawing is shown, where nothing in it runs; opened by itself it could run scripts.
  if (type === 'image/svg+xml') return `<img src="${path}" alt="${label}" loading="lazy">`
  if (!isDocument && type.startsWith('image/'))
    return `<a href="${path}"><img src="${path}" alt="${escaped(content.caption ?? mediaNames[content.type])}" loading="lazy"></a>`
  if (!isDocument && type.startsWith('video/'))
    return `<video src="${path}" controls preload="metadata" aria-label="${label}"></video>`
  if (!isDocument && type.startsWith('audio/'))
    return `<audio src="${path}" controls preload="none" aria-label="${label}"></audio>`
  return `<p dir="auto"><a href="${path}" download>${label}</a></p>`
}
