import { parsePlaceholders } from '@parley/contracts/templates/placeholder-pieces'
import { fillPlaceholders, placeholdersOf } from '@parley/contracts/templates/placeholders'
import { codeKey } from '@parley/contracts/templates/template-authentication'
import type { TemplateButton } from '@parley/contracts/templates/template-buttons'
import type { Card } from '@parley/contracts/templates/template-cards'
import { offerEnd, offerEndsKey } from '@parley/contracts/templates/template-offers'
import type { TemplateContent } from '@parley/contracts/templates/templates'
import { authenticationComponents, codeComponents } from './authentication-components.ts'
import { cardPayload } from './card-reply.ts'

type Texts = Pick<
  TemplateContent,
  'header' | 'headerMedia' | 'authentication' | 'offer' | 'body' | 'footer' | 'buttons' | 'cards'
>
type Values = Readonly<Record<string, string>>

const isNamed = ({ header, body, cards = [] }: Texts): boolean =>
  placeholdersOf(header, body, ...cards.map((card) => card.body)).some((key) => !/^\d+$/.test(key))

/** Keys of a text in the order in which WhatsApp counts them: in its numbering each part begins with 1. */
const keysOf = (text: string | undefined): string[] => placeholdersOf(text)

function renumbered(text: string, named: boolean): string {
  const keys = keysOf(text)
  return parsePlaceholders(text)
    .map((piece) => (piece.kind === 'text' || named ? piece.text : `{{${keys.indexOf(piece.key) + 1}}}`))
    .join('')
}

/**
 * A template as WhatsApp reviews it.
 * Source: Meta, WhatsApp Business Management API, message templates.
 * @param handles of the sample files that resumable uploads have answered: that of the header, or those of the cards.
 */
export function definitionOf(content: TemplateContent, handles: readonly string[] = []) {
  const named = isNamed(content)
  const { name, language, category, header, headerMedia, body, footer, buttons, cards, examples, authentication } =
    content
  const { offer } = content
  if (authentication)
    return {
      name,
      language,
      category: category.toUpperCase(),
      parameter_format: 'POSITIONAL',
      components: authenticationComponents(authentication),
    }
  const example = (part: 'header' | 'body', text: string) => {
    const keys = keysOf(text)
    if (keys.length === 0) return {}
    const values = keys.map((key) => examples[key] ?? '')
    if (named) {
      const list = keys.map((key, index) => ({ param_name: key, example: values[index] }))
      return { example: { [`${part}_text_named_params`]: list } }
    }
    return { example: part === 'header' ? { header_text: values } : { body_text: [values] } }
  }
  return {
    name,
    language,
    category: category.toUpperCase(),
    parameter_format: named ? 'NAMED' : 'POSITIONAL',
    components: [
      ...(header
        ? [{ type: 'HEADER', format: 'TEXT', text: renumbered(header, named), ...example('header', header) }]
        : []),
      ...(headerMedia ? [mediaHeader(headerMedia.kind, handles[0])] : []),
      ...(offer
        ? [
            {
              type: 'LIMITED_TIME_OFFER',
              limited_time_offer: { text: offer.text, has_expiration: offer.hasExpiration },
            },
          ]
        : []),
      { type: 'BODY', text: renumbered(body, named), ...example('body', body) },
      ...(footer ? [{ type: 'FOOTER', text: footer }] : []),
      ...(buttons.length > 0
        ? [{ type: 'BUTTONS', buttons: buttons.map((button) => buttonOf(button, examples)) }]
        : []),
      ...(cards ? [{ type: 'CAROUSEL', cards: cards.map(definedCard) }] : []),
    ],
  }

  function definedCard(card: Card, index: number) {
    return {
      components: [
        mediaHeader(card.headerMedia.kind, handles[index]),
        ...(card.body ? [{ type: 'BODY', text: renumbered(card.body, named), ...example('body', card.body) }] : []),
        { type: 'BUTTONS', buttons: card.buttons.map((button) => buttonOf(button, examples)) },
      ],
    }
  }
}

const mediaHeader = (kind: string, handle: string | undefined) => ({
  type: 'HEADER',
  format: kind.toUpperCase(),
  ...(handle !== undefined && { example: { header_handle: [handle] } }),
})

function buttonOf(button: TemplateButton, examples: Values): object {
  if (button.kind === 'quick_reply') return { type: 'QUICK_REPLY', text: button.text }
  if (button.kind === 'phone') return { type: 'PHONE_NUMBER', text: button.text, phone_number: button.phone }
  if (button.kind === 'copy_code') return { type: 'COPY_CODE', example: fillPlaceholders(button.code, examples) }
  if (button.kind === 'catalog') return { type: 'CATALOG', text: button.text }
  if (button.kind === 'products') return { type: 'MPM', text: button.text }
  if (button.kind === 'product') return { type: 'SPM', text: button.text }
  if (button.kind === 'voice_call')
    return {
      type: 'VOICE_CALL',
      text: button.text,
      ...(button.minutes !== undefined && { ttl_minutes: button.minutes }),
    }
  if (button.kind === 'flow') {
    const opens = { flow_id: button.form, flow_action: 'navigate' }
    return { type: 'FLOW', text: button.text, ...opens, ...(button.screen && { navigate_screen: button.screen }) }
  }
  const { tracked } = button
  // Customers see our address, which leads on to the author's.
  if (tracked !== undefined)
    return { type: 'URL', text: button.text, url: `${tracked}{{1}}`, example: [`${tracked}sample`] }
  const [key] = keysOf(button.url)
  return {
    type: 'URL',
    text: button.text,
    url: renumbered(button.url, false),
    ...(key !== undefined && { example: [examples[key] ?? ''] }),
  }
}

/**
 * The parameters of a send: each part's values in the order in which WhatsApp counts them. Those of counted links are missing:
 * each message has its own.
 */
export function sendComponents(texts: Texts, values: Values): object[] {
  if (texts.authentication) return codeComponents(values[codeKey] ?? '')
  const named = isNamed(texts)
  const parameters = (text: string | undefined) =>
    keysOf(text).map((key) => ({ type: 'text', ...(named && { parameter_name: key }), text: values[key] ?? '' }))
  const part = (type: string, text: string | undefined) => {
    const list = parameters(text)
    return list.length > 0 ? [{ type, parameters: list }] : []
  }
  const sentCard = ({ body, buttons }: Card, index: number) => ({
    card_index: index,
    components: [
      ...part('body', body),
      ...buttons.flatMap((button, place) =>
        button.kind === 'quick_reply'
          ? [replyOf(cardPayload(index + 1, button.text), place)]
          : buttonComponents(button, place, values),
      ),
    ],
  })
  return [
    ...part('header', texts.header),
    ...aboveOf(texts, values),
    ...endOf(texts, values),
    ...part('body', texts.body),
    ...texts.buttons.flatMap((button, index) => buttonComponents(button, index, values)),
    ...(texts.cards ? [{ type: 'carousel', cards: texts.cards.map(sentCard) }] : []),
  ]
}

function buttonComponents(button: TemplateButton, index: number, values: Values): object[] {
  const filled = parametersOf(button, values)
  return filled ? [{ type: 'button', sub_type: filled.type, index: String(index), parameters: filled.parameters }] : []
}

/** Returns a quick reply of a card: there WhatsApp requires what comes back with it. */
const replyOf = (payload: string, index: number) => ({
  type: 'button',
  sub_type: 'quick_reply',
  index: String(index),
  parameters: [{ type: 'payload', payload }],
})

/** Parameters that a button is sent with; `undefined` where it needs none. */
function parametersOf(button: TemplateButton, values: Values): { type: string; parameters: object[] } | undefined {
  switch (button.kind) {
    case 'copy_code': {
      const parameter = { type: 'coupon_code', coupon_code: fillPlaceholders(button.code, values) }
      return { type: 'copy_code', parameters: [parameter] }
    }
    case 'url': {
      const [key] = button.tracked === undefined ? keysOf(button.url) : []
      return key === undefined ? undefined : { type: 'url', parameters: [{ type: 'text', text: values[key] ?? '' }] }
    }
    // The answers name the message that they reply to: no token is needed to find it.
    case 'flow':
      return { type: 'flow', parameters: [{ type: 'action', action: { flow_token: 'unused' } }] }
    case 'voice_call': {
      const { minutes } = button
      if (minutes === undefined) return undefined
      return { type: 'voice_call', parameters: [{ type: 'ttl_minutes', ttl_minutes: minutes }] }
    }
    case 'catalog': {
      if (!button.product) return undefined
      return { type: 'catalog', parameters: [actionOf({ ...shownProduct(button.product, values) })] }
    }
    case 'products': {
      const sections = button.sections.map(({ title, products }) => ({
        title,
        product_items: products.map((product_retailer_id) => ({ product_retailer_id })),
      }))
      return { type: 'mpm', parameters: [actionOf({ ...shownProduct(button.product, values), sections })] }
    }
    default:
      return undefined
  }
}

const actionOf = (action: object) => ({ type: 'action', action })
const shownProduct = (product: string, values: Values) => ({
  thumbnail_product_retailer_id: fillPlaceholders(product, values),
})

/** Returns the end of an offer; without one WhatsApp refuses the message. */
function endOf({ offer }: Texts, values: Values): object[] {
  const end = offer?.hasExpiration ? offerEnd(values[offerEndsKey]) : undefined
  if (!end) return []
  const parameter = { type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: end.getTime() } }
  return [{ type: 'limited_time_offer', parameters: [parameter] }]
}

/** Returns the place or product of a header; a file, also that of a card, is added once WhatsApp knows it. */
function aboveOf({ headerMedia }: Texts, values: Values): object[] {
  if (headerMedia?.kind === 'product' && headerMedia.product) {
    const { id, catalogId } = headerMedia.product
    const product = { product_retailer_id: fillPlaceholders(id, values), catalog_id: catalogId }
    return [{ type: 'header', parameters: [{ type: 'product', product }] }]
  }
  if (headerMedia?.kind !== 'location' || !headerMedia.place) return []
  const { latitude, longitude, name, address } = headerMedia.place
  const location = { latitude: String(latitude), longitude: String(longitude), name, address }
  return [{ type: 'header', parameters: [{ type: 'location', location }] }]
}
