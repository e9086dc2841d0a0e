import { wordsOfAsiaAndAfrica } from './consent-keywords-asia-africa.ts'
import { wordsOfEurope } from './consent-keywords-europe.ts'
import { foldText } from './fold-text.ts'
import type { LanguageKeywords } from './language-keywords.ts'

/**
 * Keywords by language. Words that are everyday words elsewhere are left out, because a message does not say its language:
 * Swahili “acha” is a Hindi “all right”, Finnish “seis” a Spanish six, Turkish “red” a colour, Spanish “no más” ends an order.
 */
export const consentKeywords: Readonly<Record<string, LanguageKeywords>> = { ...wordsOfEurope, ...wordsOfAsiaAndAfrica }

/** Letters of scripts that put no spaces between words, or join endings to them. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u30fc\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Hangul}'
const piece = new RegExp(`[${unspaced}]|[^\\s${unspaced}]+`, 'gu')
const isUnspaced = new RegExp(`^[${unspaced}]$`, 'u')

/** Splits a text into words, or letters where the script has no spaces: in lower case, and folded. */
export interface Pieces {
  readonly exact: readonly string[]
  readonly folded: readonly string[]
}

export function piecesOf(text: string): Pieces {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    // Invisible signs, variants of emoji, keycaps and the Arabic lengthening have no meaning; an apostrophe joins its word.
    .replaceAll(/\p{Cf}|\ufe0e|\ufe0f|\u20e3|\u0640/gu, '')
    .replaceAll(/(?<=\p{L})['’‘ʼ`´](?=\p{L})/gu, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
  const exact = plain.match(piece) ?? []
  return { exact, folded: exact.map(foldText) }
}

/** Joins words with a space, and letters of scripts without spaces with none. */
const append = (text: string, next: string): string =>
  text === '' || (isUnspaced.test(text.at(-1) ?? '') && isUnspaced.test(next)) ? text + next : `${text} ${next}`
export const keyOf = (pieces: readonly string[]): string => pieces.reduce(append, '')

/** Phrases, each with its roles as bits of a number. */
export interface Phrases {
  readonly folded: ReadonlyMap<string, number>
  /** Phrases whose accents count: without them Vietnamese “stop” and “right” are one word. */
  readonly exact: ReadonlyMap<string, number>
  /** Number of pieces of the longest phrase. */
  readonly maxPieces: number
}

export function phrasesOf(listed: Iterable<readonly [phrase: string, roles: number, hasAccents?: boolean]>): Phrases {
  const folded = new Map<string, number>()
  const exact = new Map<string, number>()
  let maxPieces = 1
  for (const [phrase, roles, hasAccents = false] of listed) {
    const pieces = piecesOf(phrase)
    const [map, key] = hasAccents ? [exact, keyOf(pieces.exact)] : [folded, keyOf(pieces.folded)]
    map.set(key, (map.get(key) ?? 0) | roles)
    maxPieces = Math.max(maxPieces, pieces.exact.length)
  }
  return { folded, exact, maxPieces }
}

/** Returns the phrases in some fields of all languages. @param roles those of each field. */
export function phrasesIn(roles: Readonly<Partial<Record<keyof LanguageKeywords, number>>>): Phrases {
  const fields = Object.entries(roles) as [keyof LanguageKeywords, number][]
  return phrasesOf(
    Object.entries(consentKeywords).flatMap(([language, words]) =>
      fields.flatMap(([field, role]) =>
        phrasesFrom(words[field]).map((phrase) => [phrase, role, language === 'vi' && hasAccents(phrase)] as const),
      ),
    ),
  )
}

export const phrasesFrom = (list: string | undefined): string[] => list?.split(', ') ?? []
const hasAccents = (phrase: string): boolean => foldText(phrase) !== phrase

/** A phrase with its position in a text. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly roles: number
  /** Folded. */
  readonly phrase: string
}

/** Finds every phrase in a text, also those that overlap. */
export function spansIn({ exact, folded }: Pieces, phrases: Phrases): Span[] {
  const found: Span[] = []
  for (let from = 0; from < exact.length; from += 1) {
    let phrase = ''
    let written = ''
    for (let to = from + 1; to <= Math.min(exact.length, from + phrases.maxPieces); to += 1) {
      phrase = append(phrase, folded[to - 1] ?? '')
      written = append(written, exact[to - 1] ?? '')
      const roles = (phrases.folded.get(phrase) ?? 0) | (phrases.exact.get(written) ?? 0)
      if (roles !== 0) found.push({ from, to, roles, phrase })
    }
  }
  return found
}

/**
 * Returns whether phrases make up all of a text.
 * @param must roles of which each has to occur.
 * @param may roles that may occur any number of times.
 */
export function isMadeOf(
  length: number,
  spans: readonly Span[],
  { must, may }: { readonly must: readonly number[]; readonly may: number },
): boolean {
  // Sets of `must` that some path to each position has met.
  const reached = Array.from({ length: length + 1 }, () => new Set<number>())
  reached[0]?.add(0)
  for (const { from, to, roles } of spans.toSorted((left, right) => left.from - right.from)) {
    for (const met of reached[from] ?? []) {
      if (roles & may) reached[to]?.add(met)
      for (const [index, role] of must.entries()) if (roles & role) reached[to]?.add(met | (1 << index))
    }
  }
  return reached[length]?.has((1 << must.length) - 1) ?? false
}
