import type { InternalAction } from '@parley/contracts/automation/internal-actions'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { Snapshot } from '@parley/contracts/platform/event-snapshots'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { FlowAction } from '@parley/flow/actions'
import { newId } from '@parley/service-kit/data/plain'

export interface Sent {
  readonly key: string
  readonly messageId: string
  readonly text: string
  readonly options: readonly { readonly id: string; readonly title: string }[]
  readonly epoch: number
}

/** A conversation with its messages. */
export interface Talk {
  readonly id: string
  readonly contactId: string
  readonly numberId: string
  readonly phone: string
  readonly name: string
  owner: { kind: 'nobody' | 'member' | 'bot'; id?: string }
  epoch: number
  personAt: string | null
  /** Set while its member has left it for longer than the workspace's hours. */
  isLeft?: boolean
  status: 'open' | 'closed'
  /** Conversations that have come into it. */
  readonly others: string[]
  /** Conversation that it has come into, and the owners of both before. */
  merged?: { readonly id: string; readonly owner: Talk['owner']; readonly before: Talk['owner'] } | undefined
  tags: string[]
  attributes: Record<string, string>
  unread: string[]
  waits: boolean
  /** Number of sessions that came to their drawn end. */
  completed: number
  readonly sent: Sent[]
  readonly notes: string[]
  /** Bot messages and a person's, in the order of their commits. */
  readonly log: string[]
}

type SentContent = Extract<InternalAction, { type: 'send' }>['content']
type FlowSent = Extract<FlowAction, { type: 'send' }>['content']
type Option = Pick<Sent['options'][number], 'id' | 'title'>

/** Options of a message; a form has one: its button. */
export function optionsOf(content: SentContent | FlowSent): Sent['options'] {
  if (content.type === 'form') return [{ id: content.token, title: content.button }]
  return content.type === 'interactive' ? content.options : []
}

/** A message by which a customer has tapped an option; a form is filled in. */
export const tapped = ({ id, title }: Option) => ({
  type: 'interactive',
  text: title,
  choice: id,
  ...(id.endsWith('.form') && { answers: [{ question: 'Wanted day', answer: 'Monday' }] }),
})

/** Returns a conversation in which nothing was written yet. */
export const newTalk = (numberId: string, name: string, phone: string): Talk => ({
  id: newId(),
  contactId: newId(),
  numberId,
  phone,
  name,
  owner: { kind: 'nobody' },
  epoch: 0,
  personAt: null,
  status: 'closed',
  others: [],
  tags: [],
  attributes: {},
  unread: [],
  waits: false,
  completed: 0,
  sent: [],
  notes: [],
  log: [],
})

export const snapshotOf = (talk: Talk): Snapshot =>
  ({
    contact: {
      id: talk.contactId,
      version: 1,
      createdAt: new Date(0).toISOString(),
      updatedAt: new Date(0).toISOString(),
      name: talk.name,
      phone: talk.phone,
      tags: [...talk.tags],
      attributes: { ...talk.attributes },
      optIn: { marketing: 'unknown', source: '', at: null },
      lastContactAt: null,
      source: 'inbound',
      blocked: false,
    },
    conversation: {
      id: talk.id,
      numberId: talk.numberId,
      status: talk.status,
      owner: talk.owner,
      epoch: talk.epoch,
      windowExpiresAt: null,
      personAt: talk.personAt,
      ...(talk.isLeft && { held: false }),
      ...(talk.waits && { forPerson: true as const }),
    },
  }) as Snapshot

export const conversationOf = (talk: Talk): Conversation => {
  const at = new Date(0).toISOString()
  const { id, contactId, name, tags, numberId, status, owner, unread } = talk
  return {
    id,
    version: 1,
    createdAt: at,
    updatedAt: at,
    contact: { id: contactId, name, phone: '+919812345678', tags: [...tags] },
    numberId,
    status,
    owner,
    unreadCount: unread.length,
    lastMessage: { text: '', direction: 'inbound', at },
    history: { messages: 0, firstContactAt: at, lastActiveAt: at },
  }
}

type Thread = NonNullable<Extract<RecordedEvent, { type: 'contact.merged' }>['data']['threads']>[number]

const isWithBot = ({ owner }: Pick<Talk, 'owner'>) => owner.kind === 'bot'

/** Has a customer's conversation come into that of another, as messaging does. @returns what its event says of them. */
export function joinTalks(kept: Talk, other: Talk): Thread {
  const epoch = Math.max(kept.epoch, other.epoch) + 1
  other.merged = { id: kept.id, owner: other.owner, before: kept.owner }
  if (kept.owner.kind === 'nobody') kept.owner = other.owner
  if (other.status === 'open') kept.status = 'open'
  kept.personAt ??= other.personAt
  kept.waits ||= other.waits
  kept.unread.push(...other.unread)
  kept.sent.push(...other.sent.splice(0))
  kept.others.push(other.id)
  // Only what waits for an answer says something of the order in which things have happened there.
  const last = other.log.findLastIndex((entry) => !entry.startsWith('customer'))
  kept.log.push(...other.log.splice(0).slice(last + 1))
  kept.epoch = epoch
  Object.assign(other, { status: 'closed', unread: [], waits: false, personAt: null })
  return { keptId: kept.id, otherId: other.id, epoch, ...(isWithBot(kept) && { session: 'kept' }) }
}

/** Separates them again: what was said stays where it is. */
export function partTalks(kept: Talk, other: Talk): Thread {
  const epoch = Math.max(kept.epoch, other.epoch) + 1
  const { owner, before } = other.merged ?? { owner: other.owner, before: kept.owner }
  const isOfOther = before.kind === 'nobody' && owner.kind === kept.owner.kind && owner.id === kept.owner.id
  if (isOfOther) kept.owner = before
  other.owner = owner.kind === 'bot' && !isOfOther ? { kind: 'nobody' } : owner
  Object.assign(other, { merged: undefined, status: 'open', epoch })
  kept.epoch = epoch
  const session = isWithBot(kept) ? 'kept' : isWithBot(other) ? 'other' : undefined
  return { keptId: kept.id, otherId: other.id, epoch, ...(session && { session }) }
}
