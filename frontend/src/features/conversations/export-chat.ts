import type { Message, MessageContent } from '@parley/contracts/messages'

const byteOrderMark = '\uFEFF'
const leftToRight = '\u200E'
/** Keeps the direction of a name or text from turning the rest of its line. */
const isolated = (text: string) => `\u2068${text}\u2069`

/**
 * A conversation as plain text, in the form of WhatsApp's own export: one line a message, `date, time - name: text`. Times are
 * of `timeZone`. Begins with a byte order mark, so that every editor reads it as UTF-8.
 */
export function exportedChat(
  messages: readonly Message[],
  { contactName, ownName, timeZone }: { contactName: string; ownName: string; timeZone: string },
): string {
  const time = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
    hourCycle: 'h23',
  })
  const who = { inbound: contactName, outbound: ownName, note: `${ownName} (note)` } as const
  const lines = messages.map(({ sentAt, direction, content, status }) => {
    const start = `${leftToRight}${time.format(new Date(sentAt))} - `
    if (content.type === 'system') return `${start}${content.text}`
    const failed = status === 'failed' ? ' (not delivered)' : ''
    return `${start}${isolated(who[direction])}: ${isolated(exportedText(content))}${failed}`
  })
  return `${byteOrderMark}${lines.join('\n')}\n`
}

function exportedText(content: MessageContent): string {
  switch (content.type) {
    case 'text':
    case 'template':
    case 'system':
      return content.text
    case 'interactive':
      return content.chosen === undefined
        ? [content.text, ...content.options.map(({ title }) => `- ${title}`)].join('\n')
        : content.text
    case 'document':
      return `<${content.fileName}>`
    case 'location':
      return ['Location:', content.name, content.address, `(${content.latitude}, ${content.longitude})`]
        .filter(Boolean)
        .join(' ')
    case 'contacts':
      return content.contacts.map(({ name, phones }) => `Contact: ${[name, ...phones].join(' ')}`).join('\n')
    case 'reaction':
      return `Reacted ${content.emoji}`
    case 'unsupported':
      return '<message that cannot be shown>'
    default:
      return ['<media omitted>', content.caption].filter(Boolean).join(' ')
  }
}

/** A file name that every system takes: no separators, control or direction marks, no reserved name, not too long. */
export function exportFileName(contactName: string): string {
  const safe = contactName
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[\s.]+|[\s.]+$/g, '')
  const short = [...safe].slice(0, 50).join('').trim()
  return `WhatsApp chat with ${short || 'contact'}.txt`
}
