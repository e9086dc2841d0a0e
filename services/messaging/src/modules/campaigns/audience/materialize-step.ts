import { countOf } from '@parley/contracts/core/english-format'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { Pause } from '../run/auto-pause.ts'
import type { CommitIfUnchanged } from '../run/commit-if-unchanged.ts'
import type { Recount } from '../run/recount.ts'
import type { ConsentRules } from './left-out-reason.ts'
import type { MaterializeAudience } from './materialize-audience.ts'

/** Largest growth of an audience after its review, as a part of the recipients. */
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
    /** Returns the rules that decide which of its contacts may be written to. */
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
 * Returns how many more, or fewer, contacts and recipients a campaign has than its review showed.
 * @returns undefined where that is known already, or the audience was not stored again; `why` is the pause where many more are
 * recipients.
 */
export function sinceReviewOf({ frozen, expected, sinceReview: known }: CampaignRecord) {
  if (!frozen.again || known) return undefined
  const [reviewed, found] = [expected.reachable, frozen.pending ?? 0]
  const sinceReview = { audience: frozen.rows - expected.audience, recipients: found - reviewed }
  const detail = `It has ${countOf(found)} recipients; in its review there were ${countOf(reviewed)}.`
  const why: Pause = { reason: 'more_recipients', detail }
  return { sinceReview, ...(sinceReview.recipients > reviewed * mostMore && { why }) }
}
