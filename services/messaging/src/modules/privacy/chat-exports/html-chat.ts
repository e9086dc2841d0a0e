import { chatLimits } from '@parley/contracts/contacts/contact-jobs'
import type { Message } from '@parley/contracts/inbox/messages'
import { activityOf, authorOf, type Chat, type ChatEntry, clockOf, headOf, reactionsOf, remarksOf } from './chat.ts'
import type { ChatMedia } from './chat-media.ts'
import { contentOf } from './html-content.ts'
import { pageEnd, pageStart } from './html-page.ts'
import { escaped } from './html-text.ts'

/** A conversation as a page that needs nothing but the files of its messages, which it adds to `media`. */
export async function* htmlChat(
  chat: Chat,
  entries: AsyncIterable<ChatEntry>,
  media: ChatMedia,
): AsyncGenerator<string> {
  const { title, phone, written, limits } = headOf(chat)
  yield pageStart(title)
  const lines = [phone, written, limits].filter(Boolean).map((line) => `<p dir="auto">${escaped(line)}</p>\n`)
  yield `<header>\n<h1 dir="auto">${escaped(title)}</h1>\n${lines.join('')}</header>\n`
  const clock = clockOf(chat.timeZone)
  const dayFormat = new Intl.DateTimeFormat('en-GB', { timeZone: chat.timeZone, dateStyle: 'full' })
  let day = ''
  let count = 0
  for await (const entry of entries) {
    const at = clock(entry.message.sentAt)
    if (at.date !== day) {
      const heading = escaped(dayFormat.format(new Date(entry.message.sentAt)))
      yield `${day === '' ? '' : '</ol>\n'}<h2><time datetime="${at.date}">${heading}</time></h2>\n<ol>\n`
      day = at.date
    }
    count += 1
    yield await itemOf(chat, entry, { time: at.time, media })
  }
  const number = (value: number) => value.toLocaleString('en-US')
  const most = `${number(chatLimits.files)} files and ${chatLimits.fileBytes / 1_000_000} MB`
  const foot = [
    `Messages and activities: ${number(count)}. Files: ${number(media.files.length)}.`,
    ...(media.leftOut() > 0 ? [`Files left out: ${number(media.leftOut())}. An export holds at most ${most}.`] : []),
  ]
  yield `${day === '' ? '' : '</ol>\n'}<footer>${foot.map((line) => `<p>${line}</p>`).join('')}</footer>\n${pageEnd}`
}

async function itemOf(
  chat: Chat,
  { message, answered }: ChatEntry,
  { time, media }: { time: string; media: ChatMedia },
): Promise<string> {
  const { id, content, direction, sentAt, deletedAt, cause } = message
  const at = `<time datetime="${escaped(sentAt)}">${time}</time>`
  if (content.type === 'system')
    return `<li class="activity" id="${idOf(id)}"><bdi>${escaped(activityOf(chat, { cause, content }))}</bdi> · ${at}</li>\n`
  const note = direction === 'note' ? '<p class="kind">Note for the team</p>' : ''
  const shown = deletedAt ? '<p class="absent">This message was deleted</p>' : await contentOf(content, media)
  const foot = [at, ...footOf(message).map(escaped)].join(' · ')
  const reactions = reactionsOf(chat, message).map((one) => `<bdi>${escaped(one)}</bdi>`)
  return [
    `<li class="message ${direction}" id="${idOf(id)}">`,
    `<p class="who" dir="auto">${escaped(authorOf(chat, message))}</p>${note}`,
    answered ? quoteOf(answered) : '',
    `${shown}<p class="foot">${foot}</p>`,
    reactions.length > 0 ? `<p class="reactions">Reactions: ${reactions.join(', ')}</p>` : '',
    '</li>\n',
  ].join('')
}

const idOf = (id: string): string => `m-${escaped(id)}`

function quoteOf({ who, words, id }: NonNullable<ChatEntry['answered']>): string {
  const inside = `<span class="kind">In answer to </span>${who && `<bdi>${escaped(who)}</bdi>: `}<bdi>${escaped(words)}</bdi>`
  return id === undefined ? `<p class="quote">${inside}</p>` : `<a class="quote" href="#${idOf(id)}">${inside}</a>`
}

/** Returns the status of an outbound message, and other remarks on it. */
function footOf(message: Message): string[] {
  const { direction, status } = message
  const remarks = remarksOf(message)
  return direction === 'outbound' && status && remarks.length === 0 ? [status, ...remarks] : remarks
}
