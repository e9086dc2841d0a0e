import { classifyError } from '../../whatsapp/error-classes.ts'
import type { InboundMessage } from '../../whatsapp/inbound-message.ts'
import type { NewEntry } from '../consent/consent.service.ts'
import type { Spoken } from '../consent/customer-commands.ts'
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
