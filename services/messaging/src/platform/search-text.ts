import { plainNumber } from '@parley/phone/written-number'
import { foldText } from '@parley/rules/fold-text'

/** Returns the different words of a text, folded, in their order. @param most words returned; the rest is left out. */
export const wordsOf = (text: string, most = 60): string[] =>
  [...new Set(foldText(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])].slice(0, most)

/** A condition on a folded word, as {@link wordsOf} gives it: it begins like this. An index answers it. */
export const beginsWith = (word: string): RegExp => new RegExp(`^${word}`)

/** Scripts that are written without spaces between words. */
export const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
const maxNameWords = 60
/** A longer part of a name is compared by its beginning. */
const maxPartLength = 20

/**
 * Returns the keys by which {@link beginsWith} finds a name, folded: its words; in scripts without spaces also what begins at
 * each letter, so that any part is found. At most 120.
 */
export function nameWordsOf(name: string): string[] {
  const words = wordsOf(name, maxNameWords)
  const parts = words.filter((word) => unspaced.test(word)).flatMap((word) => partsOf(word))
  return [...new Set([...words, ...parts])].slice(0, maxNameWords * 2)
}

function partsOf(word: string): string[] {
  const letters = [...word]
  return letters.map((_, index) => letters.slice(index, index + maxPartLength).join(''))
}

/** A whole national number is not shorter. */
const minNationalDigits = 6

/**
 * The digits by which to look for what may be a phone number or a part of one, anywhere in it: as they are written, but without
 * the zeros that go before a national number (`098765…`) or a foreign country (`0091…`) and are in no stored one. `undefined` for
 * other texts.
 */
export function digitsOf(text: string): string | undefined {
  // A leading 00 may be a part of a number here.
  const plain = /^[\d\s]+$/.test(text) ? text : plainNumber(text)
  if (!/^[\d\s()+.-]*\d[\d\s()+.-]*$/.test(plain)) return undefined
  const digits = plain.replaceAll(/\D/g, '')
  const national = digits.replace(/^0+/, '')
  return national.length >= minNationalDigits ? national : digits
}
