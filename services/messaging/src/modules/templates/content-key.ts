import { createHash } from 'node:crypto'
import type { Card } from '@parley/contracts/templates/template-cards'
import type { Template } from '@parley/contracts/templates/templates'
import type { TemplateRecord } from './templates.model.ts'

export type KeyedContent = Pick<
  Template,
  'header' | 'headerMedia' | 'offer' | 'body' | 'footer' | 'buttons' | 'cards' | 'unsupported'
>

/** Names what a template says to customers: the same text has the same key, wherever it was written; sample values are no part of it. */
export function contentKey({ header = '', headerMedia, ...content }: KeyedContent): string {
  const { body, footer = '', buttons, cards, offer, unsupported = [] } = content
  const json = JSON.stringify([
    header,
    body,
    footer,
    buttons.map(buttonKey),
    unsupported,
    ...shownAbove(headerMedia),
    ...(offer ? ['offer', offer.text, offer.hasExpiration] : []),
    ...(cards ? ['cards', cards.map(cardKey)] : []),
  ])
  return createHash('sha256').update(json).digest('base64url').slice(0, 16)
}

const buttonKey = (button: Template['buttons'][number]): unknown[] => [
  ...[button.kind, button.text],
  ...(button.kind === 'phone' ? [button.phone] : button.kind === 'copy_code' ? [button.code] : []),
  ...(button.kind === 'url' ? [button.url, button.tracked ?? ''] : []),
  ...(button.kind === 'flow' ? [button.form, button.screen ?? ''] : []),
  ...(button.kind === 'voice_call' ? [button.minutes ?? 0] : []),
  ...(button.kind === 'catalog' ? [button.product ?? ''] : []),
  ...(button.kind === 'products' ? [button.product, button.sections.map(sectionKey)] : []),
]

const cardKey = ({ headerMedia, body = '', buttons }: Card): unknown[] => [
  ...shownAbove(headerMedia),
  body,
  buttons.map(buttonKey),
]

const sectionKey = ({ title, products }: { title: string; products: readonly string[] }) => [title, ...products]

/** Values of a header, or of a card's picture: WhatsApp reviews only a sample of them. */
export function shownAbove(headerMedia: KeyedContent['headerMedia']): unknown[] {
  if (!headerMedia) return []
  if (headerMedia.kind === 'product') return ['product', headerMedia.product?.id, headerMedia.product?.catalogId]
  if (headerMedia.kind !== 'location') return [headerMedia.kind, headerMedia.file?.mediaId]
  const { latitude, longitude, name, address } = headerMedia.place ?? {}
  return ['location', latitude, longitude, name, address]
}

/** The number of what a template says. What was never changed is the first version of it. */
export const contentVersionOf = ({ contentVersion = 1 }: Pick<TemplateRecord, 'contentVersion'>): number =>
  contentVersion
