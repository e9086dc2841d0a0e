import type { Message, MessageContent } from '@parley/contracts/inbox/messages'
import {
  activityOf,
  answerLines,
  authorOf,
  type Chat,
  type ChatEntry,
  cardLines,
  clockOf,
  headOf,
  mediaNames,
  orderLines,
  reactionsOf,
  remarksOf,
} from './chat.ts'

const byteOrderMark = '\uFEFF'
const leftToRight = '\u200E'
/** Keeps the direction of a name or text from turning the rest of its line. */
const isolated = (text: string) => `\u2068${text}\u2069`

/** Keeps what a customer wrote from passing for a message of its own: only one begins at the margin. */
const indented = (text: string) => text.replaceAll(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/g, '\n    ')

/**
 * A conversation as plain text, in the form of WhatsApp's own export: one line a message, `date, time - name: text`, and its
 * further lines indented. Begins with a byte order mark, so that every editor reads it as UTF-8.
 */
export async function* textChat(chat: Chat, entries: AsyncIterable<ChatEntry>): AsyncGenerator<string> {
  const { title, phone, written, limits } = headOf(chat)
  const head = [title, phone, written, 'Photos and other files are not in it.', limits].filter(Boolean)
  yield `${byteOrderMark}${head.join('\n')}\n\n`
  const clock = clockOf(chat.timeZone)
  for await (const entry of entries) {
    const { date, time } = clock(entry.message.sentAt)
    yield `${leftToRight}${date}, ${time} - ${indented(lineOf(chat, entry))}\n`
  }
}

function lineOf(chat: Chat, { message, answered }: ChatEntry): string {
  const { content, direction, deletedAt, cause } = message
  if (content.type === 'system') return activityOf(chat, { cause, content })
  const note = direction === 'note' ? ' (note)' : ''
  const quote = answered ? `(in answer to: ${isolated(answered.words)}) ` : ''
  const text = deletedAt ? 'This message was deleted' : textOf(content)
  return `${isolated(authorOf(chat, message) + note)}: ${quote}${isolated(text)}${behind(chat, message)}`
}

function behind(chat: Chat, message: Message): string {
  const remarks = remarksOf(message).map((remark) => ` (${remark})`)
  return [...remarks, ...reactionsOf(chat, message).map((reaction) => ` [${isolated(reaction)}]`)].join('')
}

function textOf(content: MessageContent): string {
  switch (content.type) {
    case 'text':
    case 'system':
      return content.text
    case 'template':
      return [content.text, ...cardLines(content).map((line) => `- ${line}`)].join('\n')
    case 'order':
      return ['Order:', ...orderLines(content).map((line) => `- ${line}`), content.text].filter(Boolean).join('\n')
    case 'interactive':
      if (content.answers) return [content.text, ...answerLines(content.answers).map((line) => `- ${line}`)].join('\n')
      return content.chosen === undefined
        ? [content.text, ...content.options.map(({ title }) => `- ${title}`)].join('\n')
        : [content.text, content.card && `card ${content.card}`, content.description].filter(Boolean).join(', ')
    case 'location':
      return ['Location:', content.name, content.address, `(${content.latitude}, ${content.longitude})`]
        .filter(Boolean)
        .join(' ')
    case 'contacts':
      return content.contacts
        .map(({ name, company, phones, emails = [] }) =>
          ['Contact:', name, company, ...phones, ...emails].filter(Boolean).join(' '),
        )
        .join('\n')
    case 'reaction':
      return `Reacted ${content.emoji}`
    case 'unsupported':
      return content.reason === 'too_large' ? '<file that is too large>' : '<message that cannot be shown>'
    case 'document':
      return [`<Document: ${content.fileName}>`, content.caption].filter(Boolean).join(' ')
    default:
      return [`<${mediaNames[content.type]}>`, content.caption].filter(Boolean).join(' ')
  }
}
