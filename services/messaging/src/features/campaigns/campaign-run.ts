import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import type { Outbox } from '../messages/outbox.ts'
import { tellCampaign } from './campaign-events.ts'
import { type CampaignRecord, watched } from './campaigns.model.ts'
import type { CampaignsRepository, Seen } from './campaigns.repository.ts'
import type { Freeze } from './freeze.ts'
import type { OpenMessages } from './open-messages.ts'
import type { Queueing } from './queueing.ts'
import type { RecipientsRepository } from './recipients.repository.ts'
import type { Recount } from './recount.ts'
import { rowStateOf, waitingIn } from './tallies.ts'

/** One that was missed by more does not start by itself: its moment has passed. */
const mostLateMs = 15 * 60_000
/** What was on its way when a campaign was stopped may come back to the outbox so long. */
const watchStoppedMs = 2 * 60_000
const leftoverBatch = 500

interface Dependencies {
  readonly campaigns: CampaignsRepository
  readonly recipients: Pick<RecipientsRepository, 'queuedRows' | 'setState'>
  readonly messages: Pick<Outbox, 'countOpen' | 'firstKeptBack' | 'readMany'>
  readonly freeze: Freeze
  readonly queueing: Queueing
  readonly open: OpenMessages
  readonly recount: Recount
  readonly isApproved: (scope: WorkspaceScope, templateId: string) => Promise<boolean>
  readonly perSecondOf: (scope: WorkspaceScope, numberId: string) => Promise<number | undefined>
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  readonly now?: () => Date
}

/**
 * What workers do for a campaign, a round at a time: everything that a round needs is read from the database, so that any
 * worker can do the next one, also two of them at once.
 */
export function createCampaignRun(deps: Dependencies) {
  const { campaigns, recipients, messages, freeze, queueing, open, recount, transaction, now = () => new Date() } = deps
  let rounds = 0

  async function perform({ id, workspaceId }: JobRecord): Promise<void> {
    const campaign = await campaigns.read({ workspaceId }, id)
    if (!campaign?.watch || !campaign.nextAt || campaign.nextAt > now()) return
    rounds += 1
    if (campaign.status === 'scheduled') await start(campaign)
    else if (campaign.status === 'active') await advance(campaign)
    else await wind(campaign)
  }

  async function start(campaign: CampaignRecord): Promise<void> {
    const late = now().getTime() - (campaign.scheduledFor?.getTime() ?? 0)
    if (late > mostLateMs) return pause(campaign, 'missed_start', 'scheduled')
    const update = { $set: { status: 'active' as const, startedAt: now() } }
    const started = await changeAndTell(campaign, { status: 'scheduled' }, update)
    if (started) await advance(started)
  }

  async function advance(campaign: CampaignRecord): Promise<void> {
    const scope = { workspaceId: campaign.workspaceId }
    // What was kept back before somebody resumed it does not say how the template stands now.
    const isKeptBack = (await messages.firstKeptBack(scope, campaign.id)) !== null
    if (isKeptBack && !(await deps.isApproved(scope, campaign.templateId)))
      return pause(campaign, 'template_not_approved', 'active')
    if ((await messages.countOpen(scope, campaign.id, ['held'])) > 0) await open.release(campaign)
    let current: CampaignRecord | null = campaign
    while (current && !current.frozen.done) current = await freeze(current)
    if (!current) return
    current = await queueing.fill(current, await deps.perSecondOf(scope, campaign.numberId))
    if (!current) return
    recount.hintInTurn(current, rounds)
    if (current.position < current.frozen.rows) return
    if ((await messages.countOpen(scope, campaign.id, ['queued', 'held', 'sending'])) > 0) return
    await complete(current)
  }

  /** Everything has been given to the outbox, and nothing is in it: the rows have the last word. */
  async function complete(campaign: CampaignRecord): Promise<void> {
    await settleLeftovers(campaign)
    if (waitingIn(await recount.countAll(campaign)) > 0) return
    await changeAndTell(
      campaign,
      { status: 'active' },
      { $set: { status: 'completed', completedAt: now() }, $unset: { watch: 1, nextAt: 1 } },
    )
  }

  /** A row whose message is gone, erased with its contact say, waits for nothing. */
  async function settleLeftovers({ workspaceId, id }: CampaignRecord): Promise<void> {
    const scope = { workspaceId }
    const rows = await recipients.queuedRows(scope, id, leftoverBatch)
    const ids = rows.map((row) => row.id)
    const stored = new Map((await messages.readMany(scope, ids)).map((message) => [message.id, message]))
    for (const rowId of ids) {
      const message = stored.get(rowId)
      const state = message ? rowStateOf(message) : { state: 'skipped' as const, reason: 'deleted' }
      await recipients.setState(scope, [rowId], { ...state, from: 'queued' }, {})
    }
  }

  /** A stopped campaign is looked after until nothing of it can come back to the outbox. */
  async function wind(campaign: CampaignRecord): Promise<void> {
    const { workspaceId, id, status, stoppedAt } = campaign
    if (status === 'paused') await open.hold(campaign)
    if (status === 'cancelled') await open.cancel(campaign)
    recount.hintInTurn(campaign, rounds)
    if (stoppedAt && now().getTime() - stoppedAt.getTime() < watchStoppedMs) return
    await campaigns.change({ workspaceId }, id, { seen: { status }, update: { $unset: { watch: 1, nextAt: 1 } } })
  }

  async function pause(
    campaign: CampaignRecord,
    pausedFor: NonNullable<CampaignRecord['pausedFor']>,
    from: 'active' | 'scheduled',
  ): Promise<void> {
    const update = { $set: { status: 'paused' as const, pausedFor, stoppedAt: now(), watch: watched } as const }
    const paused = await changeAndTell(campaign, { status: from }, update)
    if (paused) await open.hold(paused)
  }

  const changeAndTell = (
    { workspaceId, id }: CampaignRecord,
    seen: Seen,
    update: Parameters<CampaignsRepository['change']>[2]['update'],
  ): Promise<CampaignRecord | null> =>
    transaction(async (tx) => {
      const changed = await campaigns.change({ workspaceId }, id, { seen, update }, tx)
      if (changed) tellCampaign(changed, { kind: 'system' }, tx)
      return changed
    })

  return {
    perform,
    due: async (): Promise<JobRecord[]> =>
      (await campaigns.due(now())).map(({ id, workspaceId }) => ({ id, workspaceId })),
  }
}
