import { classifyError } from '../../whatsapp/error-classes.ts'
import type { InboundMessage } from '../../whatsapp/inbound-message.ts'
import type { Written } from '../campaigns/answers.ts'
import type { NewEntry } from '../consent/consent.service.ts'
import type { Command, Spoken } from '../consent/customer-commands.ts'
import type { NewMessage } from '../messages/messages.service.ts'
import type { Refused } from './decide.ts'
import type { Piece } from './pieces.ts'

/** What customers have written or chosen themselves: a command may be among it. */
export const spokenIn = (pieces: readonly Piece[]): Spoken[] =>
  pieces.flatMap((piece) => {
    if (piece.kind !== 'message' || piece.direction !== 'inbound') return []
    const { contactId, conversationId, message } = piece
    const texts = textsOf(message.content)
    return texts.length > 0
      ? [{ contactId, conversationId, waMessageId: message.waMessageId, texts, at: message.at }]
      : []
  })

function textsOf(content: InboundMessage['content']): string[] {
  if (content.type === 'text') return [content.value.body]
  if (content.type === 'button') return [content.value.text, content.value.payload ?? '']
  if (content.type !== 'interactive') return []
  const chosen = content.value.button_reply ?? content.value.list_reply
  return chosen ? [chosen.title, chosen.id] : []
}

/** What customers have written, as campaigns count it. What was stored before has been counted. */
export function writtenIn(
  pieces: readonly Piece[],
  inserts: readonly NewMessage[],
  commands: readonly Command[],
): Written[] {
  const stored = new Map(inserts.map((message) => [message.waMessageId, message]))
  const stops = new Set(commands.flatMap(({ command, waMessageId }) => (command === 'start' ? [] : waMessageId)))
  return pieces.flatMap((piece) => {
    if (piece.kind !== 'message' || piece.direction !== 'inbound') return []
    const { waMessageId, at, content } = piece.message
    const message = stored.get(waMessageId)
    if (!message || content.type === 'system') return []
    const { conversationId, replyTo } = message
    return [{ conversationId, at, replyTo, isPress: content.type === 'button', isStop: stops.has(waMessageId) }]
  })
}

/** WhatsApp refuses marketing to whoever has stopped it there. */
export const stopsIn = (refused: readonly Refused[]): NewEntry[] =>
  refused.flatMap(({ contactId, messageId, code, reason, at }) =>
    classifyError(code).class === 'opted_out'
      ? [
          {
            ...{ contactId, category: 'marketing' as const, value: 'out' as const, source: 'platform_error' as const },
            note: `${code}: ${reason}`.slice(0, 500),
            at,
            key: `refused:${messageId}:${at.toISOString()}`,
          },
        ]
      : [],
  )
