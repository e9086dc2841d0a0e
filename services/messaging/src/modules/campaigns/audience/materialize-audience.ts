import type { Audience } from '@parley/contracts/campaigns/campaign-fields'
import { isFileHeader } from '@parley/contracts/campaigns/recipient-files'
import type { Template } from '@parley/contracts/templates/templates'
import { fileOfContact } from '@parley/flow/recipient-file'
import { zonesOf } from '@parley/phone/contact-zones'
import { lineForms, lineKey } from '@parley/phone/line'
import { tooLongPart } from '@parley/rules/template-values'
import { newId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { ListConsent } from '../../contacts/consent/list-consent.ts'
import { toContact } from '../../contacts/contact-fields.ts'
import { partOfIds } from '../../contacts/contact-query.ts'
import type { ContactRecord, ContactsService } from '../../contacts/contacts.service.ts'
import type { ImportPeople } from '../../contacts/imports/import-people.ts'
import { consentOf } from '../../outbound/sending/send-facts.ts'
import type { SendingHoursService } from '../../outbound/sending-hours/sending-hours.service.ts'
import type { CampaignRecord, Frozen, FrozenTemplate, ZoneGroup } from '../campaigns.model.ts'
import type { RecipientListsRepository } from '../recipients/recipient-lists.repository.ts'
import type { NewRecipient, RecipientsRepository } from '../recipients/recipients.repository.ts'
import type { AudienceParts } from './audience-parts.ts'
import { createFill } from './fill-values.ts'
import { type ConsentRules, type Judged, leftOutReason } from './left-out-reason.ts'
import { contactsOf, type RetargetAudience } from './retarget-audience.ts'

const pageSize = 1000

export type MaterializeAudience = ReturnType<typeof createMaterializeAudience>

/** Owner of the stored audience: a campaign as it starts, or a draft for its review. */
export interface Written {
  readonly id: string
  readonly workspaceId: string
  readonly audience: Audience
  readonly template: FrozenTemplate
  readonly variables: CampaignRecord['variables']
  readonly recipientFile?: CampaignRecord['recipientFile']
  readonly frozen: Frozen
  readonly anyHour?: true | undefined
}

/** A step with the change to its record that ends it. */
interface Step<T> {
  readonly expected: { readonly 'frozen.rows'?: number; readonly 'frozen.clearing'?: boolean }
  readonly update: (result: T) => { readonly $set: { readonly frozen?: Frozen } & Record<`frozen.${string}`, unknown> }
}

interface Writing<R> {
  /** Contacts that were made later are not in it. */
  readonly until: Date
  /** Returns the rules by which a contact is left out. Each message is judged once more before it leaves. */
  readonly rules: () => Promise<ConsentRules>
  /** Stores a step together with its record, or nothing where that is not as it was seen. */
  readonly store: <T>(step: Step<T>, work: (tx: Tx) => Promise<T>) => Promise<R | null>
}

/**
 * Stores an audience as rows, page by page. Each page is one transaction with the place at which it ends: another worker continues
 * from there after a crash, and of two at once one stores nothing. Rows stored before are deleted first, in the same way.
 */
export function createMaterializeAudience({
  recipients,
  rows,
  contacts,
  audiences,
  missed,
  importPeople,
  listConsent: { suppressions },
  sendingHours,
}: {
  recipients: Pick<RecipientsRepository, 'insert' | 'addressed' | 'removeSome'>
  rows: Pick<RecipientListsRepository, 'ofContacts'>
  contacts: Pick<ContactsService, 'walk'>
  audiences: Pick<AudienceParts, 'chosen' | 'leftOutOf'>
  missed: Pick<RetargetAudience, 'after'>
  importPeople: Pick<ImportPeople, 'batch'>
  listConsent: Pick<ListConsent, 'suppressions'>
  sendingHours: Pick<SendingHoursService, 'read'>
}) {
  /** The next contacts of the audience, and the place that they end at. */
  async function readPage({ id, workspaceId, audience, frozen: { after } }: Written, until: Date) {
    const scope = { workspaceId }
    const named = (ids: readonly string[]) =>
      contacts.walk(scope, [partOfIds(ids)], { after: undefined, until, limit: pageSize })
    if (audience.kind === 'campaign') {
      const earlier = await missed.after(scope, audience, { after, limit: pageSize })
      const found = await named(contactsOf(earlier))
      return { found, after: earlier.at(-1)?.id ?? after, done: earlier.length < pageSize }
    }
    if (audience.kind === 'import') {
      const batch = after === undefined ? 0 : Number(after) + 1
      const ids = await importPeople.batch(scope, audience.importId, batch)
      if (!ids) return { found: [], after, done: true }
      // Two rows of a file may be about one contact: one by its phone number, one by its user id.
      const before = new Set(contactsOf(await rows.ofContacts(scope, [id], ids)))
      const found = await named(ids.filter((contactId) => !before.has(contactId)))
      return { found, after: String(batch), done: false }
    }
    const parts = await audiences.chosen(scope, audience)
    const found = await contacts.walk(scope, parts, { after, until, limit: pageSize })
    return { found, after: found.at(-1)?.id ?? after, done: found.length < pageSize }
  }

  /** Deletes some of the rows that were written down before. */
  const clear = <R>({ id, workspaceId }: Pick<Written, 'id' | 'workspaceId'>, store: Writing<R>['store']) =>
    store<boolean>(
      { expected: { 'frozen.clearing': true }, update: (isMore) => ({ $set: { 'frozen.clearing': isMore } }) },
      (tx) => recipients.removeSome({ workspaceId }, id, tx),
    )

  async function nextPage<R>(written: Written, { until, rules, store }: Writing<R>): Promise<R | null> {
    const scope = { workspaceId: written.workspaceId }
    const { frozen } = written
    const { found, after, done } = await readPage(written, until)
    const [judgedBy, isExcluded, isSuppressed] = await Promise.all([
      rules(),
      audiences.leftOutOf(scope, written.audience.exclude, found),
      suppressions(scope, found),
    ])
    const factsOf = (contact: ContactRecord) => ({
      ...judgedBy,
      isExcluded: isExcluded(contact),
      consent: consentOf(contact, isSuppressed),
    })
    const zones = await groupsOf(sendingHours, written, judgedBy.category)
    const before = frozen.rows === 0 ? 0 : frozen.pending
    const update = (pending: number) => {
      const next = { ...(after !== undefined && { after }), rows: frozen.rows + found.length, done }
      const again = { ...(frozen.again && { again: frozen.again }), ...(zones && { groups: zones.groups }) }
      return { $set: { frozen: { ...next, ...again, ...(before !== undefined && { pending: before + pending }) } } }
    }
    const fill = createFill(written)
    return store({ expected: { 'frozen.rows': frozen.rows }, update }, async (tx) => {
      const addresses = found.flatMap((contact) => [addressOf(contact) ?? []].flat().flatMap(lineForms))
      // Compared by lines: two ways of writing one number are one recipient.
      const addressed = new Set([...(await recipients.addressed(scope, written.id, addresses, tx))].map(lineKey))
      const added = found.map((contact, index): NewRecipient => {
        const row = rowOf(written, contact, { n: frozen.rows + index, addressed, factsOf, fill })
        return zones && row.state === 'pending' ? { ...row, zone: zones.groupIndexOf(contact) } : row
      })
      await recipients.insert(scope, added, tx)
      return added.filter(({ state }) => state === 'pending').length
    })
  }

  /** The next step. @returns the record as it is then; null where it has changed meanwhile. */
  const next = <R>(written: Written, writing: Writing<R>): Promise<R | null> =>
    written.frozen.clearing ? clear(written, writing.store) : nextPage(written, writing)

  return { next, clear }
}

/** Returns the address at which a contact is reached. */
const addressOf = ({ phone, waUserId }: Pick<ContactRecord, 'phone' | 'waUserId'>): string | undefined =>
  phone ?? waUserId

/** @param context.addressed lines and user ids that the campaign has already; that of this row is added. */
function rowOf(
  written: Written,
  contact: ContactRecord,
  context: {
    n: number
    addressed: Set<string>
    factsOf: (contact: ContactRecord) => Omit<Judged, 'to' | 'isTaken' | 'isTooLong' | 'file'>
    fill: ReturnType<typeof createFill>
  },
): NewRecipient {
  const { n, addressed, factsOf, fill } = context
  const row = { _id: newId(), campaignId: written.id, contactId: contact.id, n }
  const to = addressOf(contact)
  const shown = toContact(contact)
  const { values, fallbacks } = fill(shown)
  const { recipientFile, template } = written
  const file =
    recipientFile && isFileHeader(template.headerMedia?.kind) ? fileOfContact(recipientFile, shown) : undefined
  const reason = leftOutReason(contact, {
    ...factsOf(contact),
    to,
    isTaken: to !== undefined && addressed.has(lineKey(to)),
    isTooLong: tooLongPart(template, values) !== undefined,
    file: typeof file === 'string' ? file : undefined,
  })
  if (reason !== undefined || to === undefined) return { ...row, state: 'skipped', reason }
  addressed.add(lineKey(to))
  return {
    ...row,
    to,
    values,
    ...(typeof file === 'object' && { file }),
    ...(fallbacks > 0 && { fallbacks }),
    state: 'pending',
  }
}

/** An audience that is being written down. */
type Grouped = WorkspaceScope & Pick<CampaignRecord, 'frozen' | 'anyHour'>

/**
 * Groups of recipients who have the same hours, for marketing that keeps to the hours of a workspace: in each contact's own time
 * zone. Whether there are groups is decided with the first page of an audience. Without them the workspace's zone counts for all.
 */
async function groupsOf(
  sendingHours: Pick<SendingHoursService, 'read'>,
  { workspaceId, frozen, anyHour }: Grouped,
  category: Template['category'] | undefined,
) {
  if (frozen.rows > 0) return frozen.groups && collect(frozen.groups)
  const isLimited = category === 'marketing' && !anyHour && (await sendingHours.read({ workspaceId })).limited
  return isLimited ? collect([]) : undefined
}

function collect(known: readonly ZoneGroup[]) {
  const groups = [...known]
  const indexes = new Map(groups.map(({ zones }, index) => [zones.join(), index]))
  return {
    groups,
    /** Returns the place of a contact's group; adds a group where no contact has had these zones before. */
    groupIndexOf(contact: ContactRecord): number {
      const zones = zonesOf(contact)
      const key = zones.join()
      const index = indexes.get(key) ?? groups.push({ zones }) - 1
      indexes.set(key, index)
      return index
    },
  }
}
