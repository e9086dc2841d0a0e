import { countOf } from '@parley/contracts/core/english-format'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { Pause } from '../run/auto-pause.ts'
import type { CommitIfUnchanged } from '../run/commit-if-unchanged.ts'
import type { Recount } from '../run/recount.ts'
import type { ConsentRules } from './left-out-reason.ts'
import type { MaterializeAudience } from './materialize-audience.ts'

/** So much larger an audience may have become after its review: a part of the recipients. */
const mostMore = 0.05

/** Writes the next page of a campaign's audience down. @returns the campaign as it is then; null where it has changed meanwhile. */
export const createMaterializeStep =
  ({
    freeze,
    rulesOf,
    commitIfUnchanged,
    recount,
  }: {
    freeze: MaterializeAudience
    /** What decides who of it may be written to. */
    rulesOf: (campaign: CampaignRecord) => Promise<ConsentRules>
    commitIfUnchanged: CommitIfUnchanged
    recount: Pick<Recount, 'hintPlaces'>
  }) =>
  async (campaign: CampaignRecord): Promise<CampaignRecord | null> => {
    if (campaign.frozen.done) return campaign
    const { startedAt: until = new Date() } = campaign
    const current = await freeze.next<CampaignRecord>(campaign, {
      until,
      rules: () => rulesOf(campaign),
      store: async ({ expected, update }, work) =>
        (await commitIfUnchanged(campaign, { expected: { ...expected, status: 'active' }, update }, work))?.record ??
        null,
    })
    if (current) recount.hintPlaces(current, campaign.frozen.rows)
    return current
  }

/**
 * How many more, or fewer, a campaign has than somebody has seen in its review.
 * @returns undefined where that is known already, or it was not written down anew; `why` it waits for a person: many more do.
 */
export function sinceReviewOf({ frozen, expected, sinceReview: known }: CampaignRecord) {
  if (!frozen.again || known) return undefined
  const [reviewed, found] = [expected.reachable, frozen.pending ?? 0]
  const sinceReview = { audience: frozen.rows - expected.audience, recipients: found - reviewed }
  const detail = `It has ${countOf(found)} recipients; in its review there were ${countOf(reviewed)}.`
  const why: Pause = { reason: 'more_recipients', detail }
  return { sinceReview, ...(sinceReview.recipients > reviewed * mostMore && { why }) }
}
