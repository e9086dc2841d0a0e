import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { countOf, dayOf } from '../core/english-format.ts'
import { countSchema, moneySchema, timeSchema } from '../core/records.ts'
import { planIds } from './plans.ts'

const meterSchema = z.object({
  limit: countSchema,
  used: countSchema,
  /** Held by campaigns, for recipients who still wait and those who may have got the message. */
  held: countSchema,
  /** Never below zero; nothing once a trial has ended. */
  left: countSchema,
})
export type UsageMeter = z.infer<typeof meterSchema>

/** The part of the sample data in what is used, as long as that is loaded. */
const sampleUsageSchema = z.object({
  credits: countSchema,
  messages: countSchema,
  /** The workspace's own plan, with the first day after it; set where the plan belongs to the sample data too. */
  ownPlan: z.object({ id: z.enum(planIds), name: z.string().max(40), to: z.iso.date(), ended: z.boolean() }).optional(),
})

/** Allowance of a workspace's plan in one period, and its use. */
const usageSchema = z.object({
  /** Name of the plan. */
  plan: z.string().max(40),
  /** Absent for the plan of the sample data, which cannot be chosen. */
  planId: z.enum(planIds).optional(),
  /** For a month. */
  price: moneySchema,
  /** The smaller plan that was chosen, and the day of the workspace's zone from which it counts. */
  next: z.object({ plan: z.string().max(40), from: z.iso.date() }).optional(),
  /** True where the owner chooses plans here; otherwise the operator of Parley sets them. */
  choosable: z.boolean(),
  /** Days of the workspace's zone: the first one, and the first one after the period. */
  from: z.iso.date(),
  to: z.iso.date(),
  /** End of the period. */
  endsAt: timeSchema,
  /** Messages of templates, one credit each: those with which a business begins. Each is one of the messages too. */
  credits: meterSchema,
  /** Everything that was sent and that WhatsApp has taken. */
  messages: meterSchema,
  /** True where another period follows automatically: none does after a trial. */
  renews: z.boolean(),
  /** The trial is over. */
  ended: z.boolean(),
  /** True where the limit is enforced: the operator of Parley decides. */
  limited: z.boolean(),
  sample: sampleUsageSchema.optional(),
})
export type Usage = z.infer<typeof usageSchema>

/** Use on one day of the workspace's zone: a campaign's messages on the day on which it began. */
const usageDaySchema = z.object({ date: z.iso.date(), credits: countSchema, messages: countSchema })
export type UsageDay = z.infer<typeof usageDaySchema>

const meterNames = ['credits', 'messages'] as const

/** The meter that will be used up first by templates, each of which takes one of both. */
export const tighterMeter = ({ credits, messages }: Usage): (typeof meterNames)[number] =>
  messages.left < credits.left ? 'messages' : 'credits'

const otherPlan = ({ choosable }: Usage): string =>
  choosable
    ? 'ask the owner to choose a larger plan in Settings, Billing'
    : 'ask Parley’s support for another plan: Settings, Billing lists them'

/** Says why a campaign does not fit into what is left, and what to do; undefined where it fits. @param needs templates. */
export function quotaProblem(usage: Usage, needs: number): string | undefined {
  const meter = tighterMeter(usage)
  const { left, limit } = usage[meter]
  if (!usage.limited || needs === 0 || needs <= left) return undefined
  if (usage.ended) return `The free trial ended on ${dayOf(usage.to)}. To send campaigns, ${otherPlan(usage)}.`
  const rest = `${countOf(left)} of ${countOf(limit)} are left until ${dayOf(usage.to)}`
  const needed = needs === 1 ? `1 ${meter.slice(0, -1)}` : `${countOf(needs)} ${meter}`
  const wait = usage.renews ? ', wait until then' : ''
  return `This campaign needs ${needed}, and ${rest}. Choose fewer contacts${wait}, or ${otherPlan(usage)}.`
}

/** Says why a template cannot be sent outside the service window; undefined where there is room for one. */
export function templateProblem(usage: Usage): string | undefined {
  const meter = tighterMeter(usage)
  const { left, limit, held } = usage[meter]
  if (!usage.limited || left > 0) return undefined
  const byCampaigns = held > 0 ? `, ${countOf(held)} of them held by campaigns that are being sent` : ''
  const used = usage.ended
    ? `The free trial ended on ${dayOf(usage.to)}.`
    : `All ${countOf(limit)} ${meter} in your plan until ${dayOf(usage.to)} are used up${byCampaigns}.`
  const wait = usage.renews && !usage.ended ? 'wait until then, or ' : ''
  return `${used} You can still send one template to contacts who wrote in the last 7 days. This contact did not, or already got it. To send another, ${wait}${otherPlan(usage)}.`
}

type Meters = Pick<Usage, (typeof meterNames)[number] | 'sample'>

/** Returns the workspace's own use: figures of the sample data cause no warnings. */
export const ownMeter = (usage: Meters, name: (typeof meterNames)[number]): UsageMeter => ({
  ...usage[name],
  used: usage[name].used - (usage.sample?.[name] ?? 0),
})

/**
 * Returns how near a workspace's own use is to its limit, in percent of the limit, by the meter that is nearer; 0 where there is
 * no limit.
 */
export function usedPercent(usage: Meters & Pick<Usage, 'limited' | 'ended'>): number {
  if (!usage.limited) return 0
  if (usage.ended) return 100
  return fullerMeter(usage).percent
}

/** Returns the meter of which the workspace itself has used the larger part, and that part in percent. */
export function fullerMeter(usage: Meters) {
  const [credits, messages] = [ownMeter(usage, 'credits'), ownMeter(usage, 'messages')]
  return percentOf(credits) > percentOf(messages)
    ? { name: 'credits' as const, percent: percentOf(credits), ...credits }
    : { name: 'messages' as const, percent: percentOf(messages), ...messages }
}

const percentOf = ({ used, limit }: Pick<UsageMeter, 'used' | 'limit'>): number =>
  limit === 0 ? 100 : (used / limit) * 100

export const usageApi = {
  read: defineEndpoint({
    operation: 'usage.read',
    method: 'GET',
    path: '/api/usage',
    access: 'session',
    permission: 'workspace:read',
    v1: true,
    tool: 'Read what the plan allows and what is used of it.',
    summary: 'Limits of the plan in the current period, or in that of `at`, and how much of them is used and reserved.',
    query: z.object({ at: timeSchema.optional() }),
    status: 200,
    response: usageSchema,
    errors: [],
  }),
  days: defineEndpoint({
    operation: 'usage.days',
    method: 'GET',
    path: '/api/usage/days',
    access: 'session',
    permission: 'workspace:read',
    v1: true,
    summary: 'Usage per day of the period until today, at most the last 14 days, oldest first.',
    status: 200,
    response: z.array(usageDaySchema).max(14),
    errors: [],
  }),
}

/** Periods in a list at most: a year and the running one. */
export const maxUsagePeriods = 13

/** Usage of a period, of the running one until now. */
const usagePeriodSchema = z.object({
  /** Days of the workspace's zone: the first one, and the first one after the period. */
  from: z.iso.date(),
  to: z.iso.date(),
  credits: countSchema,
  messages: countSchema,
  /** Plan that counted at its end, of the running one now, with its price for a month; `null` where nobody has kept it. */
  plan: z.object({ name: z.string().max(40), price: moneySchema }).nullable(),
})
export type UsagePeriod = z.infer<typeof usagePeriodSchema>

/** Days of which entries are downloaded at once. */
const maxEntryDays = 400

/** Plan of a workspace. */
export const billingApi = {
  periods: defineEndpoint({
    operation: 'billing.periods',
    method: 'GET',
    path: '/api/billing/periods',
    access: 'session',
    permission: 'billing:read',
    summary: 'Usage of the running period and of those before it, the newest first, for a year at most.',
    status: 200,
    response: z.object({ items: z.array(usagePeriodSchema).max(maxUsagePeriods) }),
    errors: [],
  }),
  entries: defineEndpoint({
    operation: 'billing.entries',
    method: 'GET',
    path: '/api/billing/entries.csv',
    access: 'session',
    permission: 'billing:read',
    audit: 'read',
    summary: 'Delivered messages with a price as CSV, the oldest first, by the clock of the workspace.',
    /** Days of the workspace’s zone: the first one, and the first one after the span. */
    query: z
      .object({ from: z.iso.date(), to: z.iso.date() })
      .refine(({ from, to }) => from < to, { error: 'The span has to end after it begins.', path: ['to'] })
      .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= maxEntryDays * 86_400_000, {
        error: `A span has at most ${maxEntryDays} days.`,
        path: ['to'],
      }),
    status: 200,
    responseType: 'stream',
    errors: [],
  }),
  choosePlan: defineEndpoint({
    operation: 'billing.choosePlan',
    method: 'POST',
    path: '/api/billing/plan',
    access: 'session',
    permission: 'billing:change',
    summary: 'Changes the plan: an upgrade applies at once, a downgrade from the next period.',
    body: z.object({ plan: z.enum(planIds) }),
    status: 200,
    response: usageSchema,
    errors: ['wrong_state', 'plan_limit', 'service_unavailable'],
  }),
  keepPlan: defineEndpoint({
    operation: 'billing.keepPlan',
    method: 'DELETE',
    path: '/api/billing/plan',
    access: 'session',
    permission: 'billing:change',
    summary: 'Cancels a downgrade that has not taken effect yet.',
    status: 200,
    response: usageSchema,
    errors: [],
  }),
}
