import { type ConsentCategory, consentCategories } from '@parley/contracts/contacts/consent'
import type { Clock } from '@parley/service-kit/core/clock'
import { newId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { ContactRecord } from '../contacts.service.ts'
import type { ConsentRepository, NewEntryRecord, Suppression } from './consent.repository.ts'
import type { ConsentSettingsService } from './consent-settings.service.ts'
import { addressesOf, addressFormsOf, earlierEntry, type Who } from './earlier-entry.ts'

/** An entry of a list, with the id that its contact names. */
export interface ListedEntry extends Omit<NewEntryRecord, 'recordedAt'> {
  readonly _id: string
  /** Person it is about, as stored once the list is written. */
  readonly who: Who
}
export type IsSuppressed = (person: Who, category: ConsentCategory) => boolean
export type ListConsent = ReturnType<typeof createListConsent>

/** Records consent from lists: many entries at once, in the transaction that writes their contacts. */
export function createListConsent({
  consent,
  settings,
  now = () => new Date(),
}: {
  consent: Pick<
    ConsentRepository,
    'entriesOf' | 'hasSuppressions' | 'insertPlain' | 'knownKeys' | 'release' | 'suppress' | 'suppressed' | 'revoke'
  >
  settings: Pick<ConsentSettingsService, 'hashing'>
  now?: Clock
}) {
  /** @returns whether one of a person's addresses has opted out of a category, whatever contact it belonged to. */
  async function suppressions(
    scope: WorkspaceScope,
    people: readonly Who[],
    session?: Tx['session'],
  ): Promise<IsSuppressed> {
    // Most workspaces have no suppressed addresses: then none of the list has to be hashed.
    if (!(await consent.hasSuppressions(scope, session))) return () => false
    const hash = await settings.hashing(scope)
    const hashes = [...new Set(people.flatMap(addressFormsOf).map(hash))]
    const found = hashes.length > 0 ? await consent.suppressed(scope, hashes, session) : []
    const known = new Set(found.map(({ addressHash, category }) => `${addressHash}/${category}`))
    return (person, category) =>
      known.size > 0 && addressFormsOf(person).some((address) => known.has(`${hash(address)}/${category}`))
  }

  /**
   * Stores entries whose contacts carry them already: none is from a person who has opted out.
   * @param before their contacts as they were, of whom something may be recorded first.
   */
  async function add(
    scope: WorkspaceScope,
    entries: readonly ListedEntry[],
    before: readonly ContactRecord[],
    tx: Tx,
  ): Promise<void> {
    if (entries.length === 0) return
    const recordedAt = now()
    const earlier = before.flatMap((contact) => earlierEntry(contact) ?? [])
    const known =
      earlier.length > 0
        ? await consent.knownKeys(
            scope,
            earlier.map(({ key }) => key),
            tx,
          )
        : new Set()
    const listEntries = entries.map(({ who: _who, ...entry }) => entry)
    const all = [...earlier.filter(({ key }) => !known.has(key)), ...listEntries]
    await consent.insertPlain(
      scope,
      all.map((entry) => ({ ...entry, recordedAt })),
      tx,
    )
    await consent.suppress(scope, await outOf(scope, entries, addressesOf), tx)
  }

  /**
   * Takes entries of a list back: they are kept, and count no more. An address that only they have opted out is free again.
   * @param rows keys of entries with their contacts as they are now.
   * @returns the ids of those that were what their contact's consent rests on.
   */
  async function revoke(
    scope: WorkspaceScope,
    rows: readonly { readonly key: string; readonly contact: ContactRecord }[],
    tx: Tx,
  ): Promise<Set<string>> {
    if (rows.length === 0) return new Set()
    const contactOf = new Map(rows.map(({ key, contact }) => [key, contact]))
    const entries = await consent.entriesOf(scope, [...contactOf.keys()], tx)
    const current = entries.flatMap((entry) => {
      const contact = contactOf.get(entry.key)
      const decides = contact?.optIn.entryId === entry.id || contact?.utilityConsent?.entryId === entry.id
      return contact && decides ? [{ ...entry, who: contact }] : []
    })
    await consent.revoke(
      scope,
      entries.map(({ id }) => id),
      now(),
      tx,
    )
    await consent.release(scope, await outOf(scope, current, addressFormsOf), tx, { same: true })
    return new Set(current.map(({ id }) => id))
  }

  async function outOf(
    scope: WorkspaceScope,
    entries: readonly {
      readonly who: Who
      readonly value: 'in' | 'out'
      readonly category: ConsentCategory
      readonly at: Date
    }[],
    addresses: (who: Who) => string[],
  ): Promise<Suppression[]> {
    const hash = await settings.hashing(scope)
    return entries
      .filter(({ value }) => value === 'out')
      .flatMap(({ who, category, at }) =>
        addresses(who).map((address) => ({ addressHash: hash(address), category, at })),
      )
  }

  return { suppressions, add, revoke }
}

/** Keeps a person who comes back after a deletion opted out of these categories. @param key names what has brought them back. */
export function backOptedOut(categories: readonly ConsentCategory[], { at, key }: { at: Date; key: string }) {
  const entries = categories.map((category) => ({
    _id: newId(),
    category,
    value: 'out' as const,
    source: 'suppression' as const,
    at,
    key: `suppression:${key}:${category}`,
  }))
  const idOf = (category: ConsentCategory) => entries.find((entry) => entry.category === category)?._id
  const [marketing, utility] = [idOf('marketing'), idOf('utility')]
  const fields = {
    ...(marketing && { optIn: { marketing: 'out' as const, source: 'suppression', at, entryId: marketing } }),
    ...(utility && { utilityConsent: { value: 'out' as const, at, entryId: utility } }),
  }
  return { entries, fields }
}

/** Returns the categories that a person has opted out of. */
export const suppressedCategories = (person: Who, isSuppressed: IsSuppressed): ConsentCategory[] =>
  consentCategories.filter((category) => isSuppressed(person, category))

/** Returns the present second, as WhatsApp's times: a statement of the customer within it must not look earlier. */
export const thisSecond = (): Date => new Date(Math.floor(Date.now() / 1000) * 1000)
