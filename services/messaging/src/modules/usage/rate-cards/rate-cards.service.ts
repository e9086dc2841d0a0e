import type { SendingHours } from '@parley/contracts/campaigns/sending-hours'
import { momentOf, wallTimeOf } from '@parley/contracts/core/zoned-time'
import { maxRateCards, type NewRateCard, priceOf, type RateCard } from '@parley/contracts/usage/rate-cards'
import { countryOf } from '@parley/phone'
import { errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { HoldLimit } from '../../../platform/limits/hold-limit.ts'
import { type RateCardRecord, rateCardSchema } from './rate-cards.model.ts'

/** Prices, and since when they hold. */
export interface BegunCard extends Pick<RateCardRecord, 'currency' | 'rates'> {
  readonly begins: Date
}

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly holdLimit: HoldLimit
  readonly readHours: (scope: WorkspaceScope) => Promise<Pick<SendingHours, 'zone'>>
  readonly contactRecords: {
    readonly read: (scope: WorkspaceScope, id: string) => PromiseLike<{ readonly phone?: string | undefined } | null>
  }
  readonly transaction: RunInTransaction
}

export type RateCards = ReturnType<typeof createRateCards>

/**
 * Stores what WhatsApp charges for messages, as people of the workspace have entered it: Meta publishes it, and no API call
 * returns it.
 */
export function createRateCards({ mongo, readHours, contactRecords, holdLimit, transaction }: Dependencies) {
  const cards = workspaceCollection<RateCardRecord>({ connection: mongo, name: 'rateCards', schema: rateCardSchema })

  const dayOf = async (scope: WorkspaceScope, at: Date): Promise<string> =>
    wallTimeOf(at, (await readHours(scope)).zone).date

  async function list(scope: WorkspaceScope): Promise<{ items: RateCard[] }> {
    const [today, found] = await Promise.all([
      dayOf(scope, new Date()),
      cards(scope).find({}).sort({ effectiveFrom: -1 }).limit(maxRateCards).hint('from'),
    ])
    return { items: found.map((card) => toCard(card, today)) }
  }

  /** @throws `wrong_state` for a day that is over or has prices already. */
  async function create(scope: WorkspaceScope, card: NewRateCard): Promise<RateCard> {
    const today = await dayOf(scope, new Date())
    if (card.effectiveFrom < today)
      throw errors.wrongState('Prices must start today or later. Messages already sent keep the prices of their day.')
    const created = transaction(async (tx) => {
      const { session } = tx
      await holdLimit(scope, 'rateCards', tx)
      if ((await cards(scope).countDocuments({}, { hint: 'from', limit: maxRateCards, session })) >= maxRateCards)
        throw errors.wrongState(`A workspace has at most ${maxRateCards} lists of prices.`)
      return cards(scope).create({ ...card, createdAt: new Date() }, { session })
    })
    return toCard(await created.catch(refuseTaken), today)
  }

  /** @throws `not_found`, `wrong_state` for one that has begun. */
  async function remove(scope: WorkspaceScope, id: string): Promise<void> {
    const today = await dayOf(scope, new Date())
    const { deletedCount } = await cards(scope).deleteOne({ _id: id, effectiveFrom: { $gt: today } })
    if (deletedCount > 0) return
    if ((await cards(scope).countDocuments({ _id: id }, { limit: 1 })) > 0)
      throw errors.wrongState(
        'These prices are already in effect and cannot be removed. Add new ones that start tomorrow.',
      )
    throw errors.notFound('There are no such prices.')
  }

  /** The card that holds at a moment; null where none has begun by then. */
  async function at(scope: WorkspaceScope, moment: Date): Promise<RateCardRecord | null> {
    const day = await dayOf(scope, moment)
    const [card] = await cards(scope)
      .find({ effectiveFrom: { $lte: day } })
      .sort({ effectiveFrom: -1 })
      .limit(1)
      .hint('from')
    return card ?? null
  }

  /**
   * The card that holds at a moment and those that follow it, the earliest first; without one that holds, those that follow.
   * @returns each with the moment at which its first day begins.
   */
  async function from(scope: WorkspaceScope, moment: Date): Promise<BegunCard[]> {
    const { zone } = await readHours(scope)
    const { date } = wallTimeOf(moment, zone)
    const all = await cards(scope).find({}).sort({ effectiveFrom: 1 }).limit(maxRateCards).hint('from')
    const holding = all.findLastIndex(({ effectiveFrom }) => effectiveFrom <= date)
    return all.slice(Math.max(0, holding)).flatMap(({ effectiveFrom, currency, rates }) => {
      const begins = momentOf({ date: effectiveFrom, time: '00:00' }, zone)
      return begins ? { begins, currency, rates } : []
    })
  }

  /** Returns the cost of one message by the prices of its day; undefined where the workspace has entered none for it. */
  async function priceAt(
    scope: WorkspaceScope,
    charged: { readonly contactId: string; readonly category: string; readonly at: Date },
  ): Promise<{ micros: number; currency: string } | undefined> {
    const card = await at(scope, charged.at)
    if (!card) return undefined
    const { phone } = (await contactRecords.read(scope, charged.contactId)) ?? {}
    return chargeOf(card, phone, charged.category)
  }

  return { list, create, remove, at, from, priceAt }
}

/** Returns what a card charges for a message. @param category as the platform bills it. */
export function chargeOf(
  { rates, currency }: Pick<RateCardRecord, 'rates' | 'currency'>,
  phone: string | undefined,
  category: string,
): { micros: number; currency: string } | undefined {
  const country = (phone === undefined ? undefined : countryOf(phone)) ?? null
  const micros = priceOf(rates, country, category)
  return micros === undefined ? undefined : { micros, currency }
}

function refuseTaken(error: unknown): never {
  if (isDuplicateKey(error)) throw errors.wrongState('There are prices from this day on already. Choose another day.')
  throw error
}

const toCard = (
  { id, effectiveFrom, currency, source, rates, createdAt }: RateCardRecord,
  today: string,
): RateCard => ({
  id,
  effectiveFrom,
  currency,
  ...(source && { source }),
  rates: rates.map(({ country, category, priceMicros }) => ({ country, category, priceMicros })),
  createdAt: createdAt.toISOString(),
  coming: effectiveFrom > today,
})
