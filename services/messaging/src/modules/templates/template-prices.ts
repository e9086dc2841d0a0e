import type { PriceChange } from '@parley/contracts/templates/template-checks'
import type { Template } from '@parley/contracts/templates/templates'
import { priceOf } from '@parley/contracts/usage/rate-cards'
import { countryOf } from '@parley/phone'
import type { Clock } from '@parley/service-kit/core/clock'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { NumbersService } from '../channel/numbers/numbers.service.ts'
import type { RateCards } from '../usage/rate-cards/rate-cards.service.ts'

/** Prices a template's message in another category, by the workspace's current prices. */
export function createTemplatePrices({
  rateCards,
  numbers,
  now,
}: {
  rateCards: Pick<RateCards, 'at'>
  numbers: Pick<NumbersService, 'list'>
  now: Clock
}) {
  /** @returns null where the prices do not tell both. */
  return async function changeTo(
    scope: WorkspaceScope,
    businessAccountId: string,
    { from, to }: { from: Template['category']; to: Template['category'] },
  ): Promise<PriceChange | null> {
    const [card, known] = await Promise.all([rateCards.at(scope, now()), numbers.list(scope)])
    const first = known.find((number) => number.businessAccountId === businessAccountId)
    const home = (first && countryOf(first.phoneNumber)) ?? null
    if (!card) return null
    const country = card.rates.some((rate) => rate.country === home) ? home : 'other'
    const nowMicros = priceOf(card.rates, country, from)
    const thenMicros = priceOf(card.rates, country, to)
    if (country === null || nowMicros === undefined || thenMicros === undefined) return null
    return { currency: card.currency, country, nowMicros, thenMicros }
  }
}
