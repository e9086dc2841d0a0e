import { defaultTimeZone } from '@parley/contracts/core/time-zones'
import { wallTimeOf } from '@parley/contracts/core/zoned-time'
import { type RateCard, rateCardsApi } from '@parley/contracts/usage/rate-cards'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import { answer } from '../answer.ts'

/** Rate cards added in a story. */
const added = new WeakMap<SampleDataset, readonly RateCard[]>()
const cardsOf = (sampleDataset: SampleDataset): readonly RateCard[] => added.get(sampleDataset) ?? []

/** Stands in for the messaging service in tests of the page. */
export const answers = [
  answer(rateCardsApi.list, (_, sampleDataset) => ({
    items: cardsOf(sampleDataset).toSorted((left, right) => right.effectiveFrom.localeCompare(left.effectiveFrom)),
  })),
  answer(rateCardsApi.create, ({ body }, sampleDataset) => {
    const today = wallTimeOf(sampleDataset.now, defaultTimeZone).date
    const card = {
      ...body,
      id: `card-${cardsOf(sampleDataset).length + 1}`,
      createdAt: sampleDataset.now.toISOString(),
      coming: body.effectiveFrom > today,
    }
    added.set(sampleDataset, [...cardsOf(sampleDataset), card])
    return card
  }),
  answer(rateCardsApi.remove, ({ params }, sampleDataset) => {
    added.set(
      sampleDataset,
      cardsOf(sampleDataset).filter(({ id }) => id !== params.id),
    )
    return undefined
  }),
]
