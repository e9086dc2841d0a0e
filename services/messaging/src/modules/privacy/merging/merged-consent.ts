import { consentCategories } from '@parley/contracts/contacts/consent'
import type { Clock } from '@parley/service-kit/core/clock'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { ConsentService, NewEntry } from '../../contacts/consent/consent.service.ts'
import type { ListConsent } from '../../contacts/consent/list-consent.ts'
import type { ContactRecord } from '../../contacts/contacts.service.ts'
import { consentOf } from '../../outbound/sending/send-facts.ts'
import { type Merged, type Merger, memberOf } from './merged-fields.ts'

/** Carries consent over in a merge. */
export function createMergedConsent({
  consent: { record, align },
  listConsent: lists,
  now = () => new Date(),
}: {
  readonly consent: Pick<ConsentService, 'align' | 'record'>
  readonly listConsent: Pick<ListConsent, 'suppressions' | 'revoke'>
  readonly now?: Clock
}) {
  /**
   * Returns the entries that the kept contact takes over from the other one: an opt-out always, an opt-in where the kept one has
   * said nothing.
   */
  async function of(ctx: Merger, kept: ContactRecord, other: ContactRecord): Promise<NewEntry[]> {
    const isSuppressed = await lists.suppressions(ctx, [other])
    const [keptConsent, theirs] = [consentOf(kept, () => false), consentOf(other, isSuppressed)]
    const second = new Date(Math.floor(now().getTime() / 1000) * 1000)
    return consentCategories.flatMap((category): NewEntry[] => {
      const value = theirs[category]
      const counts =
        value === 'out' ? keptConsent[category] !== 'out' : value === 'in' && keptConsent[category] === 'unknown'
      if (value === 'unknown' || !counts) return []
      const decidedAt = category === 'marketing' ? other.optIn.at : other.utilityConsent?.at
      const at = value === 'out' ? second : (decidedAt ?? second)
      const key = `merge:${other.id}:${now().getTime()}:${category}`
      return [{ contactId: kept.id, category, value, source: 'merge', note: other.name, ...memberOf(ctx), at, key }]
    })
  }

  /** Revokes the consent that the merge has recorded. @returns the changes to the contact as it is now. */
  async function revoke(
    ctx: Merger,
    kept: ContactRecord,
    { consentKeys, before: { optIn, utilityConsent } }: Merged,
    tx: Tx,
  ): Promise<Partial<ContactRecord>> {
    const rows = consentKeys.map((key) => ({ key, contact: kept }))
    const decided = await lists.revoke(ctx, rows, tx)
    return {
      ...(kept.optIn.entryId && decided.has(kept.optIn.entryId) && { optIn }),
      ...(kept.utilityConsent && decided.has(kept.utilityConsent.entryId) && { utilityConsent }),
    }
  }

  return { record, align, of, revoke }
}
