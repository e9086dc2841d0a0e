import type { SendingHours } from '@parley/contracts/campaigns/sending-hours'
import { momentOf, wallTimeOf } from '@parley/contracts/core/zoned-time'
import { maxRateCards, type NewRateCard, type RateCard } from '@parley/contracts/usage/rate-cards'
import { errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import { createHoldLimit } from '../../../platform/limits/hold-limit.ts'
import { type RateCardRecord, rateCardSchema } from './rate-cards.model.ts'

/** Prices, and since when they hold. */
export interface BegunCard extends Pick<RateCardRecord, 'currency' | 'rates'> {
  readonly begins: Date
}

interface Dependencies {
  readonly readHours: (scope: WorkspaceScope) => Promise<Pick<SendingHours, 'zone'>>
  readonly transaction: RunInTransaction
}

export type RateCards = ReturnType<typeof createRateCards>

/**
 * Stores what WhatsApp charges for messages, as people of the workspace have entered it: Meta publishes it, and no API call
 * returns it.
 */
export function createRateCards(connection: ServiceConnection, { readHours, transaction }: Dependencies) {
  const holdLimit = createHoldLimit(connection)
  const cards = workspaceCollection<RateCardRecord>({ connection, name: 'rateCards', schema: rateCardSchema })

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

  return { list, create, remove, at, from }
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
