import type { Audience } from '@parley/contracts/campaigns/campaign-fields'
import { errors } from '@parley/service-kit/core/errors'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { CampaignsRepository } from '../campaigns.repository.ts'

export type SentAgain = ReturnType<typeof createSentAgain>

/**
 * Unconfirmed recipients may have had the message: it is sent to them again once, however many drafts for them exist. Recipients
 * that stay in doubt are found in the campaign that did it; a cancelled one lets another be launched.
 */
export function createSentAgain({ campaigns }: { campaigns: Pick<CampaignsRepository, 'read' | 'change'> }) {
  /** @throws `wrong_state` where another campaign has sent it to them again. */
  async function check(
    scope: WorkspaceScope,
    { sentAgainAs }: Pick<CampaignRecord, 'sentAgainAs'>,
    options?: SessionOption,
  ): Promise<void> {
    const again = sentAgainAs === undefined ? null : await campaigns.read(scope, sentAgainAs, options)
    if (again && again.status !== 'cancelled')
      throw errors.wrongState(
        `${again.name} already resends it to the unconfirmed recipients. Retry those still unconfirmed from that campaign.`,
      )
  }

  /** Part of launching a campaign. @throws `wrong_state`. */
  async function claim(scope: WorkspaceScope, id: string, audience: Audience, tx: Tx): Promise<void> {
    if (audience.kind !== 'campaign' || audience.missed !== 'not_confirmed') return
    const earlier = await campaigns.read(scope, audience.campaignId, { session: tx.session })
    if (!earlier) return
    await check(scope, earlier, { session: tx.session })
    await campaigns.change(scope, earlier.id, { expected: {}, update: { $set: { sentAgainAs: id } } }, tx)
  }

  return { check, claim }
}
