import {
  isMadeOf,
  keyOf,
  type Phrases,
  type Pieces,
  phrasesIn,
  phrasesOf,
  piecesOf,
  type Span,
  spansIn,
} from './consent-phrases.ts'

export type ConsentCommand = 'stop' | 'stopAll' | 'start'

/** Maximum length of a command. */
export const maxCommandLength = 80

const role = {
  stop: 1,
  leave: 2,
  whole: 4,
  start: 8,
  courtesy: 16,
  object: 32,
  filler: 64,
  ownStop: 128,
  stopAll: 256,
  ownStart: 512,
  exception: 1024,
  want: 2048,
}
const around = role.courtesy | role.want | role.object | role.filler
const known = phrasesIn({
  stop: role.stop,
  leave: role.leave,
  whole: role.whole,
  all: role.stopAll,
  start: role.start,
  courtesy: role.courtesy,
  wants: role.want,
  objects: role.object,
  fillers: role.filler,
})

/** Words of a workspace, beside those of all languages. */
export interface OwnWords {
  readonly stop: readonly string[]
  readonly stopAll: readonly string[]
  readonly start: readonly string[]
  /** Words of the languages that mean something else here. */
  readonly ignored: readonly string[]
}

export interface ReadCommand {
  readonly command: ConsentCommand
  /** True for an everyday word such as “Start”: it ends an opt-out, and is no consent of a customer who was never asked. */
  readonly resumesOnly: boolean
}

export type CommandReader = ReturnType<typeof createCommandReader>

/** @returns a function that reads messages and buttons of customers by the words of all languages and a workspace's own. */
export function createCommandReader({ stop, stopAll, start, ignored }: OwnWords) {
  const base = withoutPhrases(known, ignored)
  const ownPhrases = phrasesOf([
    ...stop.map((word) => [word, role.ownStop] as const),
    ...stopAll.map((word) => [word, role.stopAll] as const),
    ...start.map((word) => [word, role.ownStart] as const),
  ])

  function read(text: string, isTyped: boolean) {
    const pieces = piecesOf(text)
    const spans = [...spansIn(pieces, base), ...spansIn(pieces, ownPhrases)]
    const { length } = pieces.exact
    const isCommand = (must: number, may = role.courtesy | role.want) => isMadeOf(length, spans, { must: [must], may })
    const found = (command: ConsentCommand, resumesOnly = false): ReadCommand => ({ command, resumesOnly })
    if (isCommand(role.stopAll)) return { command: found('stopAll'), length, spans }
    if (isCommand(role.ownStop | role.stop | role.leave) || (isTyped && isCommand(role.whole, role.courtesy)))
      return { command: found('stop'), length, spans }
    if (isCommand(role.start)) return { command: found('start', true), length, spans }
    return { command: isCommand(role.ownStart) ? found('start') : undefined, length, spans }
  }

  /** Reads a typed text as a command: a word for it with nothing but courtesy around it. */
  const ofText = (text: string): ReadCommand | undefined =>
    text.trim().length > maxCommandLength ? undefined : read(text, true).command

  /** Reads a button as a command, by its title or its payload. A mere “Cancel” cancels the thing that it belongs to. */
  function ofButton(texts: readonly string[]): ReadCommand | undefined {
    for (const text of texts) {
      if (text.length > maxCommandLength) continue
      const { command, length, spans } = read(text, false)
      if (command) return command
      if (endsMarketing(length, spans)) return { command: 'stop', resumesOnly: false }
    }
    return undefined
  }

  return { ofText, ofButton }
}

function withoutPhrases(phrases: Phrases, ignored: readonly string[]): Phrases {
  if (ignored.length === 0) return phrases
  const names = new Set(ignored.map((word) => keyOf(piecesOf(word).folded)))
  const kept = (map: Phrases['folded']) =>
    new Map([...map].map(([key, roles]) => [key, names.has(keyOf(piecesOf(key).folded)) ? roles & around : roles]))
  return { ...phrases, folded: kept(phrases.folded), exact: kept(phrases.exact) }
}

/** “Stop”, “Stop promotions”, “Cancel promotions”; not “Cancel”. */
function endsMarketing(length: number, spans: readonly Span[]): boolean {
  return (
    isMadeOf(length, spans, { must: [role.stop | role.leave], may: around }) ||
    isMadeOf(length, spans, { must: [role.whole, role.object], may: around })
  )
}

/** Returns whether a button with this text ends marketing for the customer who presses it. */
export function isWayOut(label: string): boolean {
  const pieces = piecesOf(label)
  return label.length <= maxCommandLength && endsMarketing(pieces.exact.length, spansIn(pieces, known))
}

function loudWords(text: string): Set<string> {
  const words = text.match(/(?<![\p{L}\p{M}])[\p{Lu}\p{Lo}\p{M}]{2,}(?![\p{L}\p{M}])/gu) ?? []
  return new Set(words.map((word) => keyOf(piecesOf(word).folded)))
}

const inSentences = phrasesIn({ stop: role.stop, leave: role.leave, whole: role.whole, unless: role.exception })

/**
 * Returns whether a template's text names a word by which customers can end its messages. In capitals, or in a script without
 * them, that word may be one with other meanings within a sentence.
 */
export function namesWayOut(text: string): boolean {
  const loud = loudWords(text)
  return unexcepted(piecesOf(text), inSentences, loud).some(
    ({ roles, phrase }) => roles & (role.stop | role.leave) || loud.has(phrase),
  )
}

const starts = phrasesIn({ start: role.start })

/** Returns whether an outgoing text names a word for starting, in capitals or in a script that has none: “Reply START”. */
export function namesStart(text: string): boolean {
  const loud = loudWords(text)
  return spansIn(piecesOf(text), starts).some(({ phrase }) => loud.has(phrase))
}

const requests = phrasesIn({ asks: role.stop, leave: role.leave, unless: role.exception })
/** Length of the part of a long text that is searched. */
const maxSearchedLength = 1000

/** Returns whether a text asks for no more messages in more words than a command has: a person has to decide. */
export const asksToStop = (text: string): boolean =>
  unexcepted(piecesOf(text.slice(0, maxSearchedLength)), requests).length > 0

/** Phrases that no exception touches: “stop by the shop”, “please don’t stop sending them”. @param loud no exception touches these. */
function unexcepted(pieces: Pieces, phrases: Phrases, loud?: ReadonlySet<string>): Span[] {
  const spans = spansIn(pieces, phrases)
  const exceptions = spans.filter(({ roles }) => roles & role.exception)
  return spans.filter(
    ({ from, to, roles, phrase }) =>
      !(roles & role.exception) &&
      (loud?.has(phrase) || !exceptions.some((exception) => exception.from < to && exception.to > from)),
  )
}
