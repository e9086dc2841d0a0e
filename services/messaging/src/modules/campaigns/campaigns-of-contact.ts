import {
  type CampaignOfContact,
  campaignsLookedThrough,
  maxCampaignsOfContact,
} from '@parley/contracts/campaigns/campaign-recipients'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { newestOf, type TimeSlice } from '../../platform/time-slice.ts'
import type { ContactListsService } from '../contacts/contact-lists.service.ts'
import type { ContactsRepository } from '../contacts/contacts.service.ts'
import type { CampaignsRepository } from './campaigns.repository.ts'
import type { RecipientListsRepository } from './recipients/recipient-lists.repository.ts'
import type { RecipientRecord } from './recipients/recipients.model.ts'
import type { ShowRecipients } from './recipients/show-recipients.ts'

/** A row, and the campaign that it is of. */
interface Chosen {
  /** Id of the row. */
  readonly id: string
  readonly row: RecipientRecord
  readonly campaignName: string
  /** Time at which the campaign began. */
  readonly at: Date
}

/** Campaigns that contacts were chosen for, among the latest ones, and what has become of each. */
export function createCampaignsOfContact({
  rows,
  show,
  contactLists: { read: readContact },
  contactRecords: { mergedIds },
  campaigns: { latestBegun },
}: {
  rows: Pick<RecipientListsRepository, 'ofContacts'>
  show: ShowRecipients
  contactLists: Pick<ContactListsService, 'read'>
  contactRecords: Pick<ContactsRepository, 'mergedIds'>
  campaigns: Pick<CampaignsRepository, 'latestBegun'>
}) {
  /** Returns the campaigns of a contact, and of those that were merged into it. @throws `not_found`. */
  async function ofContact(scope: WorkspaceScope, contactId: string): Promise<{ items: CampaignOfContact[] }> {
    const { id } = await readContact(scope, contactId)
    const chosen = await chosenOf(scope, [id, ...(await mergedIds(scope, id))])
    return { items: await shown(scope, chosen.slice(0, maxCampaignsOfContact)) }
  }

  /** Returns the campaigns of contacts who are one, after a place. */
  async function behind(scope: WorkspaceScope, contactIds: readonly string[], stretch: TimeSlice) {
    return shown(scope, newestOf(await chosenOf(scope, contactIds), stretch))
  }

  /** The latest campaign first. */
  async function chosenOf(scope: WorkspaceScope, contactIds: readonly string[]): Promise<Chosen[]> {
    const latest = await latestBegun(scope, campaignsLookedThrough)
    const campaignIds = latest.map(({ id }) => id)
    const byCampaign = Map.groupBy(await rows.ofContacts(scope, campaignIds, contactIds), (row) => row.campaignId)
    return latest.flatMap(({ id, name, startedAt: at }) =>
      at ? (byCampaign.get(id) ?? []).map((row) => ({ id: row.id, row, campaignName: name, at })) : [],
    )
  }

  async function shown(scope: WorkspaceScope, chosen: readonly Chosen[]): Promise<CampaignOfContact[]> {
    const recipients = await show(
      scope,
      chosen.map(({ row }) => row),
    )
    return chosen.flatMap(({ row: { campaignId }, campaignName, at }, index): CampaignOfContact[] => {
      const recipient = recipients[index]?.recipient
      if (!recipient) return []
      const { id, state, reason, code, clicked, replied, times } = recipient
      const failure = { ...(reason !== undefined && { reason }), ...(code !== undefined && { code }) }
      const row = { id, state, ...failure, ...(clicked && { clicked }), ...(replied && { replied }), times }
      return [{ ...row, campaignId, campaignName, startedAt: at.toISOString() }]
    })
  }

  return { ofContact, behind }
}
