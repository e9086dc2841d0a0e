import type { Clock } from '@parley/service-kit/core/clock'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { Records } from '../../../records.ts'
import type { NumberRecord } from '../../channel/numbers/numbers.service.ts'
import type { Outbox } from '../../inbox/messages/outbox.ts'
import type { AudienceParts } from '../audience/audience-parts.ts'
import { type createMaterializeStep, sinceReviewOf } from '../audience/materialize-step.ts'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { CampaignsRepository } from '../campaigns.repository.ts'
import { openStates } from '../recipients/recipients.model.ts'
import type { RecipientsRepository } from '../recipients/recipients.repository.ts'
import { rowStateOf, waitingIn } from '../recipients/tallies.ts'
import type { Means } from './auto-pause.ts'
import type { CampaignGate } from './campaign-gating.ts'
import type { CampaignTransitions } from './campaign-transitions.ts'
import { isEnqueued } from './enqueue-progress.ts'
import type { OpenMessages } from './open-messages.ts'
import type { Queueing } from './queueing.ts'
import { holdsRows } from './quota-holders.ts'
import { createReasonToPause } from './reason-to-pause.ts'
import type { Recount } from './recount.ts'

const heartbeatMs = 60_000
const leftoverBatch = 500

/** Means of a round, with the speed of the number and the customers that it may write to. */
type SendingContext = Means & {
  readonly number: Pick<NumberRecord, 'throughputPerSecond' | 'businessAccountId' | 'messagingLimit'> | null
}

interface Round {
  readonly means: SendingContext
  /** Messages per second of its number. */
  readonly perSecond: number
  /** Has the next round begin at once. */
  readonly requeue: () => void
}

export interface RoundDependencies {
  readonly campaigns: CampaignsRepository
  readonly recipients: Pick<RecipientsRepository, 'endedIn' | 'groupsOf' | 'openRows' | 'setState'>
  readonly recipientFiles: Pick<Records['recipientFiles'], 'countEnded' | 'isHeld' | 'release'>
  readonly messages: Pick<Outbox, 'countOpen' | 'firstKeptBack' | 'readMany'>
  readonly materialize: ReturnType<typeof createMaterializeStep>
  readonly queueing: Queueing
  readonly open: OpenMessages
  readonly recount: Recount
  /** Its template and its number as they are now. */
  readonly meansOf: (campaign: CampaignRecord) => Promise<SendingContext>
  readonly audiences: Pick<AudienceParts, 'problemOf'>
  readonly readWait: CampaignGate
  readonly transitions: CampaignTransitions
  readonly now: Clock
}

/** Steps of a round of an active campaign. Each returns the campaign as it is then; null where the round ends with it. */
export function createRoundSteps(deps: RoundDependencies) {
  const { campaigns, recipients, messages, open, recount, transitions, now } = deps
  const reasonToPause = createReasonToPause(deps)

  /** @returns whether it was paused. */
  async function pauseWithReason(campaign: CampaignRecord, { means, perSecond }: Round): Promise<boolean> {
    const why = await reasonToPause(campaign, means, perSecond)
    if (why) await transitions.pause(campaign, why, 'active')
    return why !== undefined
  }

  async function recordRound({ id, workspaceId, roundAt }: CampaignRecord): Promise<void> {
    if (roundAt && now().getTime() - roundAt.getTime() < heartbeatMs) return
    await campaigns.change({ workspaceId }, id, {
      expected: { status: 'active' },
      update: { $set: { roundAt: now() } },
    })
  }

  /** Writes the next page of its audience down; there is a round for each. */
  async function materialize(campaign: CampaignRecord, { requeue }: Round): Promise<CampaignRecord | null> {
    const current = await deps.materialize(campaign)
    if (!current || current.frozen.done) return current
    requeue()
    return null
  }

  /** Tells how an audience differs from the one in its review; where many more are recipients, people decide. */
  async function compareWithReview(campaign: CampaignRecord): Promise<CampaignRecord | null> {
    const difference = sinceReviewOf(campaign)
    if (!difference) return campaign
    const { sinceReview, why } = difference
    if (!why) return transitions.recordSinceReview(campaign, sinceReview)
    await transitions.pause(campaign, why, 'active', { sinceReview })
    return null
  }

  const holdQuota = async (campaign: CampaignRecord): Promise<CampaignRecord | null> =>
    holdsRows(campaign)
      ? campaign
      : transitions.changeHolding(campaign, campaign.frozen.pending ?? 0, { from: 'active', set: {} })

  /** Fills the outbox, or holds back what may not leave now. */
  async function giveToOutbox(campaign: CampaignRecord, { means, perSecond }: Round): Promise<CampaignRecord | null> {
    const { wait, free, zones } = await deps.readWait(campaign, means)
    const isHeld = campaign.recipientFile && (await deps.recipientFiles.isHeld(campaign, campaign.id))
    const release = isHeld ? (tx: Tx) => deps.recipientFiles.release(campaign, campaign.id, tx) : undefined
    const current = await transitions.recordWait(campaign, wait, release)
    if (!current) return null
    if (zones ? zones.toHold.length > 0 : wait?.waitsFor === 'hours') await open.hold(current, zones?.toHold)
    if (wait) return current
    const scope = { workspaceId: campaign.workspaceId }
    const held = free > 0 ? await messages.countOpen(scope, campaign.id, ['held'], zones?.open) : 0
    if (held > 0) await open.release(current, free, zones?.open)
    return deps.queueing.fill(current, perSecond, zones?.open)
  }

  /**
   * Completes a campaign once everything was given to the outbox, and the outbox is empty: the rows are counted last.
   * @returns whether the campaign has ended.
   */
  async function complete(campaign: CampaignRecord): Promise<boolean> {
    if (!isEnqueued(campaign)) return false
    const { workspaceId, id } = campaign
    if ((await messages.countOpen({ workspaceId }, id, ['queued', 'held', 'sending'])) > 0) return false
    await settleLeftovers(campaign)
    if (waitingIn(await recount.countAll(campaign)) > 0) return false
    await transitions.complete(campaign)
    return true
  }

  /** Brings rows up to their messages. A row whose message is gone, erased with its contact say, waits for nothing. */
  async function settleLeftovers({ workspaceId, id }: CampaignRecord): Promise<void> {
    const scope = { workspaceId }
    const ids = (await recipients.openRows(scope, id, leftoverBatch)).map((row) => row.id)
    const stored = new Map((await messages.readMany(scope, ids)).map((message) => [message.id, message]))
    for (const rowId of ids) {
      const message = stored.get(rowId)
      const state = message ? rowStateOf(message) : { state: 'skipped' as const, reason: 'deleted' }
      await recipients.setState(scope, [rowId], { ...state, from: openStates }, {})
    }
  }

  return { pauseWithReason, recordRound, materialize, compareWithReview, holdQuota, giveToOutbox, complete }
}
