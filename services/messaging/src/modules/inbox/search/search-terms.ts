import { unspaced, wordsOf } from '../../../platform/search-text.ts'

const shortest = 2
/** Words per message; a longer text is found by its beginning. */
const maxWords = 60

/** The words that a message is found by, folded: those of at least two letters; where words are not parted, every pair of letters. */
export function searchTerms(text: string): string[] {
  const words = wordsOf(text, maxWords).flatMap((word) => (unspaced.test(word) ? pairsOf(word) : [word]))
  return [...new Set(words.filter((word) => word.length >= shortest))].slice(0, maxWords)
}

function pairsOf(word: string): string[] {
  const letters = [...word]
  return letters.length === 1 ? letters : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
}

/** Returns the searchable text of a message's content. */
export function searchableText(content: { readonly type: string; readonly [field: string]: unknown }): string {
  if (content.type === 'system') return ''
  const { text, caption, fileName, name, address, contacts, cards } = content
  const parts = [text, caption, fileName, name, address, ...partsOf(contacts, 'name'), ...partsOf(cards, 'text')]
  return parts.filter((part) => typeof part === 'string').join(' ')
}

const partsOf = (list: unknown, field: string): unknown[] =>
  Array.isArray(list) ? list.map((one: unknown) => Reflect.get(Object(one), field)) : []
