import type { CampaignReview, ReviewWarning } from '@parley/contracts/campaigns/campaign-drafts'
import type { DeliveryGroup, DeliveryPlan } from '@parley/contracts/campaigns/delivery-plan'
import { countOf, dayOf } from '@parley/contracts/core/english-format'
import { type CostLine, priceOf } from '@parley/contracts/usage/rate-cards'
import { quotaProblem, tighterMeter, type Usage } from '@parley/contracts/usage/usage'
import { countryOf } from '@parley/phone'
import type { Clock } from '@parley/service-kit/core/clock'
import type { Quota } from '../../usage/plan/quota.service.ts'
import type { RateCards } from '../../usage/rate-cards/rate-cards.service.ts'
import { fallbacksOf } from '../audience/fill-values.ts'
import type { Frozen, FrozenTemplate } from '../campaigns.model.ts'
import type { Tallies } from '../recipients/recipients.model.ts'
import type { RecipientsRepository } from '../recipients/recipients.repository.ts'
import { countsOf } from '../recipients/tallies.ts'
import { stopOf } from '../run/auto-pause.ts'
import type { DeliveryOf } from '../run/delivery.ts'
import type { ReviewResult } from './drafts.model.ts'
import type { ReviewMeans } from './review-checks.ts'

interface Reviewed {
  readonly id: string
  readonly workspaceId: string
  readonly numberId: string
  readonly template: FrozenTemplate
  readonly variables: Parameters<typeof fallbacksOf>[0]['variables']
  readonly anyHour?: true | undefined
  readonly scheduledFor: Date | undefined
  readonly frozen: Frozen
}

/** Computes the result of a draft's review from its rows once all of them are stored. */
export function createReviewResult({
  recipients,
  rateCards: { at: cardAt },
  quota: { usage },
  deliveryOf,
  now,
}: {
  recipients: Pick<RecipientsRepository, 'countByBeginning' | 'countByZone' | 'countFallbacks'>
  rateCards: Pick<RateCards, 'at'>
  quota: Pick<Quota, 'usage'>
  deliveryOf: DeliveryOf
  now: Clock
}) {
  return async function resultOf(draft: Reviewed, tallies: Tallies, means: ReviewMeans): Promise<ReviewResult> {
    const { audience, excluded, queued: count } = countsOf(tallies)
    const { scheduledFor, numberId } = draft
    const at = scheduledFor && scheduledFor > now() ? scheduledFor : now()
    const keepsHours = draft.template.category === 'marketing' && !draft.anyHour
    const [cost, groups, left, delivery] = await Promise.all([
      costOf(draft, at),
      recipients.countFallbacks(draft, draft.id),
      usage(draft, at),
      zonesOf(draft, count).then((zones) => deliveryOf(draft, { numberId, groups: zones, at, keepsHours })),
    ])
    return {
      counts: { audience, excluded, recipients: count },
      fallbacks: fallbacksOf(draft, groups),
      cost,
      delivery,
      problems: problemsOf({ audience, recipients: count, usage: left, means, isPast: isPast(scheduledFor, now()) }),
      warnings: warningsOf({ recipients: count, usage: left, means, delivery }),
    }
  }

  /** Groups the recipients by their sending hours. */
  async function zonesOf({ workspaceId, id, frozen: { groups } }: Reviewed, count: number): Promise<DeliveryGroup[]> {
    if (!groups) return [{ recipients: count, zones: [] }]
    const counts = await recipients.countByZone({ workspaceId }, id)
    return counts.map(({ zone, count: waiting }) => ({ recipients: waiting, zones: groups[zone]?.zones ?? [] }))
  }

  /** Returns the cost by the prices of the day on which it begins, the country with the most recipients first. */
  async function costOf(
    { workspaceId, id, template: { category } }: Reviewed,
    at: Date,
  ): Promise<NonNullable<CampaignReview['cost']>> {
    const scope = { workspaceId }
    const [card, groups] = await Promise.all([cardAt(scope, at), recipients.countByBeginning(scope, id)])
    const counts = new Map<string | null, number>()
    for (const { to, count } of groups) {
      const country = countryOf(to) ?? null
      counts.set(country, (counts.get(country) ?? 0) + count)
    }
    const priceIn = (country: string | null) => card && category && priceOf(card.rates, country, category)
    const lines = [...counts]
      .sort(([, left], [, right]) => right - left)
      .map(([country, count]): CostLine => ({ country, count, priceMicros: priceIn(country) ?? null }))
    return { card: card && { effectiveFrom: card.effectiveFrom, currency: card.currency }, lines }
  }
}

export const isPast = (at: Date | undefined, now: Date): boolean => at !== undefined && at <= now

export const nobodyIn = (audience: number): string =>
  audience === 0
    ? 'This audience is empty. Choose another one.'
    : 'Everyone in this audience is left out, so no one would get it. Choose another one.'

export const timePast = 'Its time has passed. Choose a later one, or send it now.'

/** Returns the problems that keep it from being launched. */
function problemsOf({
  audience,
  recipients,
  usage,
  means: { template, number },
  isPast: hasPassed,
}: {
  audience: number
  recipients: number
  usage: Usage
  means: ReviewMeans
  isPast: boolean
}): ReviewResult['problems'] {
  const quota = quotaProblem(usage, recipients)
  const stopped = stopOf(number, template?.category)
  return [
    ...(recipients === 0 ? [{ code: 'audience_empty' as const, message: nobodyIn(audience) }] : []),
    ...(template?.status === 'approved'
      ? []
      : [
          {
            code: 'template_not_approved' as const,
            message: 'WhatsApp no longer approves its template. Choose another one, or wait until it does.',
          },
        ]),
    ...(stopped === undefined
      ? []
      : [
          {
            code: 'number_stopped' as const,
            message: `Its number cannot send anything right now. ${stopped.slice(0, 300)} See WhatsApp Numbers.`,
          },
        ]),
    ...(quota === undefined ? [] : [{ code: 'quota_exceeded' as const, message: quota }]),
    ...(hasPassed ? [{ code: 'schedule_past' as const, message: timePast }] : []),
  ]
}

/** Returns the warnings that a member has to confirm. */
function warningsOf({
  recipients,
  usage,
  means,
  delivery,
}: {
  recipients: number
  usage: Usage
  means: ReviewMeans
  delivery: DeliveryPlan
}): ReviewResult['warnings'] {
  const warnings: { code: ReviewWarning; message: string }[] = []
  const { limited, to } = usage
  const meter = tighterMeter(usage)
  const { limit, left } = usage[meter]
  if (means.number?.quality === 'low')
    warnings.push({
      code: 'number_quality_low',
      message:
        'WhatsApp rates the quality of its number as low: customers block or report it. Sending more may cost you the number.',
    })
  const rest = left - recipients
  if (limited && recipients > 0 && rest >= 0 && rest < limit / 10)
    warnings.push({
      code: 'plan_nearly_used',
      message: `It leaves ${countOf(rest)} of the plan’s ${countOf(limit)} ${meter} until ${dayOf(to)}.`,
    })
  if (delivery.days.length > 1 || delivery.beyond > 0)
    warnings.push({ code: 'takes_days', message: longWords(delivery) })
  return warnings
}

function longWords({ days, beyond }: DeliveryPlan): string {
  if (beyond > 0) return `${countOf(beyond)} of its messages would not be sent within 30 days.`
  return `Its messages will be sent over ${days.length} days, the last ones on ${dayOf(days.at(-1)?.date ?? '')}.`
}
