import type { Audience } from '@parley/contracts/campaigns'
import { templatePlaceholders } from '@parley/contracts/placeholders'
import type { SkipReason } from '@parley/contracts/skip-reasons'
import { tooLongPart } from '@parley/contracts/template-values'
import type { Template } from '@parley/contracts/templates'
import { type NamedContact, templateValue } from '@parley/flow/template-values'
import { parsePhone } from '@parley/phone'
import { newId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ListConsent } from '../consent/list-consent.ts'
import { toContact } from '../contacts/contact-fields.ts'
import type { ContactPart } from '../contacts/contact-query.ts'
import type { ContactRecord, ContactsService } from '../contacts/contacts.service.ts'
import { consentRefusal, recentRefusal } from '../sending/admit-send.ts'
import { saidBy } from '../sending/send-facts.ts'
import type { CampaignRecord } from './campaigns.model.ts'
import type { ChangeAtEnd } from './change-at-end.ts'
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

/**
 * Writes an audience down as rows, page by page. Each page is one transaction with the place that it ends at: whoever dies is
 * followed by another from there, and of two at once one comes to nothing.
 */
export function createFreeze({
  recipients,
  contacts,
  partsOfAudience,
  missed,
  rulesOf,
  suppressions,
  changeAtEnd,
}: {
  recipients: Pick<RecipientsRepository, 'insert' | 'addressed'>
  contacts: Pick<ContactsService, 'walk'>
  partsOfAudience: PartsOfAudience
  missed: Pick<MissedRows, 'after'>
  /** By which a contact is left out now. Each message is judged once more before it leaves. */
  rulesOf: (campaign: CampaignRecord) => Promise<ConsentRules>
  suppressions: ListConsent['suppressions']
  changeAtEnd: ChangeAtEnd
}) {
  /** The next contacts of the audience, and the place that they end at. */
  async function readPage({ workspaceId, audience, frozen, startedAt: until = new Date() }: CampaignRecord) {
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

  /** @returns the campaign as it is then; null where it has changed meanwhile. */
  return async function nextPage(campaign: CampaignRecord): Promise<CampaignRecord | null> {
    const scope = { workspaceId: campaign.workspaceId }
    const { frozen } = campaign
    const { found, after, done } = await readPage(campaign)
    const [rules, isSuppressed] = await Promise.all([rulesOf(campaign), suppressions(scope, found)])
    const refusalOf = (contact: ContactRecord) =>
      rules.category &&
      (consentRefusal(rules.category, saidBy(contact, isSuppressed), rules.needsOptIn) ??
        recentRefusal(rules.category, contact, rules.recentSince))
    const before = frozen.rows === 0 ? 0 : frozen.pending
    const update = (pending: number) => {
      const next = { ...(after !== undefined && { after }), rows: frozen.rows + found.length, done }
      return { $set: { frozen: { ...next, ...(before !== undefined && { pending: before + pending }) } } }
    }
    const seen = { status: 'active' as const, 'frozen.rows': frozen.rows }
    const changed = await changeAtEnd(campaign, { seen, update }, async (tx) => {
      const addresses = found.flatMap((contact) => addressOf(contact) ?? [])
      const taken = await recipients.addressed(scope, campaign.id, addresses, tx)
      const rows = found.map((contact, place) => rowOf(campaign, contact, { n: frozen.rows + place, taken, refusalOf }))
      await recipients.insert(scope, rows, tx)
      return rows.filter(({ state }) => state === 'pending').length
    })
    return changed?.campaign ?? null
  }
}

/** Where a contact is reached. */
const addressOf = ({ phone, waUserId }: Pick<ContactRecord, 'phone' | 'waUserId'>): string | undefined =>
  phone ?? waUserId

/** @param place.taken addresses that the campaign has already; that of this row is added. */
function rowOf(
  campaign: CampaignRecord,
  contact: ContactRecord,
  place: {
    n: number
    taken: Set<string>
    refusalOf: (contact: ContactRecord) => SkipReason | undefined
  },
): NewRecipient {
  const { n, taken, refusalOf } = place
  const row = { _id: newId(), campaignId: campaign.id, contactId: contact.id, n }
  const to = addressOf(contact)
  const reason = contact.blocked
    ? 'blocked'
    : to === undefined
      ? 'no_address'
      : taken.has(to)
        ? 'duplicate_address'
        : refusalOf(contact)
  if (reason !== undefined || to === undefined) return { ...row, state: 'skipped', reason }
  const values = valuesFor(campaign, toContact(contact))
  if (tooLongPart(campaign.template, values)) return { ...row, state: 'skipped', reason: 'value_too_long' }
  taken.add(to)
  return { ...row, to, values, state: 'pending' }
}

/** What a contact reads in the places of the template's variables. */
export function valuesFor(
  { template, variables }: Pick<CampaignRecord, 'template' | 'variables'>,
  { phone, ...named }: NamedContact,
): Record<string, string> {
  const shown = { ...named, ...(phone && { phone: parsePhone(phone)?.international ?? phone }) }
  return Object.fromEntries(
    templatePlaceholders(template).map((key) => {
      const source = variables[key]
      return [key, source ? templateValue(source, shown) : '']
    }),
  )
}
