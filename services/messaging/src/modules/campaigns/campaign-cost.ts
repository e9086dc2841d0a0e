import type { CampaignCost, ChargedLine } from '@parley/contracts/campaigns/campaign-cost'
import { priceOf } from '@parley/contracts/usage/rate-cards'
import { AppError } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { createUsage, UsageGroup } from '../usage/ledger/usage.ts'
import type { BegunCard, RateCards } from '../usage/rate-cards/rate-cards.service.ts'
import type { CampaignsService } from './campaigns.service.ts'
import type { RecipientsRepository } from './recipients/recipients.repository.ts'
import { countsOf } from './recipients/tallies.ts'
import type { Recount } from './run/recount.ts'

const maxCountMs = 5000

/** Computes what WhatsApp has charged for a campaign. The answer throws `not_found`, `search_too_long`. */
export const createCampaignCost =
  ({
    shown: { find },
    recipients: { totals },
    recount: { hintStale },
    usage: { ofCampaign: usageOf },
    rateCards: { from: pricesFrom },
  }: {
    shown: Pick<CampaignsService, 'find'>
    recipients: Pick<RecipientsRepository, 'totals'>
    recount: Pick<Recount, 'hintStale'>
    usage: Pick<ReturnType<typeof createUsage>, 'ofCampaign'>
    rateCards: Pick<RateCards, 'from'>
  }) =>
  async (scope: WorkspaceScope, id: string): Promise<CampaignCost> => {
    const { planned, startedAt, rowsRemoved } = await find(scope, id)
    if (!rowsRemoved) await hintStale(scope, id)
    // A row of usage is there before its message is counted: read in this order, no message seems to lack one.
    const tallies = (await totals(scope, [id])).get(id) ?? {}
    const cards = await pricesFrom(scope, startedAt ?? new Date())
    const moments = cards.map(({ begins }) => begins)
    const groups = await usageOf(scope, { campaignId: id, moments, maxTimeMS: maxCountMs })
    if (!groups) throw new AppError('search_too_long', 'Adding up what was charged takes too long. Try again later.')
    const recorded = groups.reduce((sum, { count }) => sum + count, 0)
    return {
      planned: planned ?? null,
      ...chargedFor(groups, cards),
      unrecorded: Math.max(0, countsOf(tallies).delivered - recorded),
      hasPrices: moments.some((begins) => begins <= new Date()),
    }
  }

/**
 * Prices what was delivered.
 * @param cards the earliest first: a group of period 1 was delivered while the first one held, of period 0 before that.
 */
export function chargedFor(
  groups: readonly UsageGroup[],
  cards: readonly BegunCard[],
): Pick<CampaignCost, 'charged' | 'lines' | 'unpriced' | 'free'> {
  const lines = new Map<string, ChargedLine>()
  for (const group of groups.filter(({ billable }) => billable)) {
    const line = lineOf(group, cards[group.period - 1])
    // Periods in which the price was the same are one line.
    const key = [line.country, line.category, line.charge?.currency, line.charge?.priceMicros].join(' ')
    lines.set(key, together(line, lines.get(key)))
  }
  const all = [...lines.values()].sort((left, right) => right.count - left.count)
  const sums = new Map<string, number>()
  for (const { charge } of all) if (charge) sums.set(charge.currency, (sums.get(charge.currency) ?? 0) + charge.micros)
  const counted = (some: readonly { count: number }[]) => some.reduce((sum, { count }) => sum + count, 0)
  return {
    charged: [...sums].map(([currency, micros]) => ({ currency, micros })),
    lines: all,
    unpriced: counted(all.filter(({ charge }) => charge === null)),
    free: counted(groups.filter(({ billable }) => !billable)),
  }
}

function lineOf({ country, category, count }: UsageGroup, card: BegunCard | undefined): ChargedLine {
  const priceMicros = card && priceOf(card.rates, country, category)
  const charge =
    card && priceMicros !== undefined ? { currency: card.currency, priceMicros, micros: count * priceMicros } : null
  return { country, category, count, charge }
}

const together = (line: ChargedLine, other: ChargedLine | undefined): ChargedLine =>
  other === undefined
    ? line
    : {
        ...line,
        count: line.count + other.count,
        charge: line.charge && { ...line.charge, micros: line.charge.micros + (other.charge?.micros ?? 0) },
      }
