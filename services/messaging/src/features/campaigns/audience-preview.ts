import type { campaignsApi } from '@parley/contracts/campaigns'
import type { EndpointInput } from '@parley/contracts/endpoint'
import type { Template } from '@parley/contracts/templates'
import { AppError } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ContactPart } from '../contacts/contact-query.ts'
import type { ContactsService } from '../contacts/contacts.service.ts'
import type { CampaignRecord } from './campaigns.model.ts'
import type { PartsOfAudience } from './freeze.ts'
import type { MissedRows } from './missed.ts'
import type { RecentSince } from './recent-since.ts'

type Preview = EndpointInput<typeof campaignsApi.preview>['body']
type Parts = readonly ContactPart[]
type Filter = ContactPart['filter']
const longestCountMs = 5000

/** What a campaign would reach, before anything is stored. */
export function createAudiencePreview({
  contacts,
  partsOfAudience,
  missed,
  categoryOf,
  needsOptIn,
  recentSince,
}: {
  contacts: Pick<ContactsService, 'count'>
  partsOfAudience: PartsOfAudience
  missed: Pick<MissedRows, 'parts'>
  /** @throws `not_found`. */
  categoryOf: (scope: WorkspaceScope, templateId: string) => Promise<Template['category']>
  /** Whether marketing goes only to people who have agreed to it. */
  needsOptIn: (scope: WorkspaceScope) => Promise<boolean>
  recentSince: RecentSince
}) {
  /**
   * How many an audience has now, and who of it would be left out on the day on which it begins.
   * @throws `not_found`, `wrong_state`, `search_too_long`.
   */
  async function preview(scope: WorkspaceScope, question: Preview): Promise<CampaignRecord['expected']> {
    const [pieces, { isMarketing, category, onlyOptedIn, agrees, since }] = await Promise.all([
      piecesOf(scope, question),
      rulesOf(scope, question),
    ])
    const count = async (filter?: Filter) => {
      let sum = 0
      for (const parts of pieces)
        sum += inTime(
          await contacts.count(scope, filter ? [...parts, { filter }] : parts, { maxTimeMS: longestCountMs }),
        )
      return sum
    }
    const told = async (value: Filter | undefined) => (value ? count({ ...reachableFilter, ...value }) : 0)
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

  /** Each of them has others in it: together they are the audience. */
  const piecesOf = async (scope: WorkspaceScope, { audience }: Pick<Preview, 'audience'>): Promise<Parts[]> =>
    audience.kind === 'campaign'
      ? (await missed.parts(scope, audience)).map((part) => [part])
      : [await partsOfAudience(scope, audience)]

  /** Whom the template's category leaves out on the day on which it begins. */
  async function rulesOf(scope: WorkspaceScope, { templateId, recentDays, scheduledFor }: Omit<Preview, 'audience'>) {
    const category = templateId === undefined ? 'marketing' : await categoryOf(scope, templateId)
    const isMarketing = category === 'marketing'
    const begins = beginOf({ scheduledFor })
    const [since, onlyOptedIn] = isMarketing
      ? await Promise.all([recentSince({ ...scope, recentDays }, begins), needsOptIn(scope)])
      : [undefined, false]
    const agrees: Filter = isMarketing
      ? { 'optIn.marketing': onlyOptedIn ? 'in' : { $ne: 'out' } }
      : category === 'utility'
        ? { 'utilityConsent.value': { $ne: 'out' } }
        : {}
    return { isMarketing, category, onlyOptedIn, agrees, since }
  }

  return { preview }
}

const beginOf = ({ scheduledFor }: Pick<Preview, 'scheduledFor'>): Date =>
  scheduledFor === undefined ? new Date() : new Date(scheduledFor)

const reachableFilter: Filter = {
  blocked: false,
  $or: [{ phone: { $ne: null } }, { waUserId: { $ne: null } }],
}

/** @throws `search_too_long` for what could not be counted in time. */
function inTime<T>(counted: T | null): T {
  if (counted === null) throw new AppError('search_too_long', 'Counting this audience takes too long. Choose tags.')
  return counted
}
