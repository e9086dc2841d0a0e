import type { InternalAction } from '@parley/contracts/automation/internal-actions'
import { isSameTag, maxTags } from '@parley/contracts/contacts/tags'
import type { MessageContent } from '@parley/contracts/inbox/messages'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { attributesOf, toAttributes } from '../contacts/contact-fields.ts'
import type { ContactStore } from '../contacts/contact-store.ts'
import type { ContactRecord, ContactsRepository } from '../contacts/contacts.service.ts'
import type { ConversationRecord, ConversationsRepository } from '../inbox/conversations/conversations.service.ts'
import {
  claimed,
  closed,
  isHeldByPerson,
  type OwnershipChange,
  ownedBy,
  released,
  waitsForPerson,
} from '../inbox/conversations/ownership.ts'
import type { MessagesService } from '../inbox/messages/messages.service.ts'
import type { OutgoingService } from '../inbox/messages/outgoing.service.ts'
import type { ThreadService } from '../inbox/messages/thread.service.ts'
import type { ActionRequest, Prepared } from './prepare-actions.ts'

interface Dependencies {
  readonly conversationRecords: Pick<ConversationsRepository, 'read' | 'change'>
  readonly contactRecords: Pick<ContactsRepository, 'read'>
  readonly contactStore: Pick<ContactStore, 'save'>
  readonly outgoing: Pick<OutgoingService, 'store'>
  readonly messages: Pick<MessagesService, 'insertNote'>
  readonly thread: Pick<ThreadService, 'unreadAfter'>
}

/** Contact and conversation that actions are about. */
export interface ActionPlace {
  readonly contactId?: string | undefined
  /** Absent where nothing was said with the contact yet. */
  readonly conversationId?: string | undefined
}

/** The contact and their conversation as they are in the transaction. */
interface ActionTarget {
  readonly conversation?: ConversationRecord | undefined
  readonly contact: ContactRecord
}
/** @property expected epoch under which a message leaves; absent for a run that holds no conversation. */
interface ActionInput {
  readonly at: ActionTarget
  readonly prepared: Exclude<Prepared, { refusal: unknown }>
  readonly by: ActionRequest['by']
  readonly expected: number | undefined
  readonly now: Date
  /** Hours after which people's conversations are the bots' again. */
  readonly returnHours: number | undefined
}

type ContactAction = 'typing' | 'set_attribute' | 'add_tag' | 'remove_tag'
/** An action that needs a conversation. */
type ThreadAction = Exclude<InternalAction, { type: ContactAction }>
const ofContact: ReadonlySet<string> = new Set([
  'typing',
  'set_attribute',
  'add_tag',
  'remove_tag',
] satisfies ContactAction[])

/** Returns whether an action needs a conversation. */
export const needsConversation = ({ type }: InternalAction): boolean => !ofContact.has(type)

type OwnedReason = 'bot' | 'returned' | 'assigned'

/** Effect of one action. */
interface Effect {
  readonly messageId?: string
  /** Reason why the conversation has another owner. */
  readonly owned?: OwnedReason
  /** Set where the bot itself has brought it to its end. */
  readonly completed?: true
  /** Set where it waits for a person from now on: assignment is to look at it. */
  readonly waits?: true
}

export const takenMessage = 'A person has this conversation: it is theirs to answer.'

/** Time within which automation comes to know of a merge, and takes its sessions along. */
const maxMergeAgeMs = 3_600_000
const isMoving = ({ updatedAt }: ConversationRecord) => Date.now() - updatedAt.getTime() < maxMergeAgeMs

/** Does one action in the transaction of all of them. Errors that it throws as the caller's mistake are the action's refusal. */
export function createActionEffects(deps: Dependencies) {
  const { conversationRecords: conversations, contactRecords: contacts, contactStore: store, outgoing, messages } = deps
  const { thread } = deps

  async function readTarget(
    scope: WorkspaceScope,
    { conversationId, contactId = '' }: ActionPlace,
    options: SessionOption = {},
  ): Promise<ActionTarget> {
    const conversation = conversationId === undefined ? null : await conversations.read(scope, conversationId, options)
    if (conversation?.merged && isMoving(conversation))
      throw errors.serviceUnavailable(new Error('automation has not read of a merge'))
    if (conversationId !== undefined && (!conversation || conversation.merged))
      throw errors.notFound('There is no such conversation.')
    const contact = await contacts.read(scope, conversation?.contactId ?? contactId, options)
    if (!contact || (contact.phone === undefined && contact.waUserId === undefined))
      throw errors.notFound('The contact of this conversation is gone.')
    return { contact, ...(conversation && { conversation }) }
  }

  async function apply(
    scope: WorkspaceScope,
    action: InternalAction,
    { at, prepared, by, expected, now, returnHours }: ActionInput,
    tx: Tx,
  ): Promise<Effect> {
    const { contact } = at
    const saveContact = (fields: Partial<Pick<ContactRecord, 'tags' | 'attributes'>>) =>
      // The events name the run as their cause.
      store.save({ ...scope, actor: { kind: 'user', id: '' } }, [{ record: contact, fields }], tx)

    switch (action.type) {
      case 'typing':
        return {}
      case 'set_attribute': {
        if (!contact.live || !prepared.attribute) throw errors.notFound('The contact is gone.')
        const { name, value } = prepared.attribute
        const { [name]: before, ...others } = attributesOf(contact)
        if (before !== value)
          await saveContact({ attributes: toAttributes(value === undefined ? others : { ...others, [name]: value }) })
        return {}
      }
      case 'add_tag':
      case 'remove_tag': {
        if (!contact.live) throw errors.notFound('The contact is gone.')
        const { tag } = action
        const adds = action.type === 'add_tag'
        const others = contact.tags.filter((known) => !isSameTag(known, tag))
        if (others.length < contact.tags.length === adds) return {}
        if (adds && contact.tags.length >= maxTags)
          throw errors.validation({ tag: `A contact carries at most ${maxTags} tags.` })
        await saveContact({ tags: adds ? [...others, tag] : others })
        return {}
      }
      default:
        if (!at.conversation) throw errors.wrongState('Connect a WhatsApp number first: there is none to write from.')
        return applyIn(scope, action, { conversation: at.conversation, prepared, by, expected, now, returnHours }, tx)
    }
  }

  /** Does an action in a conversation. */
  async function applyIn(
    scope: WorkspaceScope,
    action: ThreadAction,
    {
      conversation,
      prepared,
      by,
      expected,
      now,
      returnHours,
    }: Omit<ActionInput, 'at'> & { readonly conversation: ConversationRecord },
    tx: Tx,
  ): Promise<Effect> {
    const { id } = conversation
    const cause = { kind: by.kind, id: by.id }
    const changeOwner = ({ set, unset }: OwnershipChange) =>
      conversations.change(scope, id, { $set: { ...set }, $unset: unset }, { session: tx.session })
    const note = (content: MessageContent) => messages.insertNote(scope, conversation, { content, cause }, tx)

    switch (action.type) {
      case 'claim': {
        if (isHeldByPerson(conversation, now, returnHours)) throw new AppError('conversation_taken', takenMessage)
        const since = action.since === undefined ? undefined : new Date(action.since)
        await changeOwner(claimed(conversation, { kind: by.kind, id: action.botId }, { now, returnHours, since }))
        return { owned: 'bot' }
      }
      case 'release': {
        const { resolved = false, attention = false, upTo, completed, ifOwn } = action
        const { owner } = conversation
        if (ifOwn && !(owner.kind === by.kind && owner.id === by.id)) return {}
        const unread = resolved && upTo !== undefined ? await unreadAfter(scope, id, upTo, tx) : 0
        if (owner.kind !== 'member') await changeOwner(released(conversation, { resolved, attention, unread }, now))
        const waits = attention || conversation.forPersonSince !== undefined
        return { owned: 'returned', ...(waits && { waits }), ...(completed && !waits && { completed }) }
      }
      case 'send':
      case 'send_template': {
        if (!prepared.send) throw errors.internal()
        const request = { ...prepared.send.request, ...(expected !== undefined && { epoch: expected }) }
        const { id: messageId } = await outgoing.store(scope, id, { ...prepared.send, request }, tx)
        return { messageId }
      }
      case 'assign': {
        const { to } = action
        if (to.kind === 'queue') {
          await changeOwner(released(conversation, { attention: true }, now))
          await note({ type: 'system', text: 'Unassigned this conversation', activity: { kind: 'unassigned' } })
          return { owned: 'assigned', waits: true }
        }
        const { set, unset } = ownedBy(conversation, { kind: 'member', id: to.memberId }, 'automation', now)
        await changeOwner({ set: { ...set, ...waitsForPerson(conversation, now) }, unset })
        const activity = { kind: 'assigned' as const, member: to.memberId }
        await note({ type: 'system', text: 'Assigned this conversation', activity })
        return { owned: 'assigned' }
      }
      case 'close':
        if (conversation.status === 'closed') return {}
        await changeOwner(closed(conversation, 'automation', now))
        await note({ type: 'system', text: 'Closed this conversation', activity: { kind: 'closed' } })
        return {}
      case 'note':
        await note({ type: 'text', text: action.text })
        return {}
    }
  }

  /** Counts what came after the newest message that a bot has read; a message that is gone has been read with all before it. */
  const unreadAfter = (scope: WorkspaceScope, id: string, upTo: string, { session }: Tx): Promise<number> =>
    thread.unreadAfter(scope, id, upTo, { session }).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return 0
      throw error
    })

  return { readTarget, apply }
}
