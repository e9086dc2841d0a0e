import type { NewEvent } from '@parley/contracts/platform/events'
import { AppError } from '@parley/service-kit/core/errors'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import { contentVersionOf, type KeyedContent } from '../../templates/content-key.ts'
import { emitCampaignChanged } from '../campaign-events.ts'
import { acceptedText } from '../campaign-text.ts'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { CampaignsRepository } from '../campaigns.repository.ts'
import type { NoteCampaign } from '../results/timeline.repository.ts'
import { isChanged, type Means, obstacleOf } from './auto-pause.ts'

/** Member who resumes a campaign, and the new template text that they have seen. */
interface Resume {
  readonly newText: string | undefined
  readonly by: NewEvent['by']
}

/** Determines what a campaign that a person resumes continues with. */
export function createResumedAs({
  campaigns,
  meansOf,
  note,
  transaction,
}: {
  campaigns: Pick<CampaignsRepository, 'change'>
  /** Its template and its number as they are now. */
  meansOf: (campaign: CampaignRecord) => Promise<Means>
  note: NoteCampaign
  transaction: RunInTransaction
}) {
  /** Accepts what the resuming member has seen: it is no reason to pause once more. @throws `pause_reason_holds`. */
  async function resumedAs(campaign: CampaignRecord, at: Date, { newText, by }: Resume) {
    const means = await meansOf(campaign)
    const obstacle = obstacleOf(means)
    if (obstacle)
      throw new AppError(
        'pause_reason_holds',
        obstacle.reason === 'number_stopped'
          ? `Its number cannot send it now. ${obstacle.detail} See WhatsApp Numbers.`
          : 'WhatsApp does not approve its template now. Resume it once the template is approved again.',
      )
    const category = means.template?.category
    const isOther = isChanged(campaign.template, means.template)
    const template = isOther ? await textFor(campaign, means.template, { newText, by }) : campaign.template
    return {
      resumedAt: at,
      roundAt: at,
      judgedFrom: campaign.position,
      ...(campaign.frozen.groups && { latest: [] }),
      template: {
        ...template,
        ...(category && { category }),
        ...(isOther && { contentVersion: contentVersionOf(means.template) }),
      },
      ...(means.number?.quality === 'low' && { lowQualityAccepted: true as const }),
    }
  }

  /**
   * Returns the text to continue with; one that cannot be used becomes the reason of the pause, whatever it was paused for. @throws
   * `pause_reason_holds`.
   */
  async function textFor(campaign: CampaignRecord, now: KeyedContent, { newText, by }: Resume) {
    try {
      return acceptedText(campaign, now, newText)
    } catch (error) {
      const { workspaceId, id } = campaign
      const why = { status: 'paused' as const, pausedFor: 'template_changed' as const }
      // One that was to be started before its time is paused, too: only then is the new text shown.
      const update = {
        $set: { ...why, stoppedAt: campaign.stoppedAt ?? new Date() },
        $unset: { pauseDetail: 1 as const },
      }
      const expected = { status: { $in: ['paused', 'scheduled'] as const } }
      await transaction(async (tx) => {
        const changed = await campaigns.change({ workspaceId }, id, { expected, update }, tx)
        if (!changed) return
        emitCampaignChanged({ ...changed, before: campaign.status }, by, tx)
        await note(changed, { kind: 'paused', reason: 'template_changed' }, tx)
      })
      throw error
    }
  }

  return resumedAs
}
