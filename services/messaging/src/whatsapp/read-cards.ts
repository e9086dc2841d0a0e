import type { TemplateButton } from '@parley/contracts/templates/template-buttons'
import type { Card } from '@parley/contracts/templates/template-cards'
import type { HeaderMedia } from '@parley/contracts/templates/template-headers'
import type { TemplateContent } from '@parley/contracts/templates/templates'
import type { CardParts, Component } from './component-schema.ts'
import { createReadButton } from './read-buttons.ts'
import type { Keys } from './read-keys.ts'

type Ours = Pick<TemplateContent, 'cards' | 'examples'>

/**
 * Reads the cards of a carousel, each with variables that follow those before it. A card keeps the file that it has here.
 * @returns `undefined` where one has a part that cards have not here.
 */
export function readCards(there: readonly CardParts[], ours: Ours, keys: Keys): Card[] | undefined {
  const readButton = createReadButton({ buttons: [], examples: ours.examples }, [], keys)
  const ownCard = ownCardsOf(there, ours.cards ?? [])
  const cards = there.map((parts, index): Card | undefined => {
    const { isWhole, header: above, body, buttons: below } = parts
    const media = headerMediaOf(above, ownCard(parts, index)?.headerMedia)
    const shown = body?.text === undefined ? undefined : keys.text('body', body)
    const listed = below?.buttons ?? []
    const buttons = listed.map(readButton).flatMap((button) => cardButtonOf(button) ?? [])
    const isRead = isWhole && buttons.length === listed.length
    if (!isRead || (media?.kind !== 'image' && media?.kind !== 'video')) return undefined
    const { kind, file } = media
    return { headerMedia: { kind, ...(file && { file }) }, ...(shown && { body: shown }), buttons }
  })
  const whole = cards.flatMap((card) => card ?? [])
  return whole.length === cards.length ? whole : undefined
}

/** Finds a card as it is here: cards may have been added, removed and moved there, and only words tell which is which. */
function ownCardsOf(there: readonly CardParts[], cards: readonly Card[]) {
  const words = cards.map(({ body, buttons }) => wordsOf(body, buttons))
  return ({ body, buttons: below }: CardParts, index: number): Card | undefined => {
    const wanted = wordsOf(body?.text, below?.buttons ?? [])
    const same = cards.filter((_, place) => words[place] === wanted)
    const here = cards[index]
    if (here && cards.length === there.length && same.includes(here)) return here
    return same.length === 1 ? same[0] : undefined
  }
}

/** Returns the words by which a card is recognised, with its variables left open: they are numbered by WhatsApp. */
const wordsOf = (body: string | undefined, buttons: readonly { readonly text: string }[]): string =>
  [(body ?? '').replaceAll(/\{\{\w+\}\}/g, '{{}}'), ...buttons.map(({ text }) => text)].join('\n')

/** Returns a button as cards have it: visits of its link are not counted. */
function cardButtonOf(button: TemplateButton | undefined): Card['buttons'][number] | undefined {
  if (button?.kind === 'url') return { kind: button.kind, text: button.text, url: button.url }
  return button?.kind === 'quick_reply' || button?.kind === 'phone' ? button : undefined
}

/** Reads a header's file, place or product: WhatsApp knows only its kind; the content that is sent is known here. */
export function headerMediaOf(header: Component | undefined, ours: HeaderMedia | undefined): HeaderMedia | undefined {
  const kind = header?.format?.toLowerCase()
  const isKnown =
    kind === 'image' || kind === 'video' || kind === 'document' || kind === 'location' || kind === 'product'
  if (!isKnown) return undefined
  return ours?.kind === kind ? ours : { kind }
}
