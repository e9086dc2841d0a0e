import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { NewEvent } from '@parley/contracts/platform/events'
import type { Clock } from '@parley/service-kit/core/clock'
import { errors } from '@parley/service-kit/core/errors'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { nameWordsOf } from '../../../platform/search-text.ts'
import { appliedBy, type Became } from './conversation-effects.ts'
import { conversationIdOf } from './conversation-id.ts'
import type { ConversationRecord, ConversationSearch } from './conversations.model.ts'
import type { ConversationChange, ConversationsRepository, Pair } from './conversations.repository.ts'
import { type ShownContact, toConversation } from './to-conversation.ts'
import { isVisibleTo } from './visible-to.ts'

export type { ConversationRecord, ConversationState } from './conversations.model.ts'
export type { ConversationChange, ConversationsRepository, Pair } from './conversations.repository.ts'
export type { ShownContact } from './to-conversation.ts'

/** Conversations announced for one change of contacts at most; above it, pages read their lists again. */
const maxAnnounced = 250

/** Actor of a change, as events name it. */
type Actor = NewEvent['by']

export type ConversationsService = ReturnType<typeof createConversationsService>

export function createConversationsService({
  conversationRecords: conversations,
  contactRecords: { shown: contactsOf },
  now = () => new Date(),
}: {
  conversationRecords: ConversationsRepository
  contactRecords: {
    readonly shown: (scope: WorkspaceScope, ids: readonly string[]) => Promise<Map<string, ShownContact>>
  }
  now?: Clock
}) {
  /** The conversations of contacts with a number, begun where they are missing. @returns `number/contact` → conversation id. */
  async function ensure(scope: WorkspaceScope, pairs: readonly Pair[]): Promise<Map<string, string>> {
    const found = await findPairs(scope, pairs)
    const missing = pairs.filter((pair) => !found.has(keyOf(pair)))
    if (missing.length === 0) return found
    const contacts = await contactsOf(
      scope,
      missing.map(({ contactId }) => contactId),
    )
    const begun = missing.map((pair) => {
      const contact = contacts.get(pair.contactId)
      return { ...pair, ...(contact && { search: searchOf(contact) }) }
    })
    await conversations.begin(scope, begun)
    return findPairs(scope, pairs)
  }

  async function findPairs(scope: WorkspaceScope, pairs: readonly Pair[]): Promise<Map<string, string>> {
    const byNumber = Map.groupBy(pairs, ({ numberId }) => numberId)
    const found = await Promise.all(
      [...byNumber].map(([numberId, pairsOfNumber]) =>
        conversations.ofContacts(
          scope,
          numberId,
          pairsOfNumber.map(({ contactId }) => contactId),
        ),
      ),
    )
    return new Map(found.flat().map((conversation) => [keyOf(conversation), conversation.id]))
  }

  /**
   * Applies what new messages did, inside their transaction, and records an event for each conversation that has something new.
   * @throws `unseen` where a conversation that was just begun is not in the transaction's snapshot yet: it is tried again.
   */
  async function apply(scope: WorkspaceScope, changes: readonly ConversationChange[], tx: Tx): Promise<void> {
    const at = now()
    const matched = await conversations.apply(scope, { changes, at }, { session: tx.session })
    if (matched !== changes.length) throw errors.serviceUnavailable(new Error('a conversation is not visible yet'))
    await announce(
      scope,
      changes.flatMap(({ id, isHistory }) => (isHistory ? [] : id)),
      tx,
      { became: appliedBy(changes, at) },
    )
  }

  /** Records that conversations have changed, as lists show them. @returns them. */
  async function announce(
    scope: WorkspaceScope,
    ids: readonly string[],
    tx: Tx,
    {
      by = { kind: 'system' },
      contacts,
      became = () => undefined,
    }: {
      by?: Actor
      contacts?: ReadonlyMap<string, ShownContact>
      became?: (after: ConversationRecord) => Became
    } = {},
  ): Promise<Conversation[]> {
    if (ids.length === 0) return []
    const records = await conversations.readMany(scope, ids, { session: tx.session })
    const shown = await showAll(scope, records, contacts)
    for (const [index, conversation] of shown.entries()) {
      const { id, version, contact } = conversation
      const did = records[index] && became(records[index])
      tx.emit({
        workspaceId: scope.workspaceId,
        type: 'conversation.changed',
        recordId: id,
        version,
        conversationId: id,
        contactId: contact.id,
        by,
        data: { conversation, ...(did && { became: did }) },
      })
    }
    return shown
  }

  /** @throws `not_found` for one of another workspace, and one that the caller does not see, too. */
  async function read(scope: WorkspaceScope, id: string, options?: SessionOption): Promise<ConversationRecord> {
    const record = await conversations.read(scope, id, options)
    if (!record || record.merged || !isVisibleTo(scope, record)) throw noConversation()
    return record
  }

  /** Returns the record of a conversation that the caller sees; if its contact was merged into another, of the one that its messages are in. @throws `not_found`. */
  async function readCurrent(scope: WorkspaceScope, id: string): Promise<ConversationRecord> {
    const record = await conversations.read(scope, id)
    if (record?.merged) return readCurrent(scope, record.merged.id)
    if (!record || !isVisibleTo(scope, record)) throw noConversation()
    return record
  }

  /** Returns a conversation as `readCurrent` finds it. @throws `not_found`. */
  async function show(scope: WorkspaceScope, id: string): Promise<Conversation> {
    const [shown] = await showAll(scope, [await readCurrent(scope, id)])
    if (!shown) throw noConversation()
    return shown
  }

  /** Returns those that the caller sees, by id. */
  async function showMany(scope: WorkspaceScope, ids: readonly string[]): Promise<Map<string, Conversation>> {
    const records = await conversations.readMany(scope, [...new Set(ids)])
    const shown = await showAll(
      scope,
      records.filter((record) => isVisibleTo(scope, record)),
    )
    return new Map(shown.map((conversation) => [conversation.id, conversation]))
  }

  /** Returns conversations with the displayed fields of their contacts, in their order. @param known contacts that were read already. */
  async function showAll(
    scope: WorkspaceScope,
    records: readonly ConversationRecord[],
    known?: ReadonlyMap<string, ShownContact>,
  ): Promise<Conversation[]> {
    const contacts =
      known ??
      (await contactsOf(
        scope,
        records.map(({ contactId }) => contactId),
      ))
    return records.map((record) => toConversation(record, contacts.get(record.contactId)))
  }

  /**
   * Takes over what lists show of contacts that have changed, and what they are found by, with an event for each conversation.
   * Part of the transaction that changes them.
   */
  async function contactsChanged(
    scope: WorkspaceScope,
    changed: readonly ShownContact[],
    tx: Tx,
    by?: Actor,
  ): Promise<void> {
    const contacts = new Map(changed.map((contact) => [contact.id, contact]))
    const affected = await conversations.withContacts(scope, [...contacts.keys()], tx)
    const searches = affected.flatMap(({ id, contactId }) => {
      const contact = contacts.get(contactId)
      return contact ? [{ id, search: searchOf(contact) }] : []
    })
    await conversations.setSearch(scope, searches, { session: tx.session })
    const ids = affected.map(({ id }) => id)
    // An import announces all of its contacts together; a transaction records a limited number of events.
    if (ids.length <= maxAnnounced) await announce(scope, ids, tx, { contacts, ...(by && { by }) })
  }

  /** The conversations of a number with these contacts, also those that nothing was written in yet. @returns by contact. */
  async function idsOf(
    scope: WorkspaceScope,
    numberId: string,
    contactIds: readonly string[],
  ): Promise<(contactId: string) => string> {
    const begun = await conversations.ofContacts(scope, numberId, contactIds)
    const ids = new Map(begun.map(({ id, contactId }) => [contactId, id]))
    return (contactId) => ids.get(contactId) ?? conversationIdOf({ numberId, contactId })
  }

  return {
    ensure,
    idsOf,
    apply,
    announce,
    read,
    readCurrent,
    show,
    showAll,
    showMany,
    contactsChanged,
    showMessages: conversations.showMessages,
  }
}

export const noConversation = () => errors.notFound('There is no such conversation.')

const keyOf = ({ numberId, contactId }: Pair): string => `${numberId}/${contactId}`

export const searchOf = ({ name, username = '', phone, tags }: ShownContact): ConversationSearch => ({
  words: nameWordsOf(`${name} ${username}`),
  ...(phone !== undefined && { phone: phone.replaceAll(/\D/g, '') }),
  tags,
})
