import type { AnyCampaign, Campaign, CampaignCounts } from '@parley/contracts/campaigns/campaigns'
import type { PageOf } from '@parley/contracts/core/records'
import { errors } from '@parley/service-kit/core/errors'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { CampaignRecord } from './campaigns.model.ts'
import type { CampaignsRepository } from './campaigns.repository.ts'
import { isLaunched } from './drafts/drafts.model.ts'
import type { DraftsRepository } from './drafts/drafts.repository.ts'
import type { ShowDrafts } from './drafts/show-drafts.ts'
import type { Tallies } from './recipients/recipients.model.ts'
import type { RecipientsRepository } from './recipients/recipients.repository.ts'
import { countsOf } from './recipients/tallies.ts'
import type { Recount } from './run/recount.ts'

export type { CampaignRecord } from './campaigns.model.ts'

const launchedStatuses = ['scheduled', 'active', 'paused', 'completed', 'cancelled'] as const

export type CampaignsService = ReturnType<typeof createCampaignsService>

/** Campaigns as people look at them. */
export function createCampaignsService({
  campaigns,
  recipients,
  recount: { hintStale },
  drafts,
  showDrafts,
}: {
  campaigns: CampaignsRepository
  recipients: Pick<RecipientsRepository, 'totals' | 'totalsOfAll'>
  recount: Pick<Recount, 'hintStale'>
  drafts: Pick<DraftsRepository, 'read'>
  showDrafts: ShowDrafts
}) {
  async function list(
    scope: WorkspaceScope,
    query: Parameters<CampaignsRepository['page']>[1],
  ): Promise<PageOf<AnyCampaign>> {
    const page = await campaigns.page(scope, query)
    const [launched, written] = await Promise.all([
      show(scope, page.items.filter(isLaunched)),
      showDrafts.showMany(
        scope,
        page.items.filter((record) => record.status === 'draft'),
      ),
    ])
    const shown = new Map<string, AnyCampaign>([...launched, ...written].map((item) => [item.id, item]))
    return { ...page, items: page.items.flatMap(({ id }) => shown.get(id) ?? []) }
  }

  async function summary(scope: WorkspaceScope) {
    const [counted, tallies] = await Promise.all([campaigns.countByStatus(scope), recipients.totalsOfAll(scope)])
    const count = (status: AnyCampaign['status']) => counted.get(status) ?? 0
    const { sent, delivered } = countsOf(tallies)
    return {
      total: launchedStatuses.reduce((sum, status) => sum + count(status), 0),
      draft: count('draft'),
      active: count('active'),
      scheduled: count('scheduled'),
      completed: count('completed'),
      paused: count('paused'),
      sent,
      delivered,
    }
  }

  /** One that was launched. @throws `not_found`. */
  async function find(scope: WorkspaceScope, id: string): Promise<CampaignRecord> {
    const campaign = isId(id) ? await campaigns.read(scope, id) : null
    if (!campaign) throw errors.notFound('There is no such campaign.')
    return campaign
  }

  async function read(scope: WorkspaceScope, id: string): Promise<AnyCampaign> {
    const draft = isId(id) ? await drafts.read(scope, id) : null
    if (draft) return showDrafts.showOne(scope, draft)
    const campaign = await find(scope, id)
    if (!campaign.rowsRemoved) await hintStale(scope, id)
    return showOne(scope, campaign)
  }

  async function showOne(scope: WorkspaceScope, campaign: CampaignRecord): Promise<Campaign> {
    return toCampaign(campaign, (await recipients.totals(scope, [campaign.id])).get(campaign.id))
  }

  async function show(scope: WorkspaceScope, records: readonly CampaignRecord[]): Promise<Campaign[]> {
    const totals = await recipients.totals(
      scope,
      records.map(({ id }) => id),
    )
    return records.map((record) => toCampaign(record, totals.get(record.id)))
  }

  /** Counts what became of a campaign's recipients. */
  const countsOfCampaign = async (scope: WorkspaceScope, id: string): Promise<CampaignCounts> =>
    countsOf((await recipients.totals(scope, [id])).get(id) ?? {})

  /** Returns names by id. */
  const names = async (scope: WorkspaceScope, ids: readonly string[]): Promise<Map<string, string>> =>
    new Map((await campaigns.readMany(scope, ids)).map(({ id, name }) => [id, name]))

  /** Returns campaigns that were sending within a period, over their whole life. */
  async function sentWithin(scope: WorkspaceScope, period: { from: Date; to: Date }, numberId: string | undefined) {
    const found = await campaigns.sendingWithin(scope, period, { numberId })
    const totals = await recipients.totals(
      scope,
      found.map(({ id }) => id),
    )
    return found.flatMap(({ id, name, template }) => {
      const { sent, delivered, read, clicked } = countsOf(totals.get(id) ?? {})
      const { clicks = 'not_tracked' } = clicksOf(template)
      const isCounted = clicks !== 'not_tracked'
      return sent === 0 ? [] : [{ id, name, delivered, opened: read, clicked: clicked ?? (isCounted ? 0 : null) }]
    })
  }

  return { list, summary, find, read, showOne, names, sentWithin, countsOf: countsOfCampaign }
}

/** A campaign as its endpoints answer with it. */
function toCampaign(record: CampaignRecord, tallies: Tallies | undefined): Campaign {
  const { schedule, scheduledFor, sinceReview, startedAt, completedAt, pausedFor, pauseDetail, status } = record
  const { waitsUntil, waitsFor, rowsRemoved } = record
  return {
    id: record.id,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
    version: record.version,
    name: record.name,
    audience: record.audience,
    audienceName: record.audienceName,
    numberId: record.numberId,
    templateId: record.templateId,
    templateName: record.template.name,
    ...(record.template.contentVersion !== undefined && { templateVersion: record.template.contentVersion }),
    variables: { ...record.variables },
    status,
    counts: tallies ? countsOf(tallies) : expectedCounts(record.expected),
    ...clicksOf(record.template),
    ...(schedule && { schedule: { ...schedule } }),
    ...(scheduledFor && { scheduledFor: scheduledFor.toISOString() }),
    ...(record.anyHour && { anyHour: true as const }),
    ...(record.retryHeldBack && { retryHeldBack: true as const }),
    ...(record.recentDays !== undefined && { recentDays: record.recentDays }),
    ...(record.recipientFile && { recipientFile: record.recipientFile }),
    // Nothing is reported where the number has not changed.
    ...(sinceReview &&
      (sinceReview.audience !== 0 || sinceReview.recipients !== 0) && { sinceReview: { ...sinceReview } }),
    ...(status === 'active' && waitsUntil && { waitsUntil: waitsUntil.toISOString(), waitsFor }),
    ...(startedAt && { startedAt: startedAt.toISOString() }),
    ...(completedAt && { completedAt: completedAt.toISOString() }),
    ...(rowsRemoved && { recipientsRemoved: { at: rowsRemoved.at.toISOString(), months: rowsRemoved.months } }),
    ...(status === 'paused' && pausedFor && { pausedFor, ...(pauseDetail !== undefined && { pauseDetail }) }),
  }
}

/** Returns whether clicks of what a campaign sends can be counted. */
function clicksOf({ buttons: below, cards = [] }: CampaignRecord['template']): Pick<Campaign, 'clicks'> {
  const buttons = [...below, ...cards.flatMap((card) => card.buttons)]
  const isCounted = (button: (typeof buttons)[number]) =>
    button.kind === 'quick_reply' || (button.kind === 'url' && 'tracked' in button && button.tracked !== undefined)
  const isMissed = (button: (typeof buttons)[number]) => button.kind === 'url' && !isCounted(button)
  if (buttons.some(isCounted)) return { clicks: buttons.some(isMissed) ? 'partly' : 'counted' }
  return buttons.some(isMissed) ? { clicks: 'not_tracked' } : {}
}

const expectedCounts = ({ audience, excluded, reachable: queued }: CampaignRecord['expected']): CampaignCounts => ({
  ...countsOf({}),
  audience,
  excluded,
  queued,
})
