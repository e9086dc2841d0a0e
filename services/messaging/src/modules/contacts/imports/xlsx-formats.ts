/** Number format of a style. */
export type CellFormat =
  | { readonly kind: 'number' | 'date' | 'time' | 'duration' }
  /** Digits in their places: `0` is a digit that is filled up with zeros, `#` one that is not. */
  | { readonly kind: 'mask'; readonly mask: string }

export const plainNumber: CellFormat = { kind: 'number' }

/** Formats that every workbook has (ECMA-376, part 1, 18.8.30), those of East Asian dates among them. */
export function builtInFormat(id: number): CellFormat {
  if (id === 46) return { kind: 'duration' }
  if ((id >= 18 && id <= 21) || id === 45 || id === 47 || id === 32 || id === 33) return { kind: 'time' }
  if ((id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return { kind: 'date' }
  return plainNumber
}

/** Maximum length of a format: Excel allows 255 characters. */
const maxCodeLength = 1000

/** Reads a format code (ECMA-376, part 1, 18.8.31): its first section, which is that of positive numbers. */
export function formatOf(code: string): CellFormat {
  const tokens = tokensOf(code.slice(0, maxCodeLength))
  const letters = tokens.map(({ kind, text }) => (kind === 'code' ? text.toLowerCase() : '')).join('')
  if (tokens.some(({ kind }) => kind === 'elapsed')) return { kind: 'duration' }
  if (/general|[#0?]/.test(letters) && !/[dy]/.test(letters)) return maskOf(tokens)
  if (/[dy]/.test(letters)) return { kind: 'date' }
  if (/[hs]/.test(letters)) return { kind: 'time' }
  return /[meg]/.test(letters) ? { kind: 'date' } : plainNumber
}

interface Token {
  /** Letters and signs that mean something, a text that is shown, or a time that counts on beyond its unit. */
  readonly kind: 'code' | 'literal' | 'elapsed'
  readonly text: string
}

/** Matches parts without letters: quoted and escaped texts, the width of a sign (`_K`), filling (`*-`), colours and conditions. */
const pattern = /"([^"]*)"?|\\(.)|_(?:.|$)|\*(?:.|$)|\[(h+|m+|s+)\]|\[[^\]]*\]?|(;)|([^"\\_*[;])/gisu

function tokensOf(code: string): Token[] {
  const tokens: Token[] = []
  for (const [, quoted, escaped, elapsed, end, sign] of code.matchAll(pattern)) {
    if (end !== undefined) break
    if (elapsed !== undefined) tokens.push({ kind: 'elapsed', text: elapsed })
    else if (sign !== undefined) tokens.push({ kind: 'code', text: sign })
    else if (quoted ?? escaped) tokens.push({ kind: 'literal', text: quoted ?? escaped ?? '' })
  }
  return tokens
}

/** Numbers that are names of something, as phone numbers and postcodes: signs between their digits, zeros before them. */
function maskOf(tokens: readonly Token[]): CellFormat {
  const mask = tokens.map(({ text }) => text).join('')
  const isName = /^[+()\-\s./0#]+$/.test(mask) && !tokens.some(({ kind, text }) => kind === 'code' && /[./]/.test(text))
  return isName && /00|^\s*\(?\+/.test(mask) ? { kind: 'mask', mask } : plainNumber
}

/** @param digits of a whole number that is not negative. */
export function masked(digits: string, mask: string): string {
  const places = [...mask]
  let left = [...digits]
  let shown = ''
  const first = places.findIndex((sign) => sign === '0' || sign === '#')
  for (let index = places.length - 1; index >= 0; index -= 1) {
    const sign = places[index] ?? ''
    if (sign !== '0' && sign !== '#') {
      shown = sign + shown
      continue
    }
    // All digits that are left are in the first place.
    const taken = index === first ? left : left.slice(-1)
    left = index === first ? [] : left.slice(0, -1)
    shown = (taken.join('') || (sign === '0' ? '0' : '')) + shown
  }
  return shown
}
