import { placeholdersOf } from '@parley/contracts/templates/placeholders'
import { codeKey } from '@parley/contracts/templates/template-authentication'
import type { HeaderMedia } from '@parley/contracts/templates/template-headers'
import type { TemplateContent } from '@parley/contracts/templates/templates'
import { componentSchema, examplesOf, partsOf } from './component-schema.ts'
import { authenticationOf } from './read-authentication.ts'
import { createReadButton } from './read-buttons.ts'
import { headerMediaOf, readCards } from './read-cards.ts'
import { createKeys } from './read-keys.ts'

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
  const isNamed = placeholdersOf(bodyText, header?.text, ...(cardsThere ?? []).map((card) => card.body?.text)).some(
    (key) => !/^\d+$/.test(key),
  )
  const keys = createKeys(isNamed, placeholdersOf(bodyText).length, examplesOf('body', body))
  const headerMedia = ownProduct(headerMediaOf(header, ours.headerMedia))
  const headerText = isTextHeader && header.text !== undefined ? keys.text('header', header) : undefined
  const read = (buttons?.buttons ?? []).map(createReadButton(ours, buttons?.buttons ?? [], keys))
  const cardKeys = keys.further()
  const cards = cardsThere && readCards(cardsThere, ours, cardKeys)
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
      examples: { ...keys.samples, ...(cards && cardKeys.samples) },
    },
    unsupported: [...new Set(unsupported)],
  }

  /** The variable of a product is known here alone. */
  function ownProduct(media: HeaderMedia | undefined): HeaderMedia | undefined {
    if (media?.kind !== 'product' || !media.product) return media
    return { ...media, product: { ...media.product, id: keys.own(media.product.id, ours.examples) } }
  }
}

const wordsOf = (type: string): string => type.toLowerCase().replaceAll('_', ' ')
