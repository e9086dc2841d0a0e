import type { Audience, Missed } from '@parley/contracts/campaign-fields'
import { errors } from '@parley/service-kit/core/errors'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { type ContactPart, partOfIds } from '../contacts/contact-query.ts'
import type { CampaignRecord } from './campaigns.model.ts'
import type { CampaignsRepository } from './campaigns.repository.ts'
import { inStates } from './recipient-lists.repository.ts'
import type { RecipientRecord } from './recipients.model.ts'
import type { RecipientsRepository } from './recipients.repository.ts'

export type MissedAudience = Extract<Audience, { kind: 'campaign' }>
interface Page {
  readonly after: string | undefined
  readonly limit: number
}
export type MissedRows = ReturnType<typeof createMissedRows>

const pageSize = 1000
/** WhatsApp's code for marketing that it holds back from somebody who gets much of it: no earlier than a day later. */
const heldBack = '131049'
/** A day, and an hour within which the last failures of a campaign are told. */
const heldBackMs = 25 * 3_600_000

const notYet = { $ne: true as const }

const rowsOf = {
  failed: inStates('failed'),
  not_delivered: inStates('sent'),
  not_read: inStates('delivered'),
  not_replied: inStates('delivered', 'read'),
} satisfies Record<Missed, object>

export const contactsOf = (rows: readonly RecipientRecord[]): string[] => rows.map(({ contactId }) => contactId)

/** Whom an earlier campaign has not reached, or who has not answered it, as the audience of another one. */
export function createMissedRows({
  campaigns,
  recipients,
  now = () => new Date(),
}: {
  campaigns: Pick<CampaignsRepository, 'read'>
  recipients: Pick<RecipientsRepository, 'after'>
  now?: () => Date
}) {
  /** The earlier campaign. @throws `not_found`; `wrong_state` as long as it runs. */
  async function earlier(scope: WorkspaceScope, { campaignId }: MissedAudience): Promise<CampaignRecord> {
    const campaign = isId(campaignId) ? await campaigns.read(scope, campaignId) : null
    if (!campaign) throw errors.notFound('There is no such campaign.')
    if (campaign.status !== 'completed' && campaign.status !== 'cancelled')
      throw errors.wrongState(`${campaign.name} is not over yet: whom it has not reached is known once it has ended.`)
    return campaign
  }

  /**
   * Its rows after a place, in their order; none where it is not there any more. Who may have got it without a confirmation is
   * never among them.
   */
  async function after(scope: WorkspaceScope, audience: MissedAudience, page: Page): Promise<RecipientRecord[]> {
    const campaign = await campaigns.read(scope, audience.campaignId)
    return campaign ? rowsAfter(campaign, audience.missed, page) : []
  }

  function rowsAfter(campaign: CampaignRecord, missed: Missed, page: Page): PromiseLike<RecipientRecord[]> {
    const endedAt = campaign.completedAt ?? campaign.stoppedAt
    const waits = missed === 'failed' && endedAt && now().getTime() - endedAt.getTime() < heldBackMs
    const { index, filter } = rowsOf[missed]
    const left = { ...(waits && { reason: { $ne: heldBack } }), ...(missed === 'not_replied' && { replied: notYet }) }
    return recipients.after(campaign, campaign.id, { index, filter: { ...filter, ...left } }, page)
  }

  /** Its contacts, in parts that have nobody in common. @throws `not_found`, `wrong_state`. */
  async function parts(scope: WorkspaceScope, audience: MissedAudience): Promise<ContactPart[]> {
    const campaign = await earlier(scope, audience)
    const found: ContactPart[] = []
    for (let place: string | undefined; ; ) {
      const rows = await rowsAfter(campaign, audience.missed, { after: place, limit: pageSize })
      if (rows.length > 0) found.push(partOfIds(contactsOf(rows)))
      place = rows.at(-1)?.id
      if (rows.length < pageSize) return found
    }
  }

  return { earlier, after, parts }
}
