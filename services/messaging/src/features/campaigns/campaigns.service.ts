import type { Campaign, CampaignCounts, campaignsApi } from '@parley/contracts/campaigns'
import type { EndpointInput } from '@parley/contracts/endpoint'
import type { PageOf } from '@parley/contracts/records'
import type { Template } from '@parley/contracts/templates'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ContactPart } from '../contacts/contact-query.ts'
import type { ContactsService } from '../contacts/contacts.service.ts'
import type { CampaignRecord } from './campaigns.model.ts'
import type { CampaignsRepository } from './campaigns.repository.ts'
import type { PartsOfAudience } from './freeze.ts'
import type { MissedRows } from './missed.ts'
import type { RecentSince } from './recent-since.ts'
import type { Tallies } from './recipients.model.ts'
import type { RecipientsRepository } from './recipients.repository.ts'
import type { Recount } from './recount.ts'
import { countsOf } from './tallies.ts'

export type { CampaignRecord } from './campaigns.model.ts'

type Preview = EndpointInput<typeof campaignsApi.preview>['body']
const longestCountMs = 5000

export type CampaignsService = ReturnType<typeof createCampaignsService>

/** Campaigns as people look at them. */
export function createCampaignsService({
  campaigns,
  recipients,
  contacts,
  partsOfAudience,
  missed,
  categoryOf,
  needsOptIn,
  recentSince,
  hintStale,
}: {
  campaigns: CampaignsRepository
  recipients: Pick<RecipientsRepository, 'totals' | 'totalsOfAll'>
  contacts: Pick<ContactsService, 'count'>
  partsOfAudience: PartsOfAudience
  missed: Pick<MissedRows, 'parts'>
  /** @throws `not_found`. */
  categoryOf: (scope: WorkspaceScope, templateId: string) => Promise<Template['category']>
  /** Whether marketing goes only to people who have agreed to it. */
  needsOptIn: (scope: WorkspaceScope) => Promise<boolean>
  recentSince: RecentSince
  hintStale: Recount['hintStale']
}) {
  async function list(
    scope: WorkspaceScope,
    query: Parameters<CampaignsRepository['page']>[1],
  ): Promise<PageOf<Campaign>> {
    const page = await campaigns.page(scope, query)
    return { ...page, items: await show(scope, page.items) }
  }

  async function summary(scope: WorkspaceScope) {
    const [counted, tallies] = await Promise.all([campaigns.countByStatus(scope), recipients.totalsOfAll(scope)])
    const count = (status: Campaign['status']) => counted.get(status) ?? 0
    const { sent, delivered } = countsOf(tallies)
    return {
      total: [...counted.values()].reduce((sum, each) => sum + each, 0),
      active: count('active'),
      scheduled: count('scheduled'),
      completed: count('completed'),
      paused: count('paused'),
      sent,
      delivered,
    }
  }

  /** @throws `not_found`. */
  async function find(scope: WorkspaceScope, id: string): Promise<CampaignRecord> {
    const campaign = isId(id) ? await campaigns.read(scope, id) : null
    if (!campaign) throw errors.notFound('There is no such campaign.')
    return campaign
  }

  async function read(scope: WorkspaceScope, id: string): Promise<Campaign> {
    const campaign = await find(scope, id)
    await hintStale(scope, id)
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

  /**
   * How many an audience has now, and who of it would be left out on the day on which it begins.
   * @throws `not_found`, `wrong_state`, `search_too_long`.
   */
  async function preview(
    scope: WorkspaceScope,
    { audience, templateId, recentDays, scheduledFor }: Preview,
  ): Promise<CampaignRecord['expected']> {
    const category = templateId === undefined ? 'marketing' : await categoryOf(scope, templateId)
    // Each part of it has others in it: together they are the audience.
    const pieces =
      audience.kind === 'campaign'
        ? (await missed.parts(scope, audience)).map((part) => [part])
        : [await partsOfAudience(scope, audience)]
    const count = async (filter?: ContactPart['filter']) => {
      let sum = 0
      for (const parts of pieces) sum += await countPart(scope, filter ? [...parts, { filter }] : parts)
      return sum
    }
    const told = async (value: ContactPart['filter'] | undefined) =>
      value ? count({ ...reachableFilter, ...value }) : 0
    const isMarketing = category === 'marketing'
    const begins = scheduledFor === undefined ? new Date() : new Date(scheduledFor)
    const [since, onlyOptedIn] = isMarketing
      ? await Promise.all([recentSince({ ...scope, recentDays }, begins), needsOptIn(scope)])
      : [undefined, false]
    const agrees = { 'optIn.marketing': onlyOptedIn ? ('in' as const) : { $ne: 'out' as const } }
    const [all, blocked, unreachable, optedOut, noOptIn, recentlyMessaged] = await Promise.all([
      count(),
      count({ blocked: true }),
      count({ blocked: false, phone: null, waUserId: null }),
      told(
        isMarketing
          ? { 'optIn.marketing': 'out' }
          : category === 'utility'
            ? { 'utilityConsent.value': 'out' }
            : undefined,
      ),
      told(onlyOptedIn ? { 'optIn.marketing': 'unknown' } : undefined),
      told(since && { ...agrees, lastMarketingAt: { $gte: since } }),
    ])
    const excluded = { optedOut, noOptIn, recentlyMessaged, blocked, unreachable }
    const leftOut = Object.values(excluded).reduce((sum, each) => sum + each, 0)
    return { audience: all, excluded, reachable: Math.max(0, all - leftOut) }
  }

  async function countPart(scope: WorkspaceScope, parts: readonly ContactPart[]): Promise<number> {
    const counted = await contacts.count(scope, parts, { maxTimeMS: longestCountMs })
    if (counted === null) throw new AppError('search_too_long', 'Counting this audience takes too long. Choose tags.')
    return counted
  }

  return { list, summary, find, read, showOne, preview }
}

const reachableFilter: ContactPart['filter'] = {
  blocked: false,
  $or: [{ phone: { $ne: null } }, { waUserId: { $ne: null } }],
}

/** A campaign as its endpoints answer with it. */
function toCampaign(record: CampaignRecord, tallies: Tallies | undefined): Campaign {
  const { scheduledFor, startedAt, completedAt, pausedFor, pauseDetail, waitsUntil, status } = record
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
    variables: { ...record.variables },
    status,
    counts: tallies ? countsOf(tallies) : expectedCounts(record.expected),
    ...(scheduledFor && { scheduledFor: scheduledFor.toISOString() }),
    ...(record.anyHour && { anyHour: true as const }),
    ...(record.recentDays !== undefined && { recentDays: record.recentDays }),
    ...(status === 'active' && waitsUntil && { waitsUntil: waitsUntil.toISOString() }),
    ...(startedAt && { startedAt: startedAt.toISOString() }),
    ...(completedAt && { completedAt: completedAt.toISOString() }),
    ...(status === 'paused' && pausedFor && { pausedFor, ...(pauseDetail !== undefined && { pauseDetail }) }),
  }
}

const expectedCounts = ({ audience, excluded, reachable: queued }: CampaignRecord['expected']): CampaignCounts => ({
  ...countsOf({}),
  audience,
  // Campaigns of older versions have not counted whom they had written to recently.
  excluded: { ...excluded, recentlyMessaged: excluded.recentlyMessaged ?? 0 },
  queued,
})
