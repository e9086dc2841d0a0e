import { z } from 'zod'
import { GraphError } from '../graph/graph-error.ts'
import { type SentTemplate, sentComponentSchema } from '../graph/send-schema.ts'
import { type Component, refusedPart } from './refused-part.ts'
import { buttonsOf } from './template-buttons.ts'

type Sent = NonNullable<SentTemplate['components']>[number]

const maxBody = 160
const maxButtons = 2
const formats = ['IMAGE', 'VIDEO']
const buttonTypes = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER']
const cardSchema = z.looseObject({ components: z.array(z.looseObject({ type: z.string().toUpperCase() })).max(3) })
const carouselSchema = z.looseObject({ cards: z.array(cardSchema).min(2).max(10) })

/** Returns the parts of each card of a template; `undefined` where it has no carousel. @throws GraphError 100. */
export function cardsOf(components: readonly Component[]): Component[][] | undefined {
  const carousel = components.find(({ type }) => type.toUpperCase() === 'CAROUSEL')
  if (!carousel) return undefined
  const { data } = carouselSchema.safeParse(carousel)
  if (!data) throw refusedPart('A carousel template has 2 to 10 cards, each with components.')
  return data.cards.map((card) =>
    card.components.map(({ format, ...part }) => ({
      ...part,
      ...(format !== undefined && { format: String(format).toUpperCase() }),
    })),
  )
}

/** Checks what the platform wants of a carousel, and of the parts around it. @throws GraphError 100. */
export function checkCarousel(components: readonly Component[], category: string): void {
  const cards = cardsOf(components)
  if (!cards) return
  if (category !== 'MARKETING') throw refusedPart('Carousel templates are only available in category MARKETING.')
  if (components.some(({ type }) => type !== 'BODY' && type !== 'CAROUSEL'))
    throw refusedPart('A carousel template has a BODY and a CAROUSEL component only.')
  if (!components.some(({ type }) => type === 'BODY')) throw refusedPart('A carousel template needs a BODY component.')
  const shapeOf = (card: readonly Component[]) =>
    card.map((part) => [part.type, part['format'], buttonsOf(part).map(({ type }) => type.toUpperCase())])
  const [first = []] = cards
  for (const card of cards) {
    checkCard(card)
    if (JSON.stringify(shapeOf(card)) !== JSON.stringify(shapeOf(first)))
      throw refusedPart('All cards of a carousel must have the same components.')
  }
}

function checkCard(card: readonly Component[]): void {
  const of = (type: string) => card.find((part) => part.type === type)
  const buttons = card.flatMap(buttonsOf)
  if (!formats.includes(String(of('HEADER')?.['format'])))
    throw refusedPart('The header of a card is of type IMAGE or VIDEO.')
  if (String(of('BODY')?.['text'] ?? '').length > maxBody)
    throw refusedPart(`The body of a card has at most ${maxBody} characters.`)
  if (buttons.length === 0 || buttons.length > maxButtons)
    throw refusedPart(`A card has between 1 and ${maxButtons} buttons.`)
  if (buttons.some(({ type }) => !buttonTypes.includes(type.toUpperCase())))
    throw refusedPart(`A card has buttons of type ${buttonTypes.join(', ')} only.`)
}

const sentCardSchema = z.looseObject({
  card_index: z.number().int().min(0),
  components: z.array(sentComponentSchema),
})

/**
 * Returns the components that each card is sent with, in the order of the template.
 * @throws GraphError 131008 where one is missing, 132012 for another number of cards, or one that is named twice.
 */
export function sentCards(count: number, sent: Sent | undefined): Sent[][] {
  const { data } = z.array(sentCardSchema).safeParse(sent?.['cards'])
  if (!data) throw new GraphError(131008, { details: 'carousel: cards are missing or not valid' })
  const byIndex = new Map(data.map((card) => [card.card_index, card.components]))
  const cards = Array.from({ length: count }, (_, index) => byIndex.get(index))
  if (data.length !== count || cards.some((card) => card === undefined))
    throw new GraphError(132012, {
      details: `carousel: number of cards (${data.length}) does not match the expected number of cards (${count})`,
    })
  return cards.flatMap((card) => (card ? [card] : []))
}
