import type { PriceChange } from '@parley/contracts/templates/template-checks'
import type { Template } from '@parley/contracts/templates/templates'
import { priceOf } from '@parley/contracts/usage/rate-cards'
import type { Clock } from '@parley/service-kit/core/clock'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RateCards } from '../usage/rate-cards/rate-cards.service.ts'

/** Prices a template's message in another category, by the workspace's current prices. */
export function createTemplatePrices({
  cardAt,
  countryOf,
  now,
}: {
  cardAt: RateCards['at']
  /** Returns the country of an account's first number; null where it is not known. */
  countryOf: (scope: WorkspaceScope, businessAccountId: string) => Promise<string | null>
  now: Clock
}) {
  /** @returns null where the prices do not tell both. */
  return async function changeTo(
    scope: WorkspaceScope,
    businessAccountId: string,
    { from, to }: { from: Template['category']; to: Template['category'] },
  ): Promise<PriceChange | null> {
    const [card, home] = await Promise.all([cardAt(scope, now()), countryOf(scope, businessAccountId)])
    if (!card) return null
    const country = card.rates.some((rate) => rate.country === home) ? home : 'other'
    const nowMicros = priceOf(card.rates, country, from)
    const thenMicros = priceOf(card.rates, country, to)
    if (country === null || nowMicros === undefined || thenMicros === undefined) return null
    return { currency: card.currency, country, nowMicros, thenMicros }
  }
}
