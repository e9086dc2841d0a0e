import type { Absence, Explanation } from '@parley/contracts/campaigns/campaign-results'
import { errors } from '@parley/service-kit/core/errors'
import { isId, madeAt } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { toContact } from '../../contacts/contact-fields.ts'
import type { ContactRecord, ContactsRepository } from '../../contacts/contacts.service.ts'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { CampaignsService } from '../campaigns.service.ts'
import { checkRowsKept } from '../recipients/old-rows.ts'
import type { RecipientListsRepository } from '../recipients/recipient-lists.repository.ts'
import type { ShowRecipients } from '../recipients/show-recipients.ts'
import { createAudienceAnswers } from './audience-answers.ts'

/** Explains what has become of a contact in a campaign, or why a contact is not in it. */
export function createExplain(
  deps: Parameters<typeof createAudienceAnswers>[0] & {
    shown: Pick<CampaignsService, 'find'>
    contacts: Pick<ContactsRepository, 'read'>
    contactRecords: Pick<ContactsRepository, 'mergedIds'>
    rows: Pick<RecipientListsRepository, 'ofContacts'>
    show: ShowRecipients
  },
) {
  const { rows, show } = deps
  const { find } = deps.shown
  const { mergedIds } = deps.contactRecords
  const readContact = deps.contacts.read
  const answersOf = createAudienceAnswers(deps)

  /** @throws `not_found` for a campaign or a contact that this workspace does not have; `recipients_removed`. */
  return async function explain(scope: WorkspaceScope, id: string, contactId: string): Promise<Explanation> {
    const campaign = await find(scope, id)
    checkRowsKept(campaign)
    const record = await contactOf(scope, contactId)
    const ids = [...new Set([contactId, record.id, ...(await mergedIds(scope, record.id))])]
    const [row] = await rows.ofContacts(scope, [campaign.id], ids)
    const [shown] = row ? await show(scope, [row]) : []
    if (shown) return { kind: 'row', recipient: shown.recipient }
    if (!record.live) throw noContact()
    const conditions = await answersOf(scope, campaign.audience, { contact: toContact(record), ids })
    const writtenAt = writtenAtOf(campaign)
    return {
      kind: 'no_row',
      why: absenceOf(campaign, record, conditions?.holds === true),
      ...(writtenAt && { writtenAt: writtenAt.toISOString() }),
      addedAt: record.createdAt.toISOString(),
      conditions,
    }
  }

  /** Returns a contact; for a merged one, the contact that it was merged into. */
  async function contactOf(scope: WorkspaceScope, id: string): Promise<ContactRecord> {
    const record = isId(id) ? await readContact(scope, id) : null
    if (!record) throw noContact()
    return record.merged ? contactOf(scope, record.merged.id) : record
  }
}

const noContact = () => errors.notFound('There is no such contact.')

/** Contacts that were made later are not in its audience. */
function writtenAtOf({ frozen, launched, startedAt }: CampaignRecord): Date | undefined {
  if (!frozen.done) return undefined
  // An id begins with the second in which it was made: a review includes the contacts that exist when it begins.
  return frozen.again || !launched ? startedAt : new Date(madeAt(launched.reviewId).getTime() + 999)
}

function absenceOf(campaign: CampaignRecord, { createdAt }: ContactRecord, matches: boolean): Absence {
  const writtenAt = writtenAtOf(campaign)
  if (!campaign.startedAt) return 'not_begun'
  if (!writtenAt) return 'not_written'
  if (createdAt > writtenAt) return 'added_later'
  return matches ? 'matches_now' : 'not_in_audience'
}
