import type { Clock } from '@parley/service-kit/core/clock'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Records } from '../../../records.ts'
import { classifyError } from '../../../whatsapp/error-classes.ts'
import type { Outbox } from '../../inbox/messages/outbox.ts'
import type { AudienceParts } from '../audience/audience-parts.ts'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { CampaignsRepository } from '../campaigns.repository.ts'
import type { RecipientsRepository } from '../recipients/recipients.repository.ts'
import {
  doubtOf,
  failuresIn,
  filesIn,
  inARow,
  type Means,
  obstacleOf,
  type Pause,
  refusedIn,
  wrongIn,
} from './auto-pause.ts'
import { latestPlaces } from './enqueue-progress.ts'

/** Milliseconds without a worker after which a campaign does not continue by itself: it may be the middle of the night. */
const outageMs = 30 * 60_000
/** Seconds of sending that are judged: the outcome of the latest messages is known after a few seconds. */
const judgedSeconds = 15
const [minJudged, maxJudged] = [200, 5000]

/** Decides whether an active campaign continues by itself, by everything that is known of it now. */
export function createReasonToPause({
  campaigns,
  recipients,
  recipientFiles,
  messages,
  audiences,
  now,
}: {
  campaigns: Pick<CampaignsRepository, 'refusedSince'>
  recipients: Pick<RecipientsRepository, 'endedIn' | 'groupsOf'>
  recipientFiles: Pick<Records['recipientFiles'], 'countEnded'>
  messages: Pick<Outbox, 'firstKeptBack'>
  audiences: Pick<AudienceParts, 'problemOf'>
  now: Clock
}) {
  /** @param perSecond how fast its number sends. */
  return async (campaign: CampaignRecord, means: Means, perSecond: number): Promise<Pause | undefined> => {
    const { roundAt } = campaign
    if (roundAt && now().getTime() - roundAt.getTime() > outageMs) return { reason: 'outage' }
    return (
      obstacleOf(means) ??
      doubtOf(campaign, means) ??
      (await audienceOf(campaign)) ??
      (await refusalOf(campaign)) ??
      (await filesOf(campaign)) ??
      (await failuresOf(campaign, perSecond))
    )
  }

  /** Returns a pause where a part of its audience is gone before all of it was stored. */
  async function audienceOf({ workspaceId, audience, frozen }: CampaignRecord): Promise<Pause | undefined> {
    const detail = frozen.done ? undefined : await audiences.problemOf({ workspaceId }, audience)
    return detail === undefined ? undefined : { reason: 'audience_gone', detail }
  }

  /**
   * Returns a pause where WhatsApp has refused its template since it was resumed, in answer to a message of it or of another
   * campaign; or its number, for a reason that stops other messages and not these.
   */
  async function refusalOf({ id, workspaceId, templateId, resumedAt, startedAt }: CampaignRecord) {
    const scope = { workspaceId }
    const keptBack = await messages.firstKeptBack(scope, id, resumedAt ?? new Date(0))
    const refusal = keptBack?.dispatch?.lastError
    const known = refusal && classifyError(refusal.code)
    if (known?.class === 'stop_number') return { reason: 'number_stopped' as const, detail: refusal?.message }
    if (known?.class === 'fix_template') return { reason: 'template_refused' as const, detail: `${known.title}.` }
    const since = resumedAt ?? startedAt
    const beside = since && (await campaigns.refusedSince(scope, templateId, since))
    return beside ? { reason: 'template_refused' as const, detail: beside.pauseDetail } : undefined
  }

  /** Returns a pause where many files of single recipients cannot be sent: those of the others are at the same place. */
  async function filesOf({ id, workspaceId, recipientFile, resumedAt, startedAt }: CampaignRecord) {
    const since = resumedAt ?? startedAt
    return recipientFile && since && filesIn(await recipientFiles.countEnded({ workspaceId }, id, since))
  }

  /** Returns a pause by the outcomes of the latest rows that were given to the outbox. */
  async function failuresOf(campaign: CampaignRecord, perSecond: number): Promise<Pause | undefined> {
    const { id, workspaceId } = campaign
    const scope: WorkspaceScope = { workspaceId }
    const judged = Math.min(maxJudged, Math.max(minJudged, perSecond * judgedSeconds))
    const latest = latestPlaces(campaign, judged)
    const groups = (await Promise.all(latest.map((batch) => recipients.groupsOf(scope, id, batch)))).flat()
    const rows = wrongIn(groups)
      ? (await Promise.all(latest.map((batch) => recipients.endedIn(scope, id, batch)))).flat()
      : []
    return refusedIn(groups) ?? inARow(rows) ?? failuresIn(groups)
  }
}
