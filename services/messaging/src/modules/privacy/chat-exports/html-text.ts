import { partsOf } from '@parley/rules/web-addresses'
import { type FormatStyle, type FormattedPiece, parseFormat } from '@parley/rules/whatsapp-format'

const signs: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text for a page, between tags or in quotes: nothing in it is markup. Control characters are left out. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a page has no place for.
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '')
    .replace(/[&<>"']/g, (sign) => signs[sign] ?? '')

const tags = { bold: 'strong', italic: 'em', strike: 's', mono: 'code' } as const satisfies Record<FormatStyle, string>

/** Renders text as WhatsApp shows it, with links to web addresses. */
export const formatted = (text: string): string =>
  partsOf(text)
    .map(({ href, words }) =>
      href === undefined
        ? piecesOf(parseFormat(words))
        : `<a href="${escaped(href)}" target="_blank" rel="noreferrer noopener">${escaped(words)}</a>`,
    )
    .join('')

const piecesOf = (pieces: readonly FormattedPiece[]): string =>
  pieces
    .map((piece) =>
      piece.kind === 'text'
        ? escaped(piece.text)
        : `<${tags[piece.kind]}>${piecesOf(piece.pieces)}</${tags[piece.kind]}>`,
    )
    .join('')
