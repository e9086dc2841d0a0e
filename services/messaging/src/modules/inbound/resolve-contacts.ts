import { isSameLine } from '@parley/phone/line'
import { errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { classifyError } from '../../whatsapp/error-classes.ts'
import type { NewEntry } from '../contacts/consent/consent.service.ts'
import type { ContactsService, SeenPerson } from '../contacts/contacts.service.ts'
import type { ConversationsService } from '../inbox/conversations/conversations.service.ts'
import type { Plan } from './decide.ts'
import type { ReadItem, ReadMessage } from './read-webhook-items.ts'
import type { AppliedItem } from './webhook-items.ts'

interface Dependencies {
  readonly contacts: Pick<ContactsService, 'ensure' | 'find' | 'changeIdentity'>
  readonly conversations: Pick<ConversationsService, 'ensure'>
  /** Lists of contacts are to be read again. */
  readonly announceContacts: (scope: WorkspaceScope, count: number) => Promise<unknown>
  readonly recordConsent: (scope: WorkspaceScope, entries: readonly NewEntry[]) => Promise<unknown>
  readonly numbers: {
    /** Stops a number that failed since a person last took care of it. */
    readonly stopForFailure: (scope: WorkspaceScope, failure: Plan['refused'][number]) => Promise<void>
  }
}

/** Reads and changes everything about people that a batch needs. Each step is safe to repeat, so none needs the transaction. */
export function createResolveContacts({
  contacts,
  conversations,
  announceContacts,
  recordConsent,
  numbers,
}: Dependencies) {
  /** Finds or makes contact and conversation of each message. */
  async function resolve(
    scope: WorkspaceScope,
    read: readonly Exclude<ReadItem, { kind: 'account' }>[],
  ): Promise<AppliedItem[]> {
    const messages = read.filter((piece) => piece.kind === 'message')
    if (messages.length === 0) return read.filter((piece) => piece.kind !== 'message')
    const notices = messages.filter(isNotice).map((piece) => ({ before: piece.person, after: personAfter(piece) }))
    const writers = messages.filter((piece) => !isNotice(piece)).map(({ person }) => person)
    const noticed = notices.flatMap(({ before, after }) => [before, after])
    const known = notices.length > 0 ? await contacts.find(scope, [...writers, ...noticed]) : undefined
    const asKnown = (person: SeenPerson) => (known ? underKnownIdentity(person, notices, known) : person)
    const ensured = await contacts.ensure(scope, writers.map(asKnown))
    const found = await contacts.find(scope, noticed)
    const contactOf = (piece: ReadMessage) =>
      isNotice(piece) ? (found(piece.person) ?? found(personAfter(piece))) : ensured(asKnown(piece.person))
    const pairs = messages.flatMap((piece) => {
      const contactId = contactOf(piece)
      return contactId === undefined ? [] : [{ numberId: piece.numberId, contactId }]
    })
    const conversationIds = await conversations.ensure(scope, pairs)
    return read.flatMap((piece): AppliedItem[] => {
      if (piece.kind !== 'message') return [piece]
      const { numberId, direction, message, history } = piece
      const contactId = contactOf(piece)
      // A notice about an unknown person.
      if (contactId === undefined) return []
      const conversationId = conversationIds.get(`${numberId}/${contactId}`)
      if (conversationId === undefined) throw errors.serviceUnavailable(new Error('a conversation is not visible yet'))
      return [{ kind: 'message', numberId, contactId, conversationId, direction, message, history }]
    })
  }

  /** Applies other phone numbers and user ids of people, and their choices about marketing. */
  async function applyContactEvents(scope: WorkspaceScope, read: readonly ReadItem[]): Promise<void> {
    for (const piece of read) {
      if (piece.kind === 'account') {
        for (const { previous, current } of piece.userIds)
          await contacts.changeIdentity(scope, { waUserId: previous }, { waUserId: current })
      } else if (piece.kind === 'message' && isNotice(piece)) await changeIdentity(scope, piece)
    }
    await applyAddressBook(scope, read)
    const preferences = read.flatMap((piece) => (piece.kind === 'account' ? piece.preferences : []))
    const people = preferences.map(({ waId, userId }) => personOf(waId, userId))
    if (people.length === 0) return
    const contactOf = await contacts.ensure(scope, people)
    const entries = preferences.map(({ waId, userId, marketing: value, at }) => {
      const contactId = contactOf(personOf(waId, userId))
      const key = `platform:${contactId}:${at.toISOString()}:${value}`
      return { contactId, category: 'marketing' as const, value, source: 'platform' as const, at, key }
    })
    await recordConsent(scope, entries)
  }

  /** Makes contacts of the people in the address book of the business's phone; it says nothing about their consent. */
  async function applyAddressBook(scope: WorkspaceScope, read: readonly ReadItem[]): Promise<void> {
    const people = read
      .flatMap((piece) => (piece.kind === 'account' ? piece.addressBook : []))
      .map(({ waId, name }) => ({ ...personOf(waId, undefined), name }))
    if (people.length === 0) return
    const known = await contacts.find(scope, people)
    const isNew = people.some((person) => known(person) === undefined)
    await contacts.ensure(scope, people)
    if (isNew) await announceContacts(scope, people.length)
  }

  async function changeIdentity(scope: WorkspaceScope, piece: ReadMessage): Promise<void> {
    const [before, { phone, waUserId }] = [piece.person, personAfter(piece)]
    if ((before.phone ?? before.waUserId) !== undefined && (phone ?? waUserId) !== undefined)
      await contacts.changeIdentity(scope, before, { phone, waUserId })
  }

  /** A failed message also reports a number that may not send. */
  async function applyRefusals(scope: WorkspaceScope, { refused }: Pick<Plan, 'refused'>): Promise<void> {
    for (const failure of refused) {
      if (classifyError(failure.code).class === 'stop_number') await numbers.stopForFailure(scope, failure)
    }
  }

  return { resolve, applyContactEvents, applyRefusals }
}

/** Returns whether it is the platform's notice about a person, not a message of theirs. */
const isNotice = ({ message }: ReadMessage): boolean => message.content.type === 'system'

/** Returns the identities that a notice gives a person. */
const personAfter = ({ after }: ReadMessage): SeenPerson => ({ ...personOf(undefined, undefined), ...after })

/**
 * Returns the sender as the contact is known before the notices of the same batch are applied, or after they were: a batch may be
 * applied a second time. A message under the new identity creates no contact of its own.
 */
function underKnownIdentity(
  person: SeenPerson,
  notices: readonly { readonly before: SeenPerson; readonly after: SeenPerson }[],
  known: (person: SeenPerson) => string | undefined,
): SeenPerson {
  const as = ({ phone, waUserId }: SeenPerson): SeenPerson => ({ ...person, phone, waUserId })
  let current = person
  for (const { before, after } of notices.toReversed())
    if (!known(current) && isOne(current, after) && (before.phone ?? before.waUserId) !== undefined)
      current = as(before)
  for (const { before, after } of notices)
    if (!known(current) && isOne(current, before) && known(after)) current = as(after)
  return current
}

const isOne = (one: SeenPerson, other: SeenPerson): boolean =>
  (one.phone !== undefined && other.phone !== undefined && isSameLine(one.phone, other.phone)) ||
  (one.waUserId !== undefined && one.waUserId === other.waUserId)

const personOf = (waId: string | undefined, waUserId: string | undefined): SeenPerson => ({
  phone: waId === undefined ? undefined : `+${waId}`,
  waUserId,
  name: undefined,
  username: undefined,
})
