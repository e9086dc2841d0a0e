import type { CampaignReview } from '@parley/contracts/campaigns/campaign-drafts'
import { sumOf } from '@parley/contracts/usage/rate-cards'
import { formatCount, formatMicros } from '../../../lib/format.ts'
import { everyExclusion } from '../labels.ts'

interface ReviewChange {
  readonly label: string
  readonly before: string
  readonly after: string
}

/** Returns the differences between a review and the one before. */
export function changesOf(before: CampaignReview, after: CampaignReview): ReviewChange[] {
  const reasons = everyExclusion(before.counts.excluded)
  return [
    changed('Audience', formatCount(before.counts.audience), formatCount(after.counts.audience)),
    ...everyExclusion(after.counts.excluded).map(({ reason, count }, index) =>
      changed(`Left out: ${reason}`, formatCount(reasons[index]?.count ?? 0), formatCount(count)),
    ),
    changed('Get the message', formatCount(before.counts.recipients), formatCount(after.counts.recipients)),
    changed('WhatsApp charges at most', chargeOf(before), chargeOf(after)),
  ].filter(({ before: was, after: is }) => was !== is)
}

const changed = (label: string, before: string, after: string): ReviewChange => ({ label, before, after })

const chargeOf = ({ cost }: CampaignReview): string =>
  cost?.card ? formatMicros(sumOf(cost.lines).micros, cost.card.currency) : 'not known'
