import type { ConsentCategory, ConsentEntry, NewConsent } from '@parley/contracts/contacts/consent'
import { consentCategories } from '@parley/contracts/contacts/consent'
import type { PageOf } from '@parley/contracts/core/records'
import type { Clock } from '@parley/service-kit/core/clock'
import { errors } from '@parley/service-kit/core/errors'
import { isId, newId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { newestOf, type TimeSlice } from '../../../platform/time-slice.ts'
import type { ContactRecord, ContactsService } from '../contacts.service.ts'
import type { EntryRecord } from './consent.model.ts'
import type { ConsentRepository, NewEntryRecord, Suppression } from './consent.repository.ts'
import type { ConsentSettingsService } from './consent-settings.service.ts'
import { addressesOf, addressFormsOf, areOnePhone, earlierEntry } from './earlier-entry.ts'
import { isByPerson, resolveConsent } from './resolve-consent.ts'

/** New statement of a person. */
export type NewEntry = Omit<NewEntryRecord, 'recordedAt'>

interface Dependencies {
  readonly consent: ConsentRepository
  readonly contacts: Pick<ContactsService, 'read' | 'readMany' | 'saveConsent' | 'ofSamePhone'>
  readonly settings: Pick<ConsentSettingsService, 'hashing'>
  readonly transaction: RunInTransaction
  readonly now?: Clock
}

export type ConsentService = ReturnType<typeof createConsentService>

/** Keeps people's consent: entries are the truth, the contact carries their result. */
export function createConsentService(deps: Dependencies) {
  const { consent, contacts, settings, transaction, now = () => new Date() } = deps

  /** Stores what is not known yet, and with it what it comes to: on the contact, and for its addresses. */
  async function record(scope: WorkspaceScope, learned: readonly NewEntry[], tx: Tx): Promise<EntryRecord[]> {
    if (learned.length === 0) return []
    const distinct = [...new Map(learned.map((entry) => [entry.key, entry])).values()]
    const known = await consent.knownKeys(
      scope,
      distinct.map(({ key }) => key),
      tx,
    )
    const fresh = distinct.filter(({ key }) => !known.has(key))
    const ids = [...new Set(fresh.map(({ contactId }) => contactId))]
    if (ids.length === 0) return []
    const people = await contacts.readMany(scope, ids, tx)
    const exists = new Set(people.map(({ id }) => id))
    const recordedAt = now()
    const before = people.flatMap((person) => earlierEntry(person) ?? [])
    const knownBefore = await consent.knownKeys(
      scope,
      before.map(({ key }) => key),
      tx,
    )
    const all = [
      ...before.filter(({ key }) => !knownBefore.has(key)),
      ...fresh.filter(({ contactId }) => exists.has(contactId)),
    ]
    const stored = await consent.insert(
      scope,
      all.map((entry) => ({ ...entry, recordedAt })),
      tx,
    )
    const isNew = new Set(fresh.map(({ key }) => key))
    for (const person of people) await settle(scope, person, isNew, tx)
    await align(scope, people, tx)
    return stored
  }

  /** Updates a contact's consent, and that of its addresses, from its entries. @param isNew keys of entries that are stored now. */
  async function settle(
    scope: WorkspaceScope,
    person: ContactRecord,
    isNew: ReadonlySet<string>,
    tx: Tx,
  ): Promise<void> {
    const entries = await consent.ofContact(scope, person.id, tx)
    const current = decidingOf(entries)
    await contacts.saveConsent(scope, person, current, tx)
    const hash = await settings.hashing(scope)
    const of = (value: 'in' | 'out', addresses: readonly string[]): Suppression[] =>
      consentCategories.flatMap((category) => {
        const entry = current[category]
        // An earlier statement, or one about something else, ends no opt-out of the address.
        const counts = entry?.value === value && (value === 'out' || (isNew.has(entry.key) && isByPerson(entry)))
        return counts ? addresses.map((address) => ({ addressHash: hash(address), category, at: entry.at })) : []
      })
    await consent.suppress(scope, of('out', addressesOf(person)), tx)
    await consent.release(scope, of('in', addressFormsOf(person)), tx)
  }

  /**
   * One phone has said one thing: contacts that a person keeps apart though they reach the same one get the entry of the other that
   * decides. @param people whose entries are new.
   */
  async function align(scope: WorkspaceScope, people: readonly ContactRecord[], tx: Tx): Promise<void> {
    const others = await contacts.ofSamePhone(scope, people, tx)
    if (others.length === 0) return
    const ids = [...people, ...others].map(({ id }) => id)
    const all = await contacts.readMany(scope, ids, tx)
    for (const person of people) {
      const samePhone = all.filter(({ id, ...other }) => id === person.id || areOnePhone(person, other))
      if (samePhone.length > 1) await alignAll(scope, samePhone, tx)
    }
  }

  async function alignAll(scope: WorkspaceScope, samePhone: readonly ContactRecord[], tx: Tx): Promise<void> {
    const said = new Map<string, NewEntry[]>()
    for (const contact of samePhone) {
      const entries = await consent.ofContact(scope, contact.id, tx)
      const first = earlierEntry(contact)
      const isRecorded = entries.some(({ key }) => key === first?.key)
      said.set(contact.id, [...entries, ...(first && !isRecorded ? [first] : [])])
    }
    const decided = decidingOf([...said.values()].flat())
    for (const contact of samePhone) {
      const before = said.get(contact.id) ?? []
      const holds = decidingOf(before)
      const copies = consentCategories.flatMap((category) => {
        const entry = decided[category]
        if (!entry || entry.value === holds[category]?.value) return []
        const { value, source, note, memberId, at } = entry
        return [
          { contactId: contact.id, category, value, source, note, memberId, at, key: `${entry.key}@${contact.id}` },
        ]
      })
      if (copies.length === 0) continue
      const known = await consent.knownKeys(
        scope,
        [...before, ...copies].map(({ key }) => key),
        tx,
      )
      const fresh = [...before, ...copies].filter(({ key }) => !known.has(key))
      const recordedAt = now()
      await consent.insert(
        scope,
        fresh.map((entry) => ({ ...entry, recordedAt })),
        tx,
      )
      const [record = contact] = await contacts.readMany(scope, [contact.id], tx)
      await settle(scope, record, new Set(fresh.map(({ key }) => key)), tx)
    }
  }

  /** Records what a member learned from a customer. @throws `not_found`. */
  async function recordByMember(
    ctx: WorkspaceScope & { readonly userId: string },
    contactId: string,
    { category, value, note }: NewConsent,
  ): Promise<ConsentEntry> {
    await find(ctx, contactId)
    const key = `member:${newId()}`
    // WhatsApp's times have whole seconds: a statement of the customer in the same second must not look earlier.
    const at = new Date(Math.floor(now().getTime() / 1000) * 1000)
    const entry = { contactId, category, value, source: 'agent' as const, note, memberId: ctx.userId, at, key }
    const stored = (await transaction((tx) => record(ctx, [entry], tx))).find((recorded) => recorded.key === key)
    if (!stored) throw errors.notFound('There is no such contact.')
    return toEntry(stored)
  }

  /** Lists entries, the newest first; where none was recorded, the contact's initial consent. @throws `not_found`. */
  async function page(
    scope: WorkspaceScope,
    contactId: string,
    query: { limit?: number | undefined; cursor?: string | undefined },
  ): Promise<PageOf<ConsentEntry>> {
    const contact = await find(scope, contactId)
    const found = await consent.page(scope, contactId, query)
    const first = earlierEntry(contact)
    if (!first || found.items.length > 0) return { ...found, items: found.items.map(toEntry) }
    return { ...found, items: [toEntry({ ...first, id: contact.id, recordedAt: first.at })], total: 1 }
  }

  /** Returns the statements of some contacts after a place, the newest first; also the consent they came with. */
  async function behind(scope: WorkspaceScope, people: readonly ContactRecord[], stretch: TimeSlice) {
    const ids = people.map(({ id }) => id)
    const entries = await consent.behind(scope, ids, stretch)
    const first = people.flatMap((person) => earlierEntry(person) ?? [])
    const keys = first.map(({ key }) => key)
    const known = keys.length > 0 ? await consent.knownKeys(scope, keys, { session: null }) : new Set()
    const unrecorded = first
      .filter(({ key }) => !known.has(key))
      .map((entry) => ({ ...entry, id: entry.contactId, recordedAt: entry.at, takenBackAt: undefined }))
    return newestOf([...entries, ...unrecorded], stretch).map(({ id, at, ...entry }) => ({
      id,
      at,
      entry: toEntry({ id, at, ...entry }),
    }))
  }

  async function find(scope: WorkspaceScope, contactId: string): Promise<ContactRecord> {
    const contact = isId(contactId) ? await contacts.read(scope, contactId) : null
    if (!contact?.live) throw errors.notFound('There is no such contact.')
    return contact
  }

  /** A contact is erased: what they have opted out of is kept by their addresses' HMACs alone. */
  async function forget(scope: WorkspaceScope, person: ContactRecord, tx: Tx): Promise<void> {
    const hash = await settings.hashing(scope)
    const { optIn, utilityConsent: utility } = person
    const out = [
      ...(optIn.marketing === 'out' ? [{ category: 'marketing' as const, at: optIn.at ?? person.createdAt }] : []),
      ...(utility?.value === 'out' ? [{ category: 'utility' as const, at: utility.at }] : []),
    ]
    const all = out.flatMap((entry) => addressesOf(person).map((address) => ({ addressHash: hash(address), ...entry })))
    await consent.suppress(scope, all, tx)
    await consent.anonymise(scope, person.id, tx)
  }

  /** Yields everything that was recorded of a contact, in the form for the contact; the newest first. */
  async function* entriesOf(scope: WorkspaceScope, contactId: string): AsyncGenerator<object> {
    for await (const { category, value, source, note, at, recordedAt, takenBackAt } of consent.allOf(scope, contactId))
      yield { category, value, source, note, at, recordedAt, ...(takenBackAt && { takenBackAt }) }
  }

  return { record, align, recordByMember, page, behind, forget, entriesOf }
}

/** The entry of each category that decides. */
function decidingOf<T extends NewEntry>(entries: readonly T[]) {
  const decides = (category: ConsentCategory) => resolveConsent(entries.filter((entry) => entry.category === category))
  return { marketing: decides('marketing'), utility: decides('utility') }
}

const toEntry = ({
  id,
  category,
  value,
  source,
  note,
  memberId,
  at,
  recordedAt,
  takenBackAt,
}: Omit<EntryRecord, 'workspaceId' | 'contactId' | 'key'>): ConsentEntry => ({
  id,
  category,
  value,
  source,
  ...(note !== undefined && { note }),
  ...(memberId !== undefined && { memberId }),
  at: at.toISOString(),
  recordedAt: recordedAt.toISOString(),
  ...(takenBackAt && { takenBackAt: takenBackAt.toISOString() }),
})
