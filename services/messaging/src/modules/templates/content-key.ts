import { createHash } from 'node:crypto'
import type { Template } from '@parley/contracts/templates/templates'
import type { TemplateRecord } from './templates.model.ts'

export type KeyedContent = Pick<
  Template,
  'header' | 'headerMedia' | 'offer' | 'body' | 'footer' | 'buttons' | 'unsupported'
>

/** Names what a template says to customers: the same text has the same key, wherever it was written; sample values are no part of it. */
export function contentKey({ header = '', headerMedia, ...content }: KeyedContent): string {
  const { body, footer = '', buttons, offer, unsupported = [] } = content
  const buttonsOf = buttons.map((button) => [
    ...[button.kind, button.text],
    ...(button.kind === 'phone' ? [button.phone] : button.kind === 'copy_code' ? [button.code] : []),
    ...(button.kind === 'url' ? [button.url, button.tracked ?? ''] : []),
    ...(button.kind === 'flow' ? [button.form, button.screen ?? ''] : []),
    ...(button.kind === 'voice_call' ? [button.minutes ?? 0] : []),
    ...(button.kind === 'catalog' ? [button.product ?? ''] : []),
    ...(button.kind === 'products' ? [button.product, button.sections.map(sectionKey)] : []),
  ])
  const json = JSON.stringify([
    header,
    body,
    footer,
    buttonsOf,
    unsupported,
    ...shownAbove(headerMedia),
    ...(offer ? ['offer', offer.text, offer.hasExpiration] : []),
  ])
  return createHash('sha256').update(json).digest('base64url').slice(0, 16)
}

const sectionKey = ({ title, products }: { title: string; products: readonly string[] }) => [title, ...products]

function shownAbove(headerMedia: KeyedContent['headerMedia']): unknown[] {
  if (!headerMedia) return []
  if (headerMedia.kind !== 'location') return [headerMedia.kind, headerMedia.file?.mediaId]
  const { latitude, longitude, name, address } = headerMedia.place ?? {}
  return ['location', latitude, longitude, name, address]
}

/** The number of what a template says. What was never changed is the first version of it. */
export const contentVersionOf = ({ contentVersion = 1 }: Pick<TemplateRecord, 'contentVersion'>): number =>
  contentVersion
