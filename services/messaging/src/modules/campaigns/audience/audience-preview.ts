import { type campaignsApi, nobodyExcluded } from '@parley/contracts/campaigns/campaigns'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import type { Template } from '@parley/contracts/templates/templates'
import { AppError } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ConsentSettingsService } from '../../contacts/consent/consent-settings.service.ts'
import type { ContactPart } from '../../contacts/contact-query.ts'
import type { ContactsService } from '../../contacts/contacts.service.ts'
import type { ImportPeople } from '../../contacts/imports/import-people.ts'
import type { SendingHoursService } from '../../outbound/sending-hours/sending-hours.service.ts'
import type { TemplatesService } from '../../templates/templates.service.ts'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { AudienceParts } from './audience-parts.ts'
import { maxUndelivered, usPhone, usUserId } from './left-out-reason.ts'
import { recentSinceOf } from './recent-since.ts'
import type { RetargetAudience } from './retarget-audience.ts'

type Preview = EndpointInput<typeof campaignsApi.preview>['body']
type Parts = readonly ContactPart[]
type Filter = ContactPart['filter']
type Reason = keyof CampaignRecord['expected']['excluded']
const maxCountMs = 5000

/** Previews what a campaign would reach, before anything is stored. */
export function createAudiencePreview({
  contacts,
  audiences,
  missed,
  importPeople,
  templates,
  consentSettings: { needsOptIn },
  sendingHours,
}: {
  contacts: Pick<ContactsService, 'count'>
  audiences: Pick<AudienceParts, 'chosen' | 'leftOut'>
  missed: Pick<RetargetAudience, 'parts'>
  importPeople: Pick<ImportPeople, 'parts'>
  templates: Pick<TemplatesService, 'find'>
  consentSettings: Pick<ConsentSettingsService, 'needsOptIn'>
  sendingHours: Pick<SendingHoursService, 'zoneOf'>
}) {
  /**
   * Counts an audience now, and the contacts that would be left out on the day on which it begins.
   * @throws `not_found`, `wrong_state`, `search_too_long`.
   */
  async function preview(scope: WorkspaceScope, question: Preview): Promise<CampaignRecord['expected']> {
    const [pieces, leftOut, rules] = await Promise.all([
      piecesOf(scope, question),
      audiences.leftOut(scope, question.audience.exclude),
      rulesOf(scope, question),
    ])
    const count = async (filters: readonly Filter[] = []) => {
      const also = filters.map((filter) => ({ filter }))
      let sum = 0
      for (const parts of pieces)
        sum += inTime(await contacts.count(scope, [...parts, ...also], { maxTimeMS: maxCountMs }))
      return sum
    }
    // A contact left out for one reason is not counted for another one.
    const hasUs = rules.category === 'marketing' && (await hasUsAddresses(scope))
    const reasons = reasonsOf({ ...rules, leftOut, hasUs })
    const counted = reasons.map(async ({ reason, filter }, index) => {
      const before = reasons.slice(0, index).map((earlier) => earlier.filter)
      return { reason, count: await count(before.length > 0 ? [{ $nor: before }, filter] : [filter]) }
    })
    const [all, found] = await Promise.all([count(), Promise.all(counted)])
    const excluded = { ...nobodyExcluded }
    for (const { reason, count: more } of found) excluded[reason] += more
    const sum = found.reduce((before, part) => before + part.count, 0)
    return { audience: all, excluded, reachable: Math.max(0, all - sum) }
  }

  /** Returns whether any address is of the United States: most workspaces have none there, which costs two index lookups. */
  async function hasUsAddresses(scope: WorkspaceScope): Promise<boolean> {
    const found = usIndexed.map((part) => contacts.count(scope, [part], { limit: 1 }))
    return (await Promise.all(found)).some((count) => count !== 0)
  }

  /** Splits an audience into parts that do not overlap: together they are the audience. */
  async function piecesOf(scope: WorkspaceScope, { audience }: Pick<Preview, 'audience'>): Promise<Parts[]> {
    if (audience.kind === 'campaign') return (await missed.parts(scope, audience)).map((part) => [part])
    if (audience.kind === 'import') return (await importPeople.parts(scope, audience.importId)).map((part) => [part])
    return [await audiences.chosen(scope, audience)]
  }

  /** Returns the rules by which the template's category leaves contacts out on the day on which it begins. */
  async function rulesOf(scope: WorkspaceScope, { templateId, recentDays, scheduledFor }: Omit<Preview, 'audience'>) {
    const category = templateId === undefined ? 'marketing' : (await templates.find(scope, templateId)).category
    if (category !== 'marketing') return { category, onlyOptedIn: false, since: undefined }
    const [since, onlyOptedIn] = await Promise.all([
      recentSinceOf(sendingHours, { ...scope, recentDays }, beginOf({ scheduledFor })),
      needsOptIn(scope),
    ])
    return { category, onlyOptedIn, since }
  }

  return { preview }
}

/** Wider than {@link usPhone}, as their indexes can answer it. */
const usIndexed: readonly ContactPart[] = [
  { index: 'phone', filter: { phone: /^\+1/ } },
  { index: 'user-id', filter: { waUserId: usUserId } },
]

interface Rules {
  readonly category: Template['category']
  readonly onlyOptedIn: boolean
  readonly since: Date | undefined
  readonly leftOut: Filter | undefined
  /** True where a contact has an address in the United States. */
  readonly hasUs: boolean
}

/**
 * Returns the filter of each reason to leave contacts out, in the order of `leftOutReason`; only the rows show whether two
 * contacts share a number.
 */
function reasonsOf({ category, onlyOptedIn, since, leftOut, hasUs }: Rules): { reason: Reason; filter: Filter }[] {
  const isMarketing = category === 'marketing'
  const reasons: [Reason, Filter | false | undefined][] = [
    ['byChoice', leftOut],
    ['blocked', { blocked: true }],
    ['unreachable', { phone: null, waUserId: null }],
    ['optedOut', isMarketing && { 'optIn.marketing': 'out' }],
    ['optedOut', category === 'utility' && { 'utilityConsent.value': 'out' }],
    ['noOptIn', onlyOptedIn && { 'optIn.marketing': 'unknown' }],
    ['countryRestricted', hasUs && { $or: [{ phone: usPhone }, { phone: null, waUserId: usUserId }] }],
    ['unreachable', { [`undeliveredIn.${maxUndelivered - 1}`]: { $exists: true } }],
    ['recentlyMessaged', since && { lastMarketingAt: { $gte: since } }],
  ]
  return reasons.flatMap(([reason, filter]) => (filter ? [{ reason, filter }] : []))
}

const beginOf = ({ scheduledFor }: Pick<Preview, 'scheduledFor'>): Date =>
  scheduledFor === undefined ? new Date() : new Date(scheduledFor)

/** @throws `search_too_long` for what could not be counted in time. */
function inTime<T>(counted: T | null): T {
  if (counted === null) throw new AppError('search_too_long', 'Counting this audience takes too long. Choose tags.')
  return counted
}
