import type { Said } from '@parley/contracts/platform/event-snapshots'
import { classifyError } from '../../whatsapp/error-classes.ts'
import type { InboundMessage } from '../../whatsapp/inbound-message.ts'
import type { Written } from '../campaigns/tracking/answers.ts'
import type { NewEntry } from '../contacts/consent/consent.service.ts'
import type { Command, Spoken } from '../contacts/consent/customer-commands.ts'
import type { MessageRecord, NewMessage } from '../inbox/messages/messages.service.ts'
import type { Edited, Refused } from './decide.ts'
import type { AppliedItem } from './webhook-items.ts'

/** Returns what customers have written or chosen themselves, which may contain a command. */
export const spokenIn = (pieces: readonly AppliedItem[]): Spoken[] =>
  pieces.flatMap((piece) => {
    if (piece.kind !== 'message' || piece.direction !== 'inbound') return []
    const { contactId, conversationId, message } = piece
    const said = saidIn(message.content)
    return said ? [{ contactId, conversationId, waMessageId: message.waMessageId, ...said, at: message.at }] : []
  })

function saidIn(content: InboundMessage['content']): Pick<Spoken, 'texts' | 'isPressed'> | undefined {
  switch (content.type) {
    case 'text':
      return written(content.value.body)
    case 'image':
    case 'video':
    case 'document':
      return written(content.value.caption)
    case 'button':
      return { texts: [content.value.text ?? '', content.value.payload ?? ''], isPressed: true }
    case 'interactive': {
      const chosen = content.value.button_reply ?? content.value.list_reply
      return chosen && { texts: [chosen.title ?? '', chosen.id ?? ''], isPressed: true }
    }
    default:
      return undefined
  }
}

const written = (text: unknown) => (typeof text === 'string' ? { texts: [text], isPressed: false } : undefined)

/** Returns the edited texts of customers: each counts as written again, at the time of the edit. */
export const spokenByEdits = (edited: readonly Edited[]): Spoken[] =>
  edited.flatMap(({ content, waMessageId, at, ...whose }) => {
    const said = written(content['text'] ?? content['caption'])
    return said ? [{ ...whose, waMessageId: `${waMessageId}:${at.getTime()}`, ...said, at }] : []
  })

/** Returns what customers have written, as campaigns count it. Messages stored before have been counted. */
export function writtenIn(
  pieces: readonly AppliedItem[],
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
    return [
      {
        messageId: message.id,
        conversationId,
        at,
        replyTo,
        isPress: content.type === 'button',
        isStop: stops.has(waMessageId),
      },
    ]
  })
}

/** Returns opt-outs of customers to whom WhatsApp refuses marketing because they stopped it there. */
export const stopsIn = (refused: readonly Refused[]): NewEntry[] =>
  refused.flatMap(({ contactId, messageId, code, reason, at }) =>
    classifyError(code).class === 'opted_out'
      ? [
          {
            contactId,
            category: 'marketing' as const,
            value: 'out' as const,
            source: 'platform_error' as const,
            note: `${code}: ${reason}`.slice(0, 500),
            at,
            key: `refused:${messageId}:${at.toISOString()}`,
          },
        ]
      : [],
  )

/** Returns what a message comes to: a choice about consent, an answer to a campaign. */
export function meaningOf(asked: readonly Command[], answers: ReadonlyMap<string, string>) {
  const commands = new Map(asked.map(({ waMessageId, command }) => [waMessageId, command]))
  return ({ id, waMessageId = '' }: MessageRecord): Pick<Said, 'command' | 'campaignId'> => {
    const command = commands.get(waMessageId)
    const campaignId = answers.get(id)
    return {
      ...(command && { command: command === 'start' ? 'opt_in' : 'opt_out' }),
      ...(campaignId !== undefined && { campaignId }),
    }
  }
}
