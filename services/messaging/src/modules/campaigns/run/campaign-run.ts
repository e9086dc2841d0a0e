import type { JobRecord } from '@parley/service-kit/queue/jobs'
import type { Outbound } from '../../outbound/module.ts'
import { type CampaignRecord, frozenAnew, watched } from '../campaigns.model.ts'
import { createCampaignTransitions, type TransitionDependencies } from './campaign-transitions.ts'
import { afterRecount, isOver } from './post-completion-recount.ts'
import { createRoundSteps, type RoundDependencies } from './round-steps.ts'

/** One that was missed by more does not start by itself: its moment has passed. */
const maxLateMs = 15 * 60_000
/** Milliseconds for which messages on their way when a campaign was stopped may come back to the outbox. */
const watchStoppedMs = 2 * 60_000
const usualPerSecond = 80

export interface RunDependencies
  extends Omit<TransitionDependencies, 'now'>,
    Omit<RoundDependencies, 'now' | 'transitions'> {
  /** Reschedules by the zone's clock as it is now; null where it is not scheduled any more. */
  readonly reschedule: (campaign: CampaignRecord) => Promise<CampaignRecord | null>
  /** Begins the campaign for those whom WhatsApp held back, when it is time. */
  readonly followHeldBack: (campaign: CampaignRecord) => Promise<void>
  /** Has files that single recipients got deleted some days after its end. */
  readonly expiredFiles: Pick<Outbound['expiredFiles'], 'endWith'>
  readonly now?: TransitionDependencies['now']
}

/**
 * Work of a worker on a campaign, a round at a time: everything that a round needs is read from the database, so that any worker
 * can do the next one, also two of them at once.
 */
export function createCampaignRun({ now = () => new Date(), ...deps }: RunDependencies) {
  const { campaigns, open, recount } = deps
  const transitions = createCampaignTransitions({ ...deps, now })
  const steps = createRoundSteps({ ...deps, transitions, now })
  /** Rounds by campaign: of two that take turns, each has all of its blocks counted. */
  const rounds = new Map<string, number>()

  /** Steps by state. An active campaign becomes paused or completed; a person stops or resumes it. */
  const states = { scheduled: start, active: advance, stopped: drainStopped, over: countAgain }

  async function perform({ id, workspaceId }: JobRecord, requeue: () => void): Promise<void> {
    const campaign = await campaigns.read({ workspaceId }, id)
    if (campaign?.watch !== watched || !campaign.nextAt || campaign.nextAt > now()) return
    await states[stateOf(campaign)](campaign, requeue)
  }

  /** Scheduled → active once its time has come, or paused where that is long past. */
  async function start(scheduled: CampaignRecord, requeue: () => void): Promise<void> {
    // The rules of the zone may have changed since.
    const campaign = await deps.reschedule(scheduled)
    if (!campaign || (campaign.scheduledFor && campaign.scheduledFor > now())) return
    const late = now().getTime() - (campaign.scheduledFor?.getTime() ?? 0)
    if (late > maxLateMs) return transitions.pause(campaign, { reason: 'missed_start' }, 'scheduled')
    const set = { status: 'active' as const, startedAt: now(), roundAt: now(), frozen: frozenAnew }
    const started = await transitions.changeHolding(campaign, campaign.expected.reachable, { from: 'scheduled', set })
    if (started) await advance(started, requeue)
  }

  /** One round of an active campaign: step after step, until one of them ends it. */
  async function advance(campaign: CampaignRecord, requeue: () => void): Promise<void> {
    const means = await deps.meansOf(campaign)
    const round = { means, perSecond: means.number?.throughputPerSecond ?? usualPerSecond, requeue }
    const paused = await steps.pauseWithReason(campaign, round)
    if (paused) return
    await steps.recordRound(campaign)
    const written = await steps.materialize(campaign, round)
    const compared = written && (await steps.compareWithReview(written))
    const holding = compared && (await steps.holdQuota(compared))
    const enqueued = holding && (await steps.giveToOutbox(holding, round))
    if (!enqueued) return
    countInTurn(enqueued)
    if (await steps.complete(enqueued)) rounds.delete(enqueued.id)
  }

  /** A stopped campaign is looked after until nothing of it can come back to the outbox. */
  async function drainStopped(campaign: CampaignRecord): Promise<void> {
    const { workspaceId, id, status, stoppedAt } = campaign
    if (status === 'paused') await open.pause(campaign)
    if (status === 'cancelled') await open.cancel(campaign)
    countInTurn(campaign)
    if (stoppedAt && now().getTime() - stoppedAt.getTime() < watchStoppedMs) return
    // Its counts give back what it holds, and no more of them come.
    if (status === 'cancelled') await recount.countAll(campaign)
    rounds.delete(id)
    const over = { $unset: { watch: 1 as const, nextAt: 1 as const } }
    const update = status === 'cancelled' ? afterRecount(campaign, now()) : over
    await campaigns.change({ workspaceId }, id, { expected: { status }, update })
  }

  /** Counts an ended campaign again when late statuses have come, and in case rows have changed without notice. */
  async function countAgain(campaign: CampaignRecord): Promise<void> {
    const { workspaceId, id, status, recipientFile, completedAt, stoppedAt } = campaign
    if (recipientFile) await deps.expiredFiles.endWith(campaign, completedAt ?? stoppedAt ?? now())
    await recount.check(campaign)
    await deps.followHeldBack(campaign)
    await campaigns.change({ workspaceId }, id, { expected: { status }, update: afterRecount(campaign, now()) })
  }

  function countInTurn(campaign: CampaignRecord): void {
    const turn = rounds.get(campaign.id) ?? 0
    rounds.set(campaign.id, turn + 1)
    recount.hintInTurn(campaign, turn)
  }

  return {
    perform,
    due: async (): Promise<JobRecord[]> =>
      (await campaigns.due(now())).map(({ id, workspaceId }) => ({ id, workspaceId })),
  }
}

const stateOf = (campaign: CampaignRecord) => {
  if (campaign.status === 'scheduled' || campaign.status === 'active') return campaign.status
  return isOver(campaign) ? 'over' : 'stopped'
}
