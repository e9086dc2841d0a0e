/** A stretch of a WhatsApp message: plain, or set in one of its four styles around further stretches. */
export type FormattedPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: FormatStyle; readonly pieces: readonly FormattedPiece[] }

export type FormatStyle = 'bold' | 'italic' | 'strike' | 'mono'

const styles = { '*': 'bold', _: 'italic', '~': 'strike' } as const
const isMark = (letter: string): letter is keyof typeof styles => letter in styles
const isWordLetter = (letter: string | undefined) => letter !== undefined && /[\p{L}\p{N}]/u.test(letter)
const isSpace = (letter: string | undefined) => letter === undefined || /\s/.test(letter)

const fence = '```'

/**
 * Reads `*bold*`, `_italic_`, `~strike~` and ` ```mono``` ` as WhatsApp does: a mark opens before and closes after a
 * letter that is not a space, never inside a word, and not across lines; monospace takes everything in it as it is.
 */
export function parseFormat(text: string): FormattedPiece[] {
  const pieces: FormattedPiece[] = []
  let plain = ''
  const flush = () => {
    if (plain !== '') pieces.push({ kind: 'text', text: plain })
    plain = ''
  }
  for (let at = 0; at < text.length; ) {
    const found = monoAt(text, at) ?? markedAt(text, at)
    if (found) {
      flush()
      pieces.push(found.piece)
      at = found.end
    } else {
      plain += text[at] ?? ''
      at += 1
    }
  }
  flush()
  return pieces
}

interface Found {
  readonly piece: FormattedPiece
  /** Index of the first character after it. */
  readonly end: number
}

function monoAt(text: string, at: number): Found | undefined {
  if (!text.startsWith(fence, at)) return undefined
  const close = text.indexOf(fence, at + fence.length + 1)
  if (close === -1) return undefined
  const inside = text.slice(at + fence.length, close)
  return { piece: { kind: 'mono', pieces: [{ kind: 'text', text: inside }] }, end: close + fence.length }
}

function markedAt(text: string, at: number): Found | undefined {
  const mark = text[at] ?? ''
  if (!isMark(mark) || isWordLetter(text[at - 1]) || isSpace(text[at + 1]) || text[at + 1] === mark) return undefined
  const lineEnd = text.indexOf('\n', at)
  const line = lineEnd === -1 ? text.length : lineEnd
  for (let close = text.indexOf(mark, at + 2); close !== -1 && close < line; close = text.indexOf(mark, close + 1)) {
    if (isSpace(text[close - 1]) || isWordLetter(text[close + 1])) continue
    return { piece: { kind: styles[mark], pieces: parseFormat(text.slice(at + 1, close)) }, end: close + 1 }
  }
  return undefined
}
