import { priceOf } from '@parley/contracts/usage/rate-cards'
import { countryOf } from '@parley/phone'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RateCards } from './rate-cards.service.ts'

interface Charged {
  readonly contactId: string
  /** Category as the platform bills it. */
  readonly category: string
  readonly at: Date
}

/** Returns the cost of one message, by the prices of its day; undefined where the workspace has entered none for it. */
export const createPriceAt =
  ({
    phoneOf,
    cardAt,
  }: {
    phoneOf: (scope: WorkspaceScope, contactId: string) => Promise<string | undefined>
    cardAt: RateCards['at']
  }) =>
  async (
    scope: WorkspaceScope,
    { contactId, category, at }: Charged,
  ): Promise<{ micros: number; currency: string } | undefined> => {
    const card = await cardAt(scope, at)
    if (!card) return undefined
    const phone = await phoneOf(scope, contactId)
    const country = (phone === undefined ? undefined : countryOf(phone)) ?? null
    const micros = priceOf(card.rates, country, category)
    return micros === undefined ? undefined : { micros, currency: card.currency }
  }
