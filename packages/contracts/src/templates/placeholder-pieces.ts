export type TextPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** `key` is the text between the braces: `1`, `order_id`. */
  | { readonly kind: 'placeholder'; readonly text: string; readonly key: string }

/**
 * Placeholders of message templates: `{{1}}` and on, or `{{first_name}}`, as the WhatsApp Cloud API has them (message
 * templates: parameter formats).
 */
export const placeholderPattern = /\{\{([a-z][a-z0-9_]{0,63}|[1-9]\d{0,2})\}\}/g

/** Cuts a text into what stands between its placeholders and the placeholders themselves, losing nothing. */
export function parsePlaceholders(text: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let end = 0
  for (const match of text.matchAll(placeholderPattern)) {
    if (match.index > end) pieces.push({ kind: 'text', text: text.slice(end, match.index) })
    pieces.push({ kind: 'placeholder', text: match[0], key: match[1] ?? '' })
    end = match.index + match[0].length
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) })
  return pieces
}
