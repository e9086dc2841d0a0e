import { isSameLine } from '@parley/phone/line'
import { z } from 'zod'
import { type ContactEvents, readContactEvents } from '../../whatsapp/contact-event.ts'
import { readHistoryMessage } from '../../whatsapp/history-message.ts'
import { type Identities, joinContact, readNotice } from '../../whatsapp/identities.ts'
import { type InboundMessage, readEcho, readEdited, readInboundMessage } from '../../whatsapp/inbound-message.ts'
import { readInboundStatus } from '../../whatsapp/inbound-status.ts'
import type { AccountUpdate } from '../account-events/account-events.ts'
import type { SeenPerson } from '../contacts/contacts.service.ts'
import { unreadable } from '../ingest/ingest.service.ts'
import type { IngestedEvent } from '../ingest/ingested-events.ts'
import { contentOf } from './content-of.ts'
import type { MarkPiece, MessagePiece, StatusPiece } from './pieces.ts'

/** A message before its contact and conversation are known. */
export interface ReadMessage extends Pick<MessagePiece, 'kind' | 'direction' | 'message' | 'history'> {
  readonly numberId: string
  readonly person: SeenPerson
  /** Of the platform's notice about somebody: who they are from now on. */
  readonly after?: Identity | undefined
}
type Identity = Pick<SeenPerson, 'phone' | 'waUserId'>
export type ReadPiece =
  | ReadMessage
  | StatusPiece
  | MarkPiece
  | ({ readonly kind: 'account' } & AccountUpdate & ContactEvents)

const name = (max: number) => z.string().max(max).optional().catch(undefined)
const surroundingsSchema = z.object({
  contacts: z
    .array(
      z.looseObject({
        username: name(60),
        profile: z
          .looseObject({ name: name(200), username: name(60) })
          .optional()
          .catch(undefined),
      }),
    )
    .default([])
    .catch([]),
  message: z.unknown().optional(),
  status: z.unknown().optional(),
})
const wholeSchema = z.object({ time: z.number().positive().optional().catch(undefined), value: z.unknown().optional() })

/**
 * Understands one stored piece of a webhook.
 * @param numberIds our ids of numbers by the platform's.
 * @throws where it cannot be read, or is for a number that is not connected here.
 */
export function readPiece(event: IngestedEvent, numberIds: ReadonlyMap<string, string>): ReadPiece {
  if (event.kind === 'other') return readWhole(event)
  if (event.field === 'history') return readHistory(event, numberIds)
  const around = surroundingsSchema.parse(JSON.parse(event.payload))
  if (event.kind === 'status') return { kind: 'status', status: readInboundStatus(around.status) }
  const isEcho = event.field === 'smb_message_echoes'
  const message = isEcho ? readEcho(around.message) : readInboundMessage(around.message)
  const mark = markOf(message, isEcho ? 'member' : 'customer')
  if (mark) return mark
  const numberId = numberOf(event, numberIds)
  const direction = isEcho ? 'outbound' : 'inbound'
  const { content } = message
  if (content.type === 'system') {
    // An entry beside a notice may be who they were as well as who they are.
    const { before, after } = readNotice(content.value, message)
    const person = { ...personOf(before), name: undefined, username: undefined }
    return { kind: 'message', direction, numberId, person, after: personOf(after), message }
  }
  const [contact] = around.contacts
  const joined = joinContact(message, contact, (left, right) => isSameLine(`+${left}`, `+${right}`))
  const profile = joined && contact?.profile
  const username = (profile?.username ?? (joined && contact?.username))?.replace(/^@/, '')
  const person = { ...personOf(joined ?? message), name: profile?.name, username }
  return { kind: 'message', direction, numberId, person, message }
}

function numberOf({ phoneNumberId }: IngestedEvent, numberIds: ReadonlyMap<string, string>): string {
  const numberId = phoneNumberId === undefined ? undefined : numberIds.get(phoneNumberId)
  if (!numberId) throw new Error(`no number of this workspace has the phone number id ${phoneNumberId}`)
  return numberId
}

function readHistory(event: IngestedEvent, numberIds: ReadonlyMap<string, string>): ReadPiece {
  const { direction, message, status } = readHistoryMessage(JSON.parse(event.payload))
  const by = direction === 'outbound' ? 'member' : 'customer'
  const mark = markOf(message, by)
  if (mark) return { ...mark, isHistory: true }
  const { waMessageId, at } = message
  const identity = personOf(message)
  // A file that the business has sent: the message with its id tells to whom.
  if (identity.phone === undefined && identity.waUserId === undefined)
    return {
      kind: 'mark',
      waMessageId,
      by,
      at,
      mark: { type: 'file', content: contentOf(message.content) },
      isHistory: true,
    }
  const person = { ...identity, name: undefined, username: undefined }
  return { kind: 'message', direction, numberId: numberOf(event, numberIds), person, message, history: { status } }
}

const personOf = ({ waId, userId }: Identities): Identity => ({
  phone: waId === undefined ? undefined : `+${waId}`,
  waUserId: userId,
})

function readWhole({ payload, field, accountId, phoneNumberId, receivedAt }: IngestedEvent): ReadPiece {
  if (field === unreadable) throw new Error('the body is no webhook that can be split')
  const { time, value } = wholeSchema.parse(JSON.parse(payload))
  // Without a time of the platform's own, the same webhook twice has to come to the same event all the same.
  const at = time === undefined ? new Date(receivedAt.setUTCHours(0, 0, 0, 0)) : new Date(time * 1000)
  return { kind: 'account', accountId, phoneNumberId, field, value, at, ...readContactEvents(field, value) }
}

function markOf({ content, at }: InboundMessage, by: MarkPiece['by']): MarkPiece | undefined {
  const about = { kind: 'mark' as const, by, at }
  switch (content.type) {
    case 'reaction': {
      const { message_id: waMessageId, emoji = '' } = content.value
      return { ...about, waMessageId, mark: { type: 'reaction', emoji } }
    }
    case 'edit': {
      const { original_message_id: waMessageId, message } = content.value
      const edited = readEdited(message)
      return { ...about, waMessageId, mark: { type: 'edit', content: edited && contentOf(edited) } }
    }
    case 'revoke':
      return { ...about, waMessageId: content.value.original_message_id, mark: { type: 'revoke' } }
    default:
      return undefined
  }
}
