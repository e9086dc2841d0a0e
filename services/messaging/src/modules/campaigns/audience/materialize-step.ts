import { countOf } from '@parley/contracts/core/english-format'
import type { ConsentSettingsService } from '../../contacts/consent/consent-settings.service.ts'
import type { SendingHoursService } from '../../outbound/sending-hours/sending-hours.service.ts'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { Means, Pause } from '../run/auto-pause.ts'
import type { CommitIfUnchanged } from '../run/commit-if-unchanged.ts'
import type { Recount } from '../run/recount.ts'
import type { MaterializeAudience } from './materialize-audience.ts'
import { recentSinceOf } from './recent-since.ts'

/** Largest growth of an audience after its review, as a part of the recipients. */
const mostMore = 0.05

/** Writes the next page of a campaign's audience down. @returns the campaign as it is then; null where it has changed meanwhile. */
export const createMaterializeStep =
  ({
    freeze,
    meansOf,
    consentSettings,
    sendingHours,
    commitIfUnchanged,
    recount,
  }: {
    freeze: MaterializeAudience
    meansOf: (campaign: CampaignRecord) => Promise<Pick<Means, 'template'>>
    consentSettings: Pick<ConsentSettingsService, 'needsOptIn'>
    sendingHours: Pick<SendingHoursService, 'zoneOf'>
    commitIfUnchanged: CommitIfUnchanged
    recount: Pick<Recount, 'hintPlaces'>
  }) =>
  async (campaign: CampaignRecord): Promise<CampaignRecord | null> => {
    if (campaign.frozen.done) return campaign
    const { startedAt: until = new Date() } = campaign
    /** Reads the rules that decide which of its contacts may be written to. */
    const rules = async () => ({
      category: (await meansOf(campaign)).template?.category,
      needsOptIn: await consentSettings.needsOptIn(campaign),
      recentSince: await recentSinceOf(sendingHours, campaign, until),
    })
    const current = await freeze.next<CampaignRecord>(campaign, {
      until,
      rules,
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
