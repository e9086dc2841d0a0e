import type { Audience, VariableSource } from '@parley/contracts/campaigns/campaign-fields'
import type { Campaign, CampaignCounts } from '@parley/contracts/campaigns/campaigns'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { type AudienceCount, contactsOf, countAudience } from './audience.ts'
import { dayMs, hourMs, minuteMs } from './facts.ts'
import { mainNumberId } from './numbers.ts'
import { createRandom, type Random } from './random.ts'

/** Results of a sample campaign: shares of the contacts it could reach, of what was sent and of what was delivered. */
interface Plan {
  readonly name: string
  readonly audience: Audience
  readonly audienceName: string
  readonly template: readonly [id: string, name: string]
  readonly variables?: Record<string, VariableSource>
  readonly status: 'scheduled' | 'active' | 'paused' | 'completed'
  readonly createdAgoMs: number
  readonly startedAgoMs?: number
  readonly completedAgoMs?: number
  readonly pausedAgoMs?: number
  /** Saturday 10:00 of the business's zone, or days from now at that hour. */
  readonly scheduledFor?: 'saturday' | number
  /** Share of the reachable contacts that has been tried. */
  readonly done?: number
  readonly read?: number
  readonly clicked?: number
}

const tag = (name: string): Pick<Plan, 'audience' | 'audienceName'> => ({
  audience: { kind: 'tags', tags: [name] },
  audienceName: `Tagged ${name}`,
})
const segment = (segmentId: string, audienceName: string): Pick<Plan, 'audience' | 'audienceName'> => ({
  audience: { kind: 'segment', segmentId },
  audienceName,
})
const firstName: VariableSource = { kind: 'field', field: 'firstName', fallback: 'there' }
const text = (value: string): VariableSource => ({ kind: 'text', text: value })

const plans: readonly Plan[] = [
  {
    name: 'Summer sale',
    ...tag('repeat'),
    template: ['template-3', 'summer_sale'],
    variables: { first_name: firstName, discount: text('20%') },
    status: 'completed',
    createdAgoMs: 7 * dayMs,
    startedAgoMs: 6 * dayMs,
    completedAgoMs: 18 * minuteMs,
    done: 1,
    read: 0.74,
    clicked: 0.21,
  },
  {
    name: 'Weekend offer',
    ...segment('active', 'Segment Active'),
    template: ['template-2', 'weekend_offer'],
    variables: { first_name: firstName },
    status: 'scheduled',
    createdAgoMs: 420 * minuteMs,
    scheduledFor: 'saturday',
  },
  {
    name: 'VIP early access',
    ...segment('vip', 'Segment VIP'),
    template: ['template-5', 'vip_early_access'],
    variables: { 1: firstName, 2: text('Nilgiri winter flush') },
    status: 'active',
    createdAgoMs: 2 * dayMs,
    startedAgoMs: 26 * hourMs,
    done: 0.46,
    read: 0.81,
    clicked: 0.33,
  },
  {
    name: 'Monsoon blend launch',
    ...tag('newsletter'),
    template: ['template-4', 'new_blend_launch'],
    variables: { first_name: firstName, blend: text('Monsoon Malabar chai') },
    status: 'active',
    createdAgoMs: 4 * dayMs,
    startedAgoMs: 3 * dayMs,
    done: 0.38,
    read: 0.66,
    clicked: 0.17,
  },
  {
    name: 'Cart reminders',
    ...segment('leads', 'Segment Leads'),
    template: ['template-6', 'cart_reminder'],
    variables: { 1: firstName, 2: text('your tea basket') },
    status: 'active',
    createdAgoMs: 10 * dayMs,
    startedAgoMs: 9 * dayMs,
    done: 0.62,
    read: 0.58,
    clicked: 0.14,
  },
  {
    name: 'Brass kettle pre-order',
    ...tag('customer'),
    template: ['template-5', 'vip_early_access'],
    variables: { 1: firstName, 2: text('hand-beaten brass kettles') },
    status: 'scheduled',
    createdAgoMs: 3 * dayMs + 5 * hourMs,
    scheduledFor: 12,
  },
  {
    name: 'Wholesale price list',
    ...tag('wholesale'),
    template: ['template-7', 'wholesale_prices'],
    variables: { first_name: firstName, month: text('this month') },
    status: 'paused',
    createdAgoMs: 13 * dayMs,
    startedAgoMs: 12 * dayMs,
    pausedAgoMs: 6 * dayMs,
    done: 0.52,
    read: 0.69,
    clicked: 0.26,
  },
  {
    name: 'Festive gift hampers',
    ...tag('customer'),
    template: ['template-8', 'festive_hampers'],
    variables: { 1: firstName },
    status: 'completed',
    createdAgoMs: 27 * dayMs,
    startedAgoMs: 26 * dayMs,
    completedAgoMs: 19 * dayMs,
    done: 1,
    read: 0.71,
    clicked: 0.19,
  },
  {
    name: 'Long weekend offer',
    ...segment('leads', 'Segment Leads'),
    template: ['template-2', 'weekend_offer'],
    variables: { first_name: firstName },
    status: 'completed',
    createdAgoMs: 45 * dayMs,
    startedAgoMs: 44 * dayMs,
    completedAgoMs: 40 * dayMs,
    done: 1,
    read: 0.49,
    clicked: 0.09,
  },
  {
    name: 'New shop in Indiranagar ☕',
    ...tag('newsletter'),
    template: ['template-4', 'new_blend_launch'],
    variables: { first_name: firstName, blend: text('Indiranagar house blend') },
    status: 'completed',
    createdAgoMs: 66 * dayMs,
    startedAgoMs: 64 * dayMs,
    completedAgoMs: 61 * dayMs,
    done: 1,
    read: 0.63,
    clicked: 0.12,
  },
]

/** The story's campaigns by id, over its contacts; the latest made first. */
export function createCampaigns(now: Date, contacts: ReadonlyMap<string, Contact>): Map<string, Campaign> {
  const random = createRandom(47)
  const campaigns = plans.map((plan, index) =>
    createCampaign({ plan, id: `campaign-${index + 1}`, now, contacts, random }),
  )
  const latestFirst = campaigns.toSorted((left, right) => right.createdAt.localeCompare(left.createdAt))
  return new Map(latestFirst.map((campaign) => [campaign.id, campaign]))
}

interface Making {
  plan: Plan
  id: string
  now: Date
  contacts: ReadonlyMap<string, Contact>
  random: Random
}

function createCampaign({ plan, id, now, contacts, random }: Making): Campaign {
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  const { createdAgoMs, startedAgoMs, completedAgoMs, pausedAgoMs, scheduledFor } = plan
  const [templateId, templateName] = plan.template
  return {
    id,
    createdAt: before(createdAgoMs),
    updatedAt: before(completedAgoMs ?? pausedAgoMs ?? Math.min(createdAgoMs, startedAgoMs ?? createdAgoMs)),
    version: 1,
    name: plan.name,
    audience: plan.audience,
    audienceName: plan.audienceName,
    numberId: mainNumberId,
    templateId,
    templateName,
    variables: plan.variables ?? {},
    status: plan.status,
    counts: createCounts(plan, countAudience(contactsOf(plan.audience, contacts, now)), random),
    ...(startedAgoMs !== undefined && { startedAt: before(startedAgoMs) }),
    ...(completedAgoMs !== undefined && { completedAt: before(completedAgoMs) }),
    ...(scheduledFor !== undefined && { scheduledFor: atTen(now, scheduledFor).toISOString() }),
  }
}

function createCounts({ done = 0, read = 0, clicked = 0 }: Plan, count: AudienceCount, random: Random): CampaignCounts {
  const tried = Math.round(count.reachable * done)
  const failed = Math.round(tried * (0.008 + 0.01 * random.next()))
  const sent = tried - failed
  const delivered = Math.round(sent * (0.965 + 0.02 * random.next()))
  const opened = Math.round(delivered * read)
  const answered = Math.min(opened, Math.round(delivered * (0.02 + 0.04 * random.next())))
  return {
    audience: count.audience,
    excluded: count.excluded,
    queued: count.reachable - tried,
    sent,
    delivered,
    read: opened,
    // Clicks are unknown where nothing was sent.
    clicked: tried === 0 ? null : Math.min(opened, Math.round(delivered * clicked)),
    replied: tried === 0 ? null : answered,
    failed,
    uncertain: 0,
  }
}

/** India has had one offset from UTC since 1945. */
const zoneOffsetMs = 5.5 * hourMs

/** Returns 10:00 in the business's zone: on the next Saturday ahead, or the given number of days from now. */
function atTen(now: Date, on: 'saturday' | number): Date {
  const local = new Date(now.getTime() + zoneOffsetMs)
  const midnight = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate())
  const ten = midnight + 10 * hourMs - zoneOffsetMs
  if (on !== 'saturday') return new Date(ten + on * dayMs)
  const days = (6 - local.getUTCDay() + 7) % 7
  return new Date(ten + (days === 0 && ten <= now.getTime() ? 7 : days) * dayMs)
}
