import type { DraftFlow } from '@parley/contracts/automation/flow'
import { compileRouting, matchTrigger, normalizeText, type RoutedTrigger, type Routing } from './keywords.ts'
import { triggersOf } from './program.ts'

export interface Named {
  readonly id: string
  readonly name: string
}

/** Takes a problem of a flow, for the person who publishes. */
export type Report = (
  code: string,
  nodeId: string | null,
  message: string,
  more?: { readonly severity?: 'warning'; readonly owner?: Named | undefined },
) => void

/** Triggers of the other bots, which a bot's keywords are checked against. */
interface KeywordWorld {
  readonly botId: string
  /** Numbers at which it listens; empty: all. */
  readonly numberIds: readonly string[]
  readonly bots?: readonly Named[] | undefined
  /** Triggers of the other active bots. */
  readonly triggers?: readonly RoutedTrigger[] | undefined
  readonly isConsentWord?: ((text: string) => boolean) | undefined
}

/** A trigger with its word, which is normalised once. */
interface Read {
  readonly trigger: RoutedTrigger
  readonly word: string
}

/**
 * Reports keywords that start another bot already, that change consent, or that lie within those of another bot. Each trigger of the others
 * is read once, however many this flow has.
 */
export function keywordProblems(flow: DraftFlow, world: KeywordWorld, report: Report): void {
  const { botId, numberIds, bots = [], isConsentWord } = world
  const botTriggers = triggersOf(flow, { flowId: botId, order: Number.MAX_SAFE_INTEGER }).map(read)
  const isHeard = (numberId: string) => numberId === '*' || numberIds.length === 0 || numberIds.includes(numberId)
  const rivals = (world.triggers ?? [])
    .filter(({ flowId, numberId }) => flowId !== botId && isHeard(numberId))
    .map(read)
  const names = new Map(bots.map(({ id, name }) => [id, name]))
  const ownerOf = ({ flowId }: RoutedTrigger): Named => ({ id: flowId, name: names.get(flowId) ?? 'another bot' })
  const byKey = new Map(rivals.toReversed().map((rival) => [keyOf(rival), rival.trigger]))
  const fits = createFits()
  const nearTo = createNear(botTriggers, rivals)
  for (const botTrigger of botTriggers) {
    const { trigger, word } = botTrigger
    if (trigger.keyword !== undefined && isConsentWord?.(trigger.keyword))
      report('consent_word', trigger.nodeId, `“${trigger.keyword}” changes a customer’s consent: it starts no bot.`)
    const taken = byKey.get(keyOf(botTrigger))
    if (taken) {
      const owner = ownerOf(taken)
      const what = trigger.keyword === undefined ? 'Any message' : `“${trigger.keyword}”`
      report(
        trigger.keyword === undefined ? 'any_message_taken' : 'keyword_taken',
        trigger.nodeId,
        `${what} starts ${owner.name} already.`,
        { owner },
      )
      continue
    }
    // One message fits both.
    const near = nearTo(word).find((rival) => {
      const longer = word.length < rival.word.length ? rival.trigger : trigger
      return [trigger, rival.trigger].every((one) => fits(one, longer.keyword ?? ''))
    })
    if (!near) continue
    const owner = ownerOf(near.trigger)
    report('keyword_within', trigger.nodeId, nearSentence(trigger, near.trigger, owner.name), {
      severity: 'warning',
      owner,
    })
  }
}

const read = (trigger: RoutedTrigger): Read => ({ trigger, word: normalizeText(trigger.keyword ?? '') })

/** Returns the key of a trigger: two triggers with one key conflict. */
const keyOf = ({ trigger: { match, onlyFirst }, word }: Read): string =>
  match === 'any_message' ? `${match} ${onlyFirst === true}` : `${match} ${word}`

/** Finds triggers of others whose word contains a word of the flow, or lies in it, in their order. */
function createNear(botTriggers: readonly Read[], rivals: readonly Read[]): (word: string) => Read[] {
  const ownWords = placesOf(botTriggers)
  const rivalWords = placesOf(rivals)
  const containing = new Map<string, number[]>()
  rivals.forEach(({ word }, index) => {
    for (const part of partsOf(word, ownWords.lengths))
      if (part !== word && ownWords.places.has(part)) containing.set(part, [...(containing.get(part) ?? []), index])
  })
  return (word) => {
    const within = partsOf(word, rivalWords.lengths).flatMap((part) =>
      part === word ? [] : (rivalWords.places.get(part) ?? []),
    )
    const places = new Set([...within, ...(containing.get(word) ?? [])])
    return [...places].sort((left, right) => left - right).flatMap((index) => rivals[index] ?? [])
  }
}

function placesOf(all: readonly Read[]) {
  const places = new Map<string, number[]>()
  all.forEach(({ word }, index) => {
    if (word !== '') places.set(word, [...(places.get(word) ?? []), index])
  })
  return { places, lengths: [...new Set([...places.keys()].map(({ length }) => length))] }
}

/** Returns the parts of a word that have one of some lengths, each once. */
function partsOf(word: string, lengths: readonly number[]): string[] {
  const parts = new Set<string>()
  for (const length of lengths)
    for (let start = 0; start + length <= word.length; start += 1) parts.add(word.slice(start, start + length))
  return [...parts]
}

const said = (text: string) => ({ numberId: '', text, contentType: 'text', isFirst: false })
const routingOf = (triggers: readonly RoutedTrigger[]): Routing =>
  compileRouting(triggers.map((trigger) => ({ ...trigger, numberId: '*' })))

/** Returns a function that tells whether a text starts a trigger; each trigger is compiled once. */
function createFits(): (trigger: RoutedTrigger, text: string) => boolean {
  const compiled = new Map<RoutedTrigger, Routing>()
  return (trigger, text) => {
    const routing = compiled.get(trigger) ?? routingOf([trigger])
    compiled.set(trigger, routing)
    return matchTrigger(routing, said(text)) !== undefined
  }
}

function nearSentence(trigger: RoutedTrigger, other: RoutedTrigger, name: string): string {
  const [mine = '', theirs = ''] = [trigger.keyword, other.keyword]
  const text = mine.length > theirs.length ? mine : theirs
  const isOwn = matchTrigger(routingOf([trigger, other]), said(text))?.flowId === trigger.flowId
  return `“${text}” fits “${mine}” here and “${theirs}” of ${name}: ${isOwn ? 'this bot' : name} answers it.`
}
