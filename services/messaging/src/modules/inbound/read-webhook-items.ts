import { maxContactName, maxUsername } from '@parley/contracts/contacts/contacts'
import { isSameLine } from '@parley/phone/line'
import { z } from 'zod'
import { groupMessages } from '../../whatsapp/account-event.ts'
import { type ContactEvents, readContactEvents } from '../../whatsapp/contact-event.ts'
import { readHistoryMessage } from '../../whatsapp/history-message.ts'
import { type Identities, joinContact, readNotice } from '../../whatsapp/identities.ts'
import {
  type InboundMessage,
  readCall,
  readEcho,
  readEdited,
  readInboundMessage,
} from '../../whatsapp/inbound-message.ts'
import { readInboundStatus } from '../../whatsapp/inbound-status.ts'
import { momentSchema, optionalText, readableItems, text } from '../../whatsapp/wire-values.ts'
import type { AccountUpdate } from '../channel/account-events/account-events.ts'
import { unreadable } from '../channel/ingest/ingest.service.ts'
import type { IngestedEvent } from '../channel/ingest/ingested-events.ts'
import type { SeenPerson } from '../contacts/contacts.service.ts'
import { contentOf } from './content-of.ts'
import type { MarkItem, MessageItem, StatusItem } from './webhook-items.ts'

/** A message before its contact and conversation are known. */
export interface ReadMessage extends Pick<MessageItem, 'kind' | 'direction' | 'message' | 'history'> {
  readonly numberId: string
  readonly person: SeenPerson
  /** Set for the platform's notice about a person: their identity from now on. */
  readonly after?: Identity | undefined
}
type Identity = Pick<SeenPerson, 'phone' | 'waUserId'>
export type ReadItem =
  | ReadMessage
  | StatusItem
  | MarkItem
  | ({ readonly kind: 'account' } & AccountUpdate & ContactEvents)

/** Cleans a name: control characters and direction marks are left out; an invisible name counts as absent. */
const shownName = (max: number) =>
  optionalText(1000).transform((name) => {
    const shown = name?.replaceAll(/[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu, ' ').trim()
    return shown ? text(max).parse(shown).trim() : undefined
  })
/** A truncated username could be another person's. */
const usernameSchema = z
  .string()
  .transform((name) => name.trim().replace(/^@/, ''))
  .pipe(z.string().min(1).max(maxUsername))
  .optional()
  .catch(undefined)
const surroundingsSchema = z.object({
  contacts: readableItems(
    z.looseObject({
      username: usernameSchema,
      profile: z
        .looseObject({ name: shownName(maxContactName), username: usernameSchema })
        .optional()
        .catch(undefined),
    }),
    1000,
  ),
  message: z.unknown().optional(),
  status: z.unknown().optional(),
})
const wholeSchema = z.object({ time: momentSchema.optional().catch(undefined), value: z.unknown().optional() })

const messageReaders = new Map<string, (message: unknown) => InboundMessage>([
  ['smb_message_echoes', readEcho],
  ['calls', readCall],
])

/**
 * Parses one stored piece of a webhook.
 * @param numberIds internal ids of numbers by the platform's.
 * @returns `undefined` for what no one has written and no one needs to know.
 * @throws where it cannot be read, or is for a number that is not connected here.
 */
export function readItem(event: IngestedEvent, numberIds: ReadonlyMap<string, string>): ReadItem | undefined {
  if (event.kind === 'other') return readWhole(event)
  if (event.field === 'history') return readHistory(event, numberIds)
  const around = surroundingsSchema.parse(JSON.parse(event.payload))
  if (event.kind === 'status') return { kind: 'status', status: readInboundStatus(around.status) }
  const isEcho = event.field === 'smb_message_echoes'
  const message = (messageReaders.get(event.field) ?? readInboundMessage)(around.message)
  if (message.groupId !== undefined) return groupNotice(event, message.at)
  if (message.content.type === 'none') return undefined
  const mark = markOf(message, isEcho ? 'member' : 'customer')
  if (mark) return mark
  const numberId = numberOf(event, numberIds)
  const direction = isEcho ? 'outbound' : 'inbound'
  const { content } = message
  if (content.type === 'system') {
    // An entry beside a notice may name the former identity or the new one.
    const { before, after } = readNotice(content.value, message)
    const person = { ...personOf(before), name: undefined, username: undefined }
    return { kind: 'message', direction, numberId, person, after: personOf(after), message }
  }
  const [contact] = around.contacts
  const joined = joinContact(message, contact, (left, right) => isSameLine(`+${left}`, `+${right}`))
  const profile = joined && contact?.profile
  const username = profile?.username ?? (joined && contact?.username)
  const person = { ...personOf(joined ?? message), name: profile?.name, username }
  return { kind: 'message', direction, numberId, person, message }
}

function numberOf({ phoneNumberId }: IngestedEvent, numberIds: ReadonlyMap<string, string>): string {
  const numberId = phoneNumberId === undefined ? undefined : numberIds.get(phoneNumberId)
  if (!numberId) throw new Error(`no number of this workspace has the phone number id ${phoneNumberId}`)
  return numberId
}

function readHistory(event: IngestedEvent, numberIds: ReadonlyMap<string, string>): ReadItem | undefined {
  const { direction, message, status } = readHistoryMessage(JSON.parse(event.payload))
  if (message.groupId !== undefined) return groupNotice(event, message.at)
  if (message.content.type === 'none') return undefined
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

function readWhole({ payload, field, accountId, phoneNumberId, receivedAt }: IngestedEvent): ReadItem {
  if (field === unreadable) throw new Error('the body is no webhook that can be split')
  const { time, value } = wholeSchema.parse(JSON.parse(payload))
  // The same webhook twice must give the same event even if the platform sets no time.
  const at = time ?? new Date(receivedAt.setUTCHours(0, 0, 0, 0))
  return { kind: 'account', accountId, phoneNumberId, field, value, at, ...readContactEvents(field, value) }
}

/** Reports it once a month, without its text: it was not written to the business alone. */
function groupNotice({ accountId, phoneNumberId }: IngestedEvent, at: Date): ReadItem {
  const month = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()))
  const value = { metadata: { phone_number_id: phoneNumberId } }
  return {
    kind: 'account',
    accountId,
    phoneNumberId,
    field: groupMessages,
    value,
    at: month,
    preferences: [],
    userIds: [],
    addressBook: [],
  }
}

function markOf({ content, at }: InboundMessage, by: MarkItem['by']): MarkItem | undefined {
  const about = { kind: 'mark' as const, by, at }
  switch (content.type) {
    case 'reaction': {
      const { message_id: waMessageId, emoji = '' } = content.value
      return { ...about, waMessageId, mark: { type: 'reaction', emoji } }
    }
    case 'edit': {
      const { original_message_id: waMessageId, message } = content.value
      const edited = message && readEdited(message)
      return { ...about, waMessageId, mark: { type: 'edit', content: edited && contentOf(edited) } }
    }
    case 'revoke':
      return { ...about, waMessageId: content.value.original_message_id, mark: { type: 'revoke' } }
    default:
      return undefined
  }
}
