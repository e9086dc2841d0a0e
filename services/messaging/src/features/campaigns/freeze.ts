import type { Audience } from '@parley/contracts/campaign-fields'
import type { SkipReason } from '@parley/contracts/skip-reasons'
import { tooLongPart } from '@parley/contracts/template-values'
import type { Template } from '@parley/contracts/templates'
import { newId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { ListConsent } from '../consent/list-consent.ts'
import { toContact } from '../contacts/contact-fields.ts'
import type { ContactPart } from '../contacts/contact-query.ts'
import type { ContactRecord, ContactsService } from '../contacts/contacts.service.ts'
import { consentRefusal, recentRefusal } from '../sending/admit-send.ts'
import { saidBy } from '../sending/send-facts.ts'
import type { CampaignRecord, Frozen, FrozenTemplate } from './campaigns.model.ts'
import { fill } from './fill-values.ts'
import { contactsOf, type MissedAudience, type MissedRows } from './missed.ts'
import type { NewRecipient, RecipientsRepository } from './recipients.repository.ts'

const pageSize = 1000

/** Contacts that are chosen as they are now. */
type ChosenAudience = Exclude<Audience, MissedAudience>

/** What the parts of an audience are, as lists of contacts select them. */
export const selectionOf = (audience: ChosenAudience) =>
  audience.kind === 'contacts'
    ? { ids: audience.contactIds }
    : { filter: audience.kind === 'tags' ? { tags: audience.tags } : { segment: audience.segmentId, tags: undefined } }

export type PartsOfAudience = (scope: WorkspaceScope, audience: ChosenAudience) => Promise<ContactPart[]>
/** What decides who may be written to. */
export interface ConsentRules {
  /** Of the template; undefined where it was removed, and nothing is sent. */
  readonly category: Template['category'] | undefined
  readonly needsOptIn: boolean
  /** Marketing goes to nobody who has had some since then. */
  readonly recentSince: Date | undefined
}
export type Freeze = ReturnType<typeof createFreeze>

/** Whose audience is written down: a campaign's as it starts, or a draft's for its review. */
export interface Written {
  readonly id: string
  readonly workspaceId: string
  readonly audience: Audience
  readonly template: FrozenTemplate
  readonly variables: CampaignRecord['variables']
  readonly frozen: Frozen
}

/** A step with the change to its record that ends it. */
interface Step<T> {
  readonly seen: { readonly 'frozen.rows'?: number; readonly 'frozen.clearing'?: boolean }
  readonly update: (result: T) => { readonly $set: { readonly frozen?: Frozen } & Record<`frozen.${string}`, unknown> }
}

interface Writing<R> {
  /** Contacts that were made later are not in it. */
  readonly until: Date
  /** By which a contact is left out. Each message is judged once more before it leaves. */
  readonly rules: () => Promise<ConsentRules>
  /** Stores a step together with its record, or nothing where that is not as it was seen. */
  readonly store: <T>(step: Step<T>, work: (tx: Tx) => Promise<T>) => Promise<R | null>
}

/**
 * Writes an audience down as rows, page by page. Each page is one transaction with the place that it ends at: whoever dies is
 * followed by another from there, and of two at once one comes to nothing. What was written down before is deleted first, in the
 * same way.
 */
export function createFreeze({
  recipients,
  contacts,
  partsOfAudience,
  missed,
  suppressions,
}: {
  recipients: Pick<RecipientsRepository, 'insert' | 'addressed' | 'removeSome'>
  contacts: Pick<ContactsService, 'walk'>
  partsOfAudience: PartsOfAudience
  missed: Pick<MissedRows, 'after'>
  suppressions: ListConsent['suppressions']
}) {
  /** The next contacts of the audience, and the place that they end at. */
  async function readPage({ workspaceId, audience, frozen }: Written, until: Date) {
    const scope = { workspaceId }
    if (audience.kind !== 'campaign') {
      const parts = await partsOfAudience(scope, audience)
      const found = await contacts.walk(scope, parts, { after: frozen.after, until, limit: pageSize })
      return { found, after: found.at(-1)?.id ?? frozen.after, done: found.length < pageSize }
    }
    const rows = await missed.after(scope, audience, { after: frozen.after, limit: pageSize })
    const found = await contacts.walk(scope, [contactsOf(rows)], { after: undefined, until, limit: pageSize })
    return { found, after: rows.at(-1)?.id ?? frozen.after, done: rows.length < pageSize }
  }

  /** Deletes some of the rows that were written down before. */
  const clear = <R>({ id, workspaceId }: Pick<Written, 'id' | 'workspaceId'>, store: Writing<R>['store']) =>
    store<boolean>(
      { seen: { 'frozen.clearing': true }, update: (isMore) => ({ $set: { 'frozen.clearing': isMore } }) },
      (tx) => recipients.removeSome({ workspaceId }, id, tx),
    )

  async function nextPage<R>(written: Written, { until, rules, store }: Writing<R>): Promise<R | null> {
    const scope = { workspaceId: written.workspaceId }
    const { frozen } = written
    const { found, after, done } = await readPage(written, until)
    const [{ category, needsOptIn, recentSince }, isSuppressed] = await Promise.all([
      rules(),
      suppressions(scope, found),
    ])
    const refusalOf = (contact: ContactRecord) =>
      category &&
      (consentRefusal(category, saidBy(contact, isSuppressed), needsOptIn) ??
        recentRefusal(category, contact, recentSince))
    const before = frozen.rows === 0 ? 0 : frozen.pending
    const update = (pending: number) => {
      const next = { ...(after !== undefined && { after }), rows: frozen.rows + found.length, done }
      const again = frozen.again && { again: frozen.again }
      return { $set: { frozen: { ...next, ...again, ...(before !== undefined && { pending: before + pending }) } } }
    }
    return store({ seen: { 'frozen.rows': frozen.rows }, update }, async (tx) => {
      const addresses = found.flatMap((contact) => addressOf(contact) ?? [])
      const taken = await recipients.addressed(scope, written.id, addresses, tx)
      const rows = found.map((contact, place) => rowOf(written, contact, { n: frozen.rows + place, taken, refusalOf }))
      await recipients.insert(scope, rows, tx)
      return rows.filter(({ state }) => state === 'pending').length
    })
  }

  /** The next step. @returns the record as it is then; null where it has changed meanwhile. */
  const next = <R>(written: Written, writing: Writing<R>): Promise<R | null> =>
    written.frozen.clearing ? clear(written, writing.store) : nextPage(written, writing)

  return { next, clear }
}

/** Where a contact is reached. */
const addressOf = ({ phone, waUserId }: Pick<ContactRecord, 'phone' | 'waUserId'>): string | undefined =>
  phone ?? waUserId

/** @param place.taken addresses that the campaign has already; that of this row is added. */
function rowOf(
  written: Written,
  contact: ContactRecord,
  place: {
    n: number
    taken: Set<string>
    refusalOf: (contact: ContactRecord) => SkipReason | undefined
  },
): NewRecipient {
  const { n, taken, refusalOf } = place
  const row = { _id: newId(), campaignId: written.id, contactId: contact.id, n }
  const to = addressOf(contact)
  const filled = fill(written, toContact(contact))
  const reason = contact.blocked
    ? 'blocked'
    : to === undefined
      ? 'no_address'
      : taken.has(to)
        ? 'duplicate_address'
        : (refusalOf(contact) ?? (tooLongPart(written.template, filled.values) ? 'value_too_long' : undefined))
  if (reason !== undefined || to === undefined) return { ...row, state: 'skipped', reason }
  taken.add(to)
  const { values, fallbacks } = filled
  return { ...row, to, values, ...(fallbacks > 0 && { fallbacks }), state: 'pending' }
}
