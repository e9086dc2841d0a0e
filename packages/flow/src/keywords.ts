import type { KeywordMatch } from '@parley/contracts/automation/triggers'

/** Maximum length of the part of a message in which keywords are looked for. */
const maxSearched = 4096

/** Normalises a text for the comparison of keywords: NFKC, lower case, one space in the place of any white space. */
export const normalizeText = (text: string): string =>
  text.slice(0, maxSearched).normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

/** Character of a word in any script; joiners stand within words. */
const partOfWord = /[\p{L}\p{M}\p{N}\u200c\u200d]/u

/** A trigger in the routing table. `order` is the place of its bot by age: of equals, the lowest wins. */
export interface RoutedTrigger {
  readonly flowId: string
  readonly nodeId: string
  /** Number at which it listens; `*` for all. */
  readonly numberId: string
  readonly order: number
  readonly match: KeywordMatch | 'any_message'
  /** Keyword as it was typed; absent for any message. */
  readonly keyword?: string | undefined
  readonly interrupts?: boolean | undefined
  /** True for an any-message trigger that only a message fires which begins or reopens a conversation. */
  readonly onlyFirst?: boolean | undefined
}

/** A message of the customer, as triggers see it. */
export interface Said {
  readonly numberId: string
  /** Text, caption or title of what was tapped; may be empty. */
  readonly text: string
  readonly contentType: string
  /** True where it began the conversation, or reopened it. */
  readonly isFirst: boolean
}

export type Match = Pick<RoutedTrigger, 'flowId' | 'nodeId' | 'match' | 'keyword'> & { readonly interrupts: boolean }

/** Kinds of message that start nothing. */
const silentTypes: ReadonlySet<string> = new Set(['reaction', 'system', 'unsupported'])

const keywordMatchOrder = ['exact', 'starts_with', 'word', 'text'] as const satisfies readonly KeywordMatch[]

/** Keywords of one kind of match, found by their first letter and length: a message costs the same however many there are. */
interface Table {
  readonly byKeyword: Map<string, RoutedTrigger>
  /** Lengths of the keywords that begin with a letter, the longest first. */
  readonly lengths: Map<string, number[]>
}

interface Tables {
  readonly keywords: Readonly<Record<KeywordMatch, Table>>
  always?: RoutedTrigger
  first?: RoutedTrigger
}

/** Triggers of all active bots, compiled. */
export interface Routing {
  readonly byNumber: ReadonlyMap<string, Tables>
  /** Triggers of bots that listen at all numbers, for numbers without triggers of their own. */
  readonly others: Tables
}

const emptyTables = (): Tables => {
  const table = (): Table => ({ byKeyword: new Map(), lengths: new Map() })
  return { keywords: { exact: table(), starts_with: table(), word: table(), text: table() } }
}

/** Compiles triggers; keep the result while they do not change. */
export function compileRouting(triggers: readonly RoutedTrigger[]): Routing {
  const sorted = triggers.toSorted((left, right) => left.order - right.order)
  const tablesFor = (numberId: string | undefined) => {
    const tables = emptyTables()
    for (const trigger of sorted)
      if (trigger.numberId === '*' || trigger.numberId === numberId) addTrigger(tables, trigger)
    for (const { lengths } of Object.values(tables.keywords))
      for (const list of lengths.values()) list.sort((left, right) => right - left)
    return tables
  }
  const numbers = new Set(triggers.map(({ numberId }) => numberId).filter((id) => id !== '*'))
  return { byNumber: new Map([...numbers].map((id) => [id, tablesFor(id)])), others: tablesFor(undefined) }
}

function addTrigger(tables: Tables, trigger: RoutedTrigger): void {
  if (trigger.match === 'any_message') {
    if (trigger.onlyFirst) tables.first ??= trigger
    else tables.always ??= trigger
    return
  }
  const keyword = normalizeText(trigger.keyword ?? '')
  const { byKeyword, lengths } = tables.keywords[trigger.match]
  if (keyword === '' || byKeyword.has(keyword)) return
  byKeyword.set(keyword, trigger)
  const first = keyword.charAt(0)
  const known = lengths.get(first)
  if (!known) lengths.set(first, [keyword.length])
  else if (!known.includes(keyword.length)) known.push(keyword.length)
}

/**
 * The trigger that a message starts: exact before starts-with, word, text and any message; then the longer keyword, then the
 * older bot. `undefined` where no bot wants it.
 */
export function matchTrigger(routing: Routing, said: Said): Match | undefined {
  if (silentTypes.has(said.contentType)) return undefined
  const tables = routing.byNumber.get(said.numberId) ?? routing.others
  const text = normalizeText(said.text)
  const found =
    (text === '' ? undefined : matchKeyword(tables, text)) ?? (said.isFirst ? tables.first : undefined) ?? tables.always
  if (!found) return undefined
  const { flowId, nodeId, match, keyword, interrupts = false } = found
  return { flowId, nodeId, match, interrupts, ...(keyword !== undefined && { keyword }) }
}

function matchKeyword({ keywords }: Tables, text: string): RoutedTrigger | undefined {
  for (const match of keywordMatchOrder) {
    const table = keywords[match]
    const found = match === 'exact' ? table.byKeyword.get(text) : search(table, text, match)
    if (found) return found
  }
  return undefined
}

/** Returns the longest keyword of a table in a normalised text; of equals, that of the older bot. */
function search(
  { byKeyword, lengths }: Table,
  text: string,
  match: 'starts_with' | 'word' | 'text',
): RoutedTrigger | undefined {
  if (byKeyword.size === 0) return undefined
  let best: { trigger: RoutedTrigger; length: number } | undefined
  const end = match === 'starts_with' ? 1 : text.length
  for (let start = 0; start < end; start += 1) {
    const known = lengths.get(text.charAt(start))
    if (!known || (match === 'word' && isInWord(text, start - 1))) continue
    for (const length of known) {
      if (best && length < best.length) break
      if (start + length > text.length || (match === 'word' && isInWord(text, start + length))) continue
      const trigger = byKeyword.get(text.slice(start, start + length))
      if (!trigger) continue
      if (!best || length > best.length || trigger.order < best.trigger.order) best = { trigger, length }
      break
    }
  }
  return best?.trigger
}

/** True where the character at an index of the text, or the one of which it is the second half, belongs to a word. */
function isInWord(text: string, index: number): boolean {
  if (index < 0 || index >= text.length) return false
  const code = text.charCodeAt(index)
  const start = code >= 0xdc00 && code <= 0xdfff && index > 0 ? index - 1 : index
  return partOfWord.test(String.fromCodePoint(text.codePointAt(start) ?? 0))
}

/** Characters at either end of a message in which a word counts: what a long one tells in between only mentions it. */
const spokenLength = 80

/** Returns whether a message begins or ends with one of some words, next to no letter, or a short one contains it. */
export function saysWord(text: string, words: readonly string[]): boolean {
  if (words.length === 0) return false
  const normal = normalizeText(text)
  return words.some((word) => {
    const wanted = normalizeText(word)
    for (let at = normal.indexOf(wanted); wanted !== '' && at >= 0; at = normal.indexOf(wanted, at + 1)) {
      const end = at + wanted.length
      const isSpoken = end <= spokenLength || at >= normal.length - spokenLength
      if (isSpoken && !isInWord(normal, at - 1) && !isInWord(normal, end)) return true
    }
    return false
  })
}
