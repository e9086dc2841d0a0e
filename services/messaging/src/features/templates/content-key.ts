import { createHash } from 'node:crypto'
import type { Template } from '@parley/contracts/templates'

export type KeyedContent = Pick<Template, 'header' | 'body' | 'footer' | 'buttons' | 'unsupported'>

/** Names what a template says to customers: the same text has the same key, wherever it was written; sample values are no part of it. */
export function contentKey({ header = '', body, footer = '', buttons, unsupported = [] }: KeyedContent): string {
  const buttonsOf = buttons.map((button) => [
    ...[button.kind, button.text],
    ...(button.kind === 'url' ? [button.url, button.tracked ?? ''] : button.kind === 'phone' ? [button.phone] : []),
  ])
  const json = JSON.stringify([header, body, footer, buttonsOf, unsupported])
  return createHash('sha256').update(json).digest('base64url').slice(0, 16)
}
