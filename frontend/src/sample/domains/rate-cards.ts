import { type RateCard, rateCardsApi } from '@parley/contracts/rate-cards'
import { defaultTimeZone } from '@parley/contracts/time-zones'
import { wallTimeOf } from '@parley/contracts/zoned-time'
import type { Story } from '@parley/sample/story'
import { answer } from '../answer.ts'

/** What was added in a story. */
const added = new WeakMap<Story, readonly RateCard[]>()
const cardsOf = (story: Story): readonly RateCard[] => added.get(story) ?? []

/** Stands in for the messaging service in tests of the page. */
export const answers = [
  answer(rateCardsApi.list, (_, story) => ({
    items: cardsOf(story).toSorted((left, right) => right.effectiveFrom.localeCompare(left.effectiveFrom)),
  })),
  answer(rateCardsApi.create, ({ body }, story) => {
    const today = wallTimeOf(story.now, defaultTimeZone).date
    const card = {
      ...body,
      id: `card-${cardsOf(story).length + 1}`,
      createdAt: story.now.toISOString(),
      coming: body.effectiveFrom > today,
    }
    added.set(story, [...cardsOf(story), card])
    return card
  }),
  answer(rateCardsApi.remove, ({ params }, story) => {
    added.set(
      story,
      cardsOf(story).filter(({ id }) => id !== params.id),
    )
    return undefined
  }),
]
