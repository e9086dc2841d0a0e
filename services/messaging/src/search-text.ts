import { foldText } from '@parley/contracts/fold-text'
import { plainNumber } from '@parley/phone/written-number'

/** The different words of a text, folded, in their order. @param most beyond so many the rest is left out. */
export const wordsOf = (text: string, most = 60): string[] =>
  [...new Set(foldText(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])].slice(0, most)

/** A condition on a folded word, as {@link wordsOf} gives it: it begins like this. An index answers it. */
export const beginsWith = (word: string): RegExp => new RegExp(`^${word}`)

/** The digits of what looks like a phone number or a part of one, however it is written; `undefined` for other texts. */
export function digitsOf(text: string): string | undefined {
  // A leading 00 may be a part of a number here.
  const plain = /^[\d\s]+$/.test(text) ? text : plainNumber(text)
  return /^[\d\s()+.-]*\d[\d\s()+.-]*$/.test(plain) ? plain.replaceAll(/\D/g, '') : undefined
}
