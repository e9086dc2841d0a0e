import { parsePhone } from '@parley/phone'
import { lineForms } from '@parley/phone/line'
import { plainNumber } from '@parley/phone/written-number'
import { isNamed } from '@parley/rules/contact-name'
import { digitsOf, wordsOf } from './search-text.ts'

/** Search terms for everything that is stored of a person. */
export interface Person {
  readonly contactId: string
  /** Ids of existing conversations, and of those that a campaign's messages would be in. */
  readonly conversationIds: readonly string[]
  readonly trace: Trace
}

/** Patterns that recognise a person in texts. */
export interface Trace {
  /** Matches in JSON the phone number's digits, not as a part of longer ones, or the platform's id. */
  readonly identity: RegExp
  /** The same, or the whole name, or the username. */
  readonly anything: RegExp
  /** Returns whether a table cell names them: numbers in any notation, also without the country. */
  readonly inCell: (cell: string) => boolean
  /** Returns whether a search text is for them: words of their name, or digits of their number. */
  readonly inSearch: (text: string) => boolean
}

/** A person's current or former identity. */
export interface Identity {
  readonly name?: string | undefined
  readonly phone?: string | undefined
  readonly waUserId?: string | undefined
  readonly username?: string | undefined
  /** The form of the number that WhatsApp has confirmed. */
  readonly waPhone?: { readonly number: string } | undefined
}

/** Minimum digits of a search term: fewer do not identify a person. */
const minDigits = 6

/**
 * Recognises a person by any of these identities.
 * @param others numbers of other contacts, as they are stored: a line that two contacts write in two ways leads to each by its
 * own.
 */
export function traceOf(identities: readonly Identity[], others: ReadonlySet<string> = new Set()): Trace {
  const phones = identities.flatMap(({ phone, waPhone }) => [phone ?? [], waPhone?.number ?? []].flat())
  // Webhooks and files may name them by another form of the number.
  const forms = [...new Set(phones.flatMap((phone) => lineForms(phone)))].filter((form) => !others.has(form))
  const international = forms.map(onlyDigits).filter(Boolean)
  const national = forms.flatMap((form) => parsePhone(form)?.nationalNumber ?? [])
  const numbers = new Set([...international, ...national])
  const userIds = [...new Set(identities.flatMap(({ waUserId }) => waUserId ?? []))]
  // An unnamed contact is called by its number, or like other contacts without a name.
  const names = [...new Set(identities.flatMap(({ name }) => (name !== undefined && isNamed({ name }) ? name : [])))]
  const usernames = [...new Set(identities.flatMap(({ username }) => username ?? []))]
  const words = new Set([...names, ...usernames].flatMap((text) => wordsOf(text)))
  const known = [
    ...international.map((digits) => `(?:^|[^0-9])${digits}(?:[^0-9]|$)`),
    ...userIds.map((userId) => escaped(userId)),
  ]
  const called = [...names, ...usernames]
    // In JSON some characters are escaped.
    .flatMap((text) => [...new Set([text, JSON.stringify(text).slice(1, -1)])])
    .map((text) => `(?:^|[^\\p{L}\\p{N}])${escaped(text)}(?:[^\\p{L}\\p{N}]|$)`)

  const inCell = (cell: string): boolean => {
    if (userIds.some((userId) => cell.includes(userId))) return true
    const text = cell.trim()
    if (names.includes(text) || usernames.includes(text)) return true
    // A cell may hold several numbers, each in the notation of the program that wrote it.
    return [cell, ...cell.split(/[:,;|/\n]+/)].some((part) =>
      numbers.has(onlyDigits(plainNumber(part)).replace(/^0+/, '')),
    )
  }
  const inSearch = (text: string): boolean => {
    const digits = digitsOf(text) ?? ''
    if (digits.length >= minDigits && [...numbers].some((number) => number.includes(digits))) return true
    const searched = wordsOf(text)
    return searched.length > 0 && searched.every((word) => words.has(word))
  }
  return {
    // A person without any identity matches no text.
    identity: new RegExp(known.join('|') || '$^', 'u'),
    anything: new RegExp([...known, ...called].join('|') || '$^', 'iu'),
    inCell,
    inSearch,
  }
}

const onlyDigits = (text: string): string => text.replaceAll(/\D/g, '')
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, (sign) => `\\${sign}`)
