import { createHash } from 'node:crypto'
import { nobodyExcluded } from '@parley/contracts/campaigns/campaigns'
import { foldText } from '@parley/rules/fold-text'
import type { Clock } from '@parley/service-kit/core/clock'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import { heldBack } from '../audience/retarget-audience.ts'
import { emitCampaignChanged } from '../campaign-events.ts'
import { type CampaignRecord, watched } from '../campaigns.model.ts'
import type { CampaignsRepository, NewCampaign } from '../campaigns.repository.ts'
import { nameOfMissed } from '../drafts/audience-names.ts'
import type { RecipientsRepository } from '../recipients/recipients.repository.ts'
import { heldBackAfterMs } from '../run/post-completion-recount.ts'
import { nameOfRetry } from './retry.service.ts'
import type { NoteCampaign } from './timeline.repository.ts'

/** Milliseconds after a campaign's end; a follow-up not begun by then is not begun any more. */
const latestMs = heldBackAfterMs + 24 * 3_600_000

/**
 * Begins another campaign for those whom WhatsApp has held marketing back from, where the campaign is to do so: once, because its
 * id follows from that of the campaign. Like a campaign scheduled for now, it holds credits, stores its audience and goes through
 * the gate.
 */
export const createFollowHeldBack =
  ({
    campaigns,
    recipients: { totals },
    note,
    transaction,
    queue,
    now = () => new Date(),
  }: {
    campaigns: Pick<CampaignsRepository, 'insert'>
    recipients: Pick<RecipientsRepository, 'totals'>
    note: NoteCampaign
    transaction: RunInTransaction
    /** Has a worker look at campaigns at once. */
    queue: (campaigns: readonly JobRecord[]) => Promise<void>
    now?: Clock
  }) =>
  async (campaign: CampaignRecord): Promise<void> => {
    const { id, workspaceId, name, status, retryHeldBack, completedAt } = campaign
    const sinceMs = now().getTime() - (completedAt?.getTime() ?? now().getTime())
    if (status !== 'completed' || !retryHeldBack || sinceMs < heldBackAfterMs || sinceMs > latestMs) return
    const count = (await totals(campaign, [id])).get(id)?.[`failed ${heldBack}`] ?? 0
    if (count === 0) return
    const next = onceMore(campaign, count, now())
    const followUp = { id: next._id, workspaceId }
    const begun = transaction(async (tx) => {
      await campaigns.insert({ workspaceId }, next, tx)
      emitCampaignChanged(followUp, { kind: 'system' }, tx)
      await note(followUp, { kind: 'created', follows: { campaignId: id, name } }, tx)
      await note(campaign, { kind: 'followed', campaignId: next._id, name: next.name, missed: 'failed' }, tx)
    })
    await begun.catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error
    })
    await queue([followUp])
  }

/** The same message, scheduled for now, also for people with recent marketing: as such counts the message that was held back. */
function onceMore(campaign: CampaignRecord, count: number, at: Date): NewCampaign {
  const { id, numberId, templateId, template, variables, anyHour, recipientFile } = campaign
  const audience = {
    kind: 'campaign' as const,
    campaignId: id,
    missed: 'failed' as const,
    classes: ['wait_24h' as const],
  }
  const name = nameOfRetry(campaign.name)
  return {
    _id: idAfter(campaign),
    name,
    searchKey: foldText(`${name} ${template.name}`),
    audience,
    audienceName: nameOfMissed(campaign.name, audience),
    numberId,
    templateId,
    template,
    variables,
    ...(anyHour && { anyHour }),
    ...(recipientFile && { recipientFile }),
    status: 'scheduled',
    scheduledFor: at,
    watch: watched,
    nextAt: at,
    position: 0,
    expected: { audience: count, excluded: nobodyExcluded, reachable: count },
    // There is no review from which it could differ.
    frozen: { rows: 0, done: false },
    sinceReview: { audience: 0, recipients: 0 },
  }
}

/** Returns an id that begins, like every id, with a time: that of the campaign. */
const idAfter = ({ id }: CampaignRecord): string =>
  id.slice(0, 8) + createHash('sha256').update(`${id}/held back`).digest('hex').slice(0, 16)
