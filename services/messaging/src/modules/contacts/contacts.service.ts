import type { ConsentSource } from '@parley/contracts/contacts/consent'
import { isSameLine, lineKey } from '@parley/phone/line'
import { errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import type { ConversationsService } from '../inbox/conversations/conversations.service.ts'
import { type ChangeIdentity, newFields } from './change-identity.ts'
import { changeFrom, changeFromNothing, emitContacts } from './contact-events.ts'
import { finding, reachedBy } from './contact-fields.ts'
import type { ContactRecord } from './contacts.model.ts'
import type { ContactsRepository, SeenPerson } from './contacts.repository.ts'

export { type ContactRecord, type MergedFields, withImports } from './contacts.model.ts'
export type { ContactsRepository, ReportedWaPhone, SeenPerson } from './contacts.repository.ts'
export type ContactsService = ReturnType<typeof createContactsService>

/** A contact who has written, with the time. */
export interface Sighting {
  readonly contactId: string
  readonly at: Date
}

/** Entry of a category that decides a person's consent. */
interface DecidingEntry {
  readonly id: string
  readonly key: string
  readonly value: 'in' | 'out'
  readonly source: ConsentSource
  readonly note?: string | undefined
  readonly memberId?: string | undefined
  readonly at: Date
}
export interface Consents {
  readonly marketing: DecidingEntry | undefined
  readonly utility: DecidingEntry | undefined
}

/** Finds and creates the contacts of messages: senders and recipients. */
export function createContactsService({
  contacts,
  changeIdentity,
  updateConversations,
  transaction,
}: {
  contacts: ContactsRepository
  changeIdentity: ChangeIdentity
  /** Shows changed contacts in their conversations. */
  updateConversations: ConversationsService['contactsChanged']
  transaction: RunInTransaction
}) {
  /**
   * The contacts of people who have written, made where they are not known. The business-scoped user id counts before the
   * phone number: numbers change hands.
   * @returns person → contact id.
   */
  async function ensure(scope: WorkspaceScope, people: readonly SeenPerson[]): Promise<(person: SeenPerson) => string> {
    let index = finding(await contacts.findNamed(scope, people))
    const missing = people.filter((person) => !index(person))
    if (missing.length > 0) {
      await contacts.createMissing(scope, distinct(missing))
      index = finding(await contacts.findNamed(scope, people))
    }
    for (const person of new Map(people.map((one) => [JSON.stringify(one), one])).values())
      await learn(scope, person, index(person))
    return (person) => {
      const contact = index(person)
      if (!contact) throw new Error('somebody without any identity has written')
      return contact.id
    }
  }

  /** Applies the facts of a message about its contact: the form of the number that WhatsApp uses, and the identity. */
  async function learn(scope: WorkspaceScope, person: SeenPerson, contact: ContactRecord | undefined): Promise<void> {
    if (!contact) return
    const { phone: of, waUserId, id: contactId } = contact
    const { phone: number } = person
    if (of !== undefined && number !== undefined && number !== reachedBy(contact) && isSameLine(of, number))
      await transaction((tx) => contacts.noteWaPhones(scope, [{ contactId, waPhone: { of, number } }], tx))
    // A change of number or user id of a known contact is reported by a notice.
    const reported = {
      ...(of === undefined && { phone: number }),
      ...(waUserId === undefined && { waUserId: person.waUserId }),
      name: person.name,
      username: person.username,
    }
    const fresh = Object.keys(newFields(contact, reported))
    if (fresh.length === 0) return
    // The user id is stored later: no list and no conversation is found by it, and in a batch most new people lack it alone.
    const isQuick = fresh.join() === 'waUserId' && person.waUserId !== undefined
    if (isQuick && (await contacts.addUserId(scope, contactId, person.waUserId))) return
    await changeIdentity(scope, { phone: of, waUserId }, reported, { isOne: true })
  }

  /**
   * Notes when contacts were last heard of, before the transaction that stores what they wrote: in it, a change of an indexed field
   * is many times as dear. It may come again, and come without what was written, which is applied later then. What `noteSightings`
   * has more to do with is left to it.
   */
  const noteTimes = (scope: WorkspaceScope, sightings: readonly Sighting[]): Promise<void> =>
    contacts.noteTimes(scope, latestOf(sightings))

  /** Returns the contacts heard of, and when last. @throws where a contact was merged meanwhile. */
  async function seen(scope: WorkspaceScope, sightings: readonly Sighting[], tx: Tx) {
    const latest = latestOf(sightings)
    const records = latest.size > 0 ? await contacts.readMany(scope, [...latest.keys()], { session: tx.session }) : []
    // It was found before the merge was stored: the next attempt finds the present owner of the number.
    if (records.some(({ merged }) => merged))
      throw errors.serviceUnavailable(new Error('a contact was merged meanwhile'))
    return { latest, records }
  }

  /** Same as `noteSightings` for messages from before the number was connected: no contact is announced, none comes back. */
  async function noteHistory(scope: WorkspaceScope, sightings: readonly Sighting[], tx: Tx): Promise<void> {
    const { records, latest } = await seen(scope, sightings, tx)
    const later = records.flatMap((record) => {
      const at = latest.get(record.id)
      const isLater = at && record.live && !(record.lastContactAt && record.lastContactAt >= at)
      return isLater ? [{ record, update: { $max: { lastContactAt: at } } }] : []
    })
    await contacts.change(scope, later, tx)
  }

  /**
   * Notes when contacts were last heard of, inside the transaction that stores what they wrote. New contacts are announced;
   * deleted ones come back.
   * @returns ids of those who are blocked.
   */
  async function noteSightings(scope: WorkspaceScope, sightings: readonly Sighting[], tx: Tx): Promise<string[]> {
    const { records, latest } = await seen(scope, sightings, tx)
    if (records.length === 0) return []
    const later = records.flatMap((record) => {
      const at = latest.get(record.id)
      if (!at) return []
      const { live, lastContactAt, undeliveredIn } = record
      if (live && lastContactAt && lastContactAt >= at && !undeliveredIn) return []
      const gone = {
        ...(!record.live && { deletedAt: 1 as const }),
        ...(record.undeliveredIn && { undeliveredIn: 1 as const }),
      }
      const $unset = Object.keys(gone).length > 0 && { $unset: gone }
      return [{ record, update: { $max: { lastContactAt: at }, $set: { live: true }, ...$unset } }]
    })
    await contacts.change(scope, later, tx)
    const first = later.filter(({ record }) => !record.live || !record.lastContactAt).map(({ record: { id } }) => id)
    if (first.length > 0) {
      const changed = await contacts.readMany(scope, first, { session: tx.session })
      const written = new Set(later.flatMap(({ record }) => (isFirstSeen(record) ? record.id : [])))
      const became = (record: ContactRecord) => (written.has(record.id) ? changeFromNothing(record) : undefined)
      emitContacts({ scope, by: { kind: 'contact' }, became }, changed, tx)
    }
    return records.filter(({ blocked }) => blocked).map(({ id }) => id)
  }

  /** Stores the result of a person's entries: {@link ContactRecord.optIn} and {@link ContactRecord.utilityConsent}. */
  async function saveConsent(scope: WorkspaceScope, record: ContactRecord, current: Consents, tx: Tx): Promise<void> {
    const { marketing, utility } = current
    const isKnown = marketing?.id === record.optIn.entryId && utility?.id === record.utilityConsent?.entryId
    if (isKnown) return
    const set = {
      ...(marketing && {
        optIn: {
          marketing: marketing.value,
          source: sourceWord(marketing),
          at: marketing.at,
          entryId: marketing.id,
        },
      }),
      ...(utility && { utilityConsent: { value: utility.value, at: utility.at, entryId: utility.id } }),
    }
    if ((await contacts.change(scope, [{ record, update: { $set: set } }], tx)) === 0)
      throw errors.serviceUnavailable(new Error('a contact has changed meanwhile'))
    const memberId = marketing?.memberId ?? utility?.memberId
    const by =
      memberId === undefined ? { kind: 'contact' as const, id: record.id } : { kind: 'user' as const, id: memberId }
    const saved = await contacts.readMany(scope, [record.id], { session: tx.session })
    emitContacts({ scope, by, became: (after) => changeFrom(record, after) }, saved, tx)
    const wasOut = record.optIn.marketing === 'out'
    const changed = saved.filter(({ optIn }) => (optIn.marketing === 'out') !== wasOut)
    if (changed.length > 0) await updateConversations(scope, changed, tx, by)
  }

  /** Finds people who are contacts already. @returns person → contact id. */
  async function find(scope: WorkspaceScope, people: readonly SeenPerson[]) {
    const index = finding(people.length > 0 ? await contacts.findNamed(scope, people) : [])
    return (person: SeenPerson): string | undefined => index(person)?.id
  }

  return {
    ensure,
    noteTimes,
    noteSightings,
    noteHistory,
    find,
    shown: shownContacts(contacts),
    read: contacts.read,
    walk: contacts.walk,
    count: contacts.count,
    changeIdentity,
    noteWaPhones: contacts.noteWaPhones,
    saveConsent,
    readMany: contacts.readMany,
    ofSamePhone: contacts.ofSamePhone,
  }
}

function latestOf(sightings: readonly Sighting[]): Map<string, Date> {
  const latest = new Map<string, Date>()
  for (const { contactId, at } of sightings) {
    const known = latest.get(contactId)
    if (!known || known < at) latest.set(contactId, at)
  }
  return latest
}

/** Contacts by id, also those that are deleted. */
export const shownContacts =
  (contacts: Pick<ContactsRepository, 'readMany'>) =>
  async (scope: WorkspaceScope, ids: readonly string[]): Promise<Map<string, ContactRecord>> => {
    const found = await contacts.readMany(scope, [...new Set(ids)])
    return new Map(found.map((contact) => [contact.id, contact]))
  }

/** Returns whether a contact is known by this first message alone: it was in no list before. */
const isFirstSeen = ({ source, lastContactAt, deletedAt }: ContactRecord): boolean =>
  source === 'inbound' && !lastContactAt && !deletedAt

const sourceLabels: Readonly<Partial<Record<ConsentSource, string>>> = {
  platform: 'whatsapp',
  platform_error: 'whatsapp',
}

/** Returns the source of a choice, as lists show it; for what a contact came with, its own word. */
const sourceWord = ({ source, key, note = '' }: DecidingEntry): string =>
  key.startsWith('earlier:') || source === 'import' ? note.slice(0, 60) : (sourceLabels[source] ?? source)

/** One of each person: two messages of one batch make one contact. */
function distinct(people: readonly SeenPerson[]): SeenPerson[] {
  return [...new Map(people.map((person) => [person.waUserId ?? lineKey(person.phone ?? ''), person])).values()]
}
