import { placeholdersOf } from '@parley/contracts/templates/placeholders'
import { codeKey } from '@parley/contracts/templates/template-authentication'
import { buttonTexts, type TemplateButton } from '@parley/contracts/templates/template-buttons'
import type { Card } from '@parley/contracts/templates/template-cards'
import type { HeaderMedia } from '@parley/contracts/templates/template-headers'
import { templateLimits } from '@parley/contracts/templates/template-limits'
import type { TemplateContent } from '@parley/contracts/templates/templates'
import { z } from 'zod'
import {
  type AtWhatsApp,
  type CardParts,
  type Component,
  componentSchema,
  examplesOf,
  partsOf,
  text,
} from './component-schema.ts'
import { authenticationOf } from './read-authentication.ts'

/** A template's content, as far as people can write it here, and the parts that they cannot. */
export interface ReadTemplate {
  readonly content: Pick<
    TemplateContent,
    'header' | 'headerMedia' | 'authentication' | 'offer' | 'body' | 'footer' | 'buttons' | 'cards' | 'examples'
  >
  /** Parts that Parley neither edits nor fills in: `gif header`, `carousel`. */
  readonly unsupported: readonly string[]
}

/** The part of our own template that is used in reading. */
type Ours = Pick<TemplateContent, 'headerMedia' | 'buttons' | 'cards' | 'examples'>

/**
 * Reads a template as WhatsApp has it. Positional variables begin with 1 in each of its parts; here one set of keys is for the
 * whole template, so those of the header and of web addresses follow the body's.
 * @param ours has what WhatsApp does not know: the addresses that counted links lead to, the code of a button, and the file, place
 * or product above the text, or on a card.
 */
export function readComponents(
  components: readonly unknown[],
  ours: Ours = { buttons: [], examples: {} },
): ReadTemplate {
  const known = components.flatMap((component) => componentSchema.safeParse(component).data ?? [])
  const part = (type: string) => known.find((component) => component.type === type)
  const [header, body, footer, buttons] = [part('HEADER'), part('BODY'), part('FOOTER'), part('BUTTONS')]
  const offer = part('LIMITED_TIME_OFFER')?.limited_time_offer
  const authentication = authenticationOf(body, footer, buttons)
  if (authentication && known.length === components.length) {
    const shown = (body?.text ?? '').replace(/\{\{1\}\}/, `{{${codeKey}}}`)
    const example = ours.examples[codeKey] ?? examplesOf('body', body)['1']
    return {
      content: {
        authentication,
        body: shown,
        buttons: [],
        examples: example === undefined ? {} : { [codeKey]: example },
        ...(footer?.text && { footer: footer.text }),
      },
      unsupported: [],
    }
  }
  const cardsThere = part('CAROUSEL')?.cards?.map(({ components: of }) => partsOf(of))
  const isTextHeader = header !== undefined && (header.format ?? 'TEXT') === 'TEXT'
  const bodyText = body?.text ?? ''
  const examples: Record<string, string> = { ...examplesOf('body', body) }
  const named = placeholdersOf(bodyText, header?.text, ...(cardsThere ?? []).map((card) => card.body?.text)).some(
    (key) => !/^\d+$/.test(key),
  )
  let last = placeholdersOf(bodyText).length
  const headerMedia = ownProduct(headerMediaOf(header, ours.headerMedia))
  const headerText = isTextHeader && header.text !== undefined ? ownKeys(header, named) : undefined
  const linkFor = linksOf(ours.buttons, buttons?.buttons ?? [])
  const read = (buttons?.buttons ?? []).map(readButton)
  const readCards = cardsThere?.map(readCard)
  const cards = readCards?.every((card) => card !== undefined) ? readCards : undefined
  const unsupported = [
    ...(header && !isTextHeader && !headerMedia ? [`${wordsOf(header.format ?? '')} header`] : []),
    ...(body?.text === undefined ? ['text that Parley cannot show'] : []),
    ...(buttons && !buttons.buttons ? ['buttons'] : []),
    ...(buttons?.buttons ?? []).flatMap(({ type }, index) => (read[index] ? [] : [`${wordsOf(type)} button`])),
    ...known
      .filter(
        ({ type }) =>
          !['HEADER', 'BODY', 'FOOTER', 'BUTTONS'].includes(type) &&
          !(type === 'LIMITED_TIME_OFFER' && offer) &&
          !(type === 'CAROUSEL' && cards),
      )
      .map(({ type }) => wordsOf(type)),
    ...(known.length < components.length ? ['a part that Parley does not know'] : []),
  ]
  return {
    content: {
      body: bodyText,
      ...(headerText && { header: headerText }),
      ...(headerMedia && { headerMedia }),
      ...(offer && { offer: { text: offer.text, hasExpiration: offer.has_expiration } }),
      ...(footer?.text && { footer: footer.text }),
      buttons: read.flatMap((button) => button ?? []),
      ...(cards && { cards }),
      examples,
    },
    unsupported: [...new Set(unsupported)],
  }

  /** A header has one variable at most. */
  function ownKeys(component: Component, isNamed: boolean): string {
    const headerExamples = examplesOf('header', component)
    if (isNamed) {
      Object.assign(examples, headerExamples)
      return component.text ?? ''
    }
    return (component.text ?? '').replace(/\{\{\d+\}\}/g, () => nextKey(headerExamples['1']))
  }

  /** A card's variables follow those before it. @returns `undefined` for one with a part that cards have not here. */
  function readCard(
    { isWhole, header: above, body: cardBody, buttons: below }: CardParts,
    index: number,
  ): Card | undefined {
    const ofCard = headerMediaOf(above, ownCard(cardBody?.text, below?.buttons ?? [], index)?.headerMedia)
    const shown = cardBody?.text === undefined ? undefined : ownCardKeys(cardBody)
    const there = below?.buttons ?? []
    const readButtons = there.map(readButton).flatMap((button) => cardButtonOf(button) ?? [])
    const isRead = isWhole && readButtons.length === there.length
    if (!isRead || (ofCard?.kind !== 'image' && ofCard?.kind !== 'video')) return undefined
    const { kind, file } = ofCard
    return { headerMedia: { kind, ...(file && { file }) }, ...(shown && { body: shown }), buttons: readButtons }
  }

  /** Returns the card as it is here: cards may have been added, removed and moved there, and only words tell which is which. */
  function ownCard(
    bodyThere: string | undefined,
    buttonsThere: readonly AtWhatsApp[],
    index: number,
  ): Card | undefined {
    const cards = ours.cards ?? []
    const words = [wordsIn(bodyThere), ...buttonsThere.map(({ text: of }) => of)].join('\n')
    const same = cards.filter(
      (card) => [wordsIn(card.body), ...card.buttons.map(({ text: of }) => of)].join('\n') === words,
    )
    const here = cards[index]
    if (here && cards.length === cardsThere?.length && same.includes(here)) return here
    return same.length === 1 ? same[0] : undefined
  }

  function ownCardKeys(component: Component): string {
    const cardExamples = examplesOf('body', component)
    if (named) {
      Object.assign(examples, cardExamples)
      return component.text ?? ''
    }
    const keys = new Map<string, string>()
    return (component.text ?? '').replace(/\{\{(\d+)\}\}/g, (_, number: string) => {
      const key = keys.get(number) ?? nextKey(cardExamples[number])
      keys.set(number, key)
      return key
    })
  }

  /** The variable of a product is known here alone. */
  function ownProduct(media: HeaderMedia | undefined): HeaderMedia | undefined {
    if (media?.kind !== 'product' || !media.product) return media
    return { ...media, product: { ...media.product, id: withOwnKey(media.product.id) } }
  }

  function nextKey(example: string | undefined): string {
    last += 1
    const key = named ? `link_${last}` : String(last)
    if (example !== undefined) examples[key] = example
    return `{{${key}}}`
  }

  function readCode(words: string, example: unknown): TemplateButton {
    const codeButton = ours.buttons.find((button) => button.kind === 'copy_code')
    const codeExample = z
      .union([
        text,
        z
          .array(text)
          .min(1)
          .transform(([first = '']) => first),
      ])
      .safeParse(example).data
    const shown = words || buttonTexts.copy_code
    if (codeButton)
      return {
        ...codeButton,
        text: shown,
        code: codeButton.code.replace(variable, (_, key: string) => nextKey(ours.examples[key] ?? codeExample)),
      }
    return { kind: 'copy_code', text: shown, code: nextKey(codeExample?.slice(0, 15)) }
  }

  /** Reads a button that opens something in WhatsApp. What it shows is told with each message: it is known here alone. */
  function readAction({ type, text: words, ...there }: AtWhatsApp): TemplateButton | undefined {
    if (type === 'FLOW') {
      const { flow_id: form, flow_action: action = 'NAVIGATE', navigate_screen: screen } = there
      // A form that asks a server needs one that answers.
      if (!form || action !== 'NAVIGATE') return undefined
      const known = ours.buttons.find((button) => button.kind === 'flow')
      // WhatsApp may name the form's own first screen where none was chosen.
      const isOwn = known?.form === form && !known.screen
      return { kind: 'flow', text: words, form, ...(screen && !isOwn && { screen }) }
    }
    if (type === 'VOICE_CALL') {
      const minutes = there.ttl_minutes ?? ours.buttons.find((button) => button.kind === 'voice_call')?.minutes
      return { kind: 'voice_call', text: words, ...(minutes !== undefined && { minutes }) }
    }
    if (type === 'CATALOG') {
      const product = ours.buttons.find((button) => button.kind === 'catalog')?.product
      return { kind: 'catalog', text: words, ...(product && { product: withOwnKey(product) }) }
    }
    if (type === 'SPM') return { kind: 'product', text: words }
    if (type !== 'MPM') return undefined
    const known = ours.buttons.find((button) => button.kind === 'products')
    return known && { ...known, text: words, product: withOwnKey(known.product) }
  }

  function withOwnKey(product: string): string {
    return product.replace(variable, (_, key: string) => nextKey(ours.examples[key]))
  }

  function readButton(button: AtWhatsApp): TemplateButton | undefined {
    const { type, text: words, url, phone_number: phone, example } = button
    if (type === 'COPY_CODE') return readCode(words, example)
    if (words === '') return undefined
    const actionButton = readAction(button)
    if (actionButton) return actionButton
    if (type === 'QUICK_REPLY') return { kind: 'quick_reply', text: words }
    if (type === 'PHONE_NUMBER' && phone) return { kind: 'phone', text: words, phone }
    if (type !== 'URL' || !url || !URL.canParse(url)) return undefined
    const link = linkFor(url, words)
    if (link)
      return { ...link, text: words, url: link.url.replace(variable, (_, key: string) => nextKey(ours.examples[key])) }
    const [urlExample] = z.array(text).safeParse(example).data ?? []
    const start = url.split('{{')[0] ?? ''
    const suffix = urlExample?.startsWith(start) ? urlExample.slice(start.length) : urlExample
    return {
      kind: 'url',
      text: words,
      url: url.replace(/\{\{1\}\}/, () => nextKey(suffix?.slice(0, templateLimits.value))),
    }
  }
}

/** Returns a button as cards have it: visits of its link are not counted. */
function cardButtonOf(button: TemplateButton | undefined): Card['buttons'][number] | undefined {
  if (button?.kind === 'url') return { kind: button.kind, text: button.text, url: button.url }
  return button?.kind === 'quick_reply' || button?.kind === 'phone' ? button : undefined
}

/** Reads a header's file, place or product: WhatsApp knows only its kind; the content that is sent is known here. */
function headerMediaOf(header: Component | undefined, ours: HeaderMedia | undefined): HeaderMedia | undefined {
  const kind = header?.format?.toLowerCase()
  const isKnown =
    kind === 'image' || kind === 'video' || kind === 'document' || kind === 'location' || kind === 'product'
  if (!isKnown) return undefined
  return ours?.kind === kind ? ours : { kind }
}

const variable = /\{\{(\w+)\}\}/

/** Finds our counted link for a button at WhatsApp: the one with the same text, or one whose text no button has there. */
function linksOf(ours: Ours['buttons'], there: readonly AtWhatsApp[]) {
  const links = ours.flatMap((button) => (button.kind === 'url' && button.tracked !== undefined ? [button] : []))
  const texts = new Set(there.map(({ text: words }) => words))
  return (url: string, words: string) => {
    const fitting = links.filter(({ tracked }) => url === `${tracked}{{1}}`)
    const link = fitting.find((known) => known.text === words) ?? fitting.find((known) => !texts.has(known.text))
    if (link) links.splice(links.indexOf(link), 1)
    return link
  }
}

/** Returns a text with its variables left open: they are numbered by WhatsApp. */
const wordsIn = (of = ''): string => of.replaceAll(/\{\{\w+\}\}/g, '{{}}')

const wordsOf = (type: string): string => type.toLowerCase().replaceAll('_', ' ')
