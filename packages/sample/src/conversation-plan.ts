import type { Contact } from '@parley/contracts/contacts/contacts'
import {
  campaignEpisodes,
  type Episode,
  episodes,
  episodesByScript,
  firstEpisodes,
  wholesaleEpisodes,
} from './conversation-episodes.ts'
import { knownThreads } from './conversation-known.ts'
import { dayMs, hourMs, minuteMs } from './facts.ts'
import { createRandom } from './random.ts'

/** Outline of a conversation, before any message of it is made. */
export interface Plan {
  readonly episodes: readonly Episode[]
  /** Beginning of each episode, in milliseconds; the first when the contact became known, unless the story fixes it. */
  readonly starts: () => readonly number[]
  /** Set for a conversation that the story tells word for word. */
  readonly known: boolean
  readonly messages: number
  /** Unread customer messages at the end. */
  readonly unread: number
  /** Status of the messages that no customer message follows. */
  readonly trailingStatus: 'sent' | 'delivered' | 'read'
  readonly random: ReturnType<typeof createRandom>
}

/** The known person with a café, whose thread goes back for more than a year. */
const cafeIndex = 4
const cafeEpisodes = 1_560
const knownUnread = [2, 1]

/** Place of a contact in the story, by its id; undefined for one that a person has added since. */
export function placeOf(contactId: string): number | undefined {
  const index = Number(/^contact-(\d+)$/.exec(contactId)?.[1])
  return Number.isInteger(index) ? index - 1 : undefined
}

export const orderNumberOf = (index: number): string => `CC-${10_400 + index}`

/** @returns undefined for a contact without a conversation. */
export function planOf(contact: Contact): Plan | undefined {
  const index = placeOf(contact.id)
  if (index === undefined || contact.lastContactAt === null) return undefined
  const random = createRandom(9_001 + index)
  const known = knownThreads[index]
  const chosen = known
    ? { parts: index === cafeIndex ? [...cafeHistory(), known] : [known], unread: knownUnread[index] ?? 0 }
    : chooseEpisodes(index, contact.name, random)
  const spanMs = index === cafeIndex ? 420 * dayMs : undefined
  return {
    episodes: chosen.parts,
    starts: () => startsOf(chosen.parts, contact, spanMs),
    known: known !== undefined,
    messages: chosen.parts.reduce((sum, episode) => sum + episode.length, 0),
    unread: chosen.unread,
    trailingStatus: random.pick(['read', 'delivered', 'delivered', 'sent']),
    random,
  }
}

const cafeHistory = (): Episode[] =>
  Array.from({ length: cafeEpisodes }, (_, index) => wholesaleEpisodes[index % wholesaleEpisodes.length] ?? [])

function chooseEpisodes(index: number, name: string, random: Plan['random']): { parts: Episode[]; unread: number } {
  const parts = [random.pick(firstEpisodes)]
  for (let more = random.whole(0, 3); more > 0; more -= 1) parts.push(random.pick(episodes))
  if (index % 17 === 8) return { parts: [...parts, random.pick(campaignEpisodes)], unread: 0 }
  const scriptEpisode = latin.test(name) ? undefined : episodesByScript.find(({ script }) => script.test(name))?.episode
  const last = scriptEpisode ?? random.pick(episodes)
  if (!random.chance(index < 40 ? 0.35 : 0.08)) return { parts: [...parts, last], unread: 0 }
  const cut = waiting(last)
  return { parts: [...parts, cut.episode], unread: cut.unread }
}

/** Names in Latin letters, whose language needs no closer look. */
const latin = /^[\0-\u024F]*$/

const cuts = new Map<Episode, { episode: Episode; unread: number }>()

/** An episode up to the customer's last words, and how many messages of theirs in a row that makes. */
function waiting(episode: Episode): { episode: Episode; unread: number } {
  const known = cuts.get(episode)
  if (known) return known
  const cut = episode.slice(0, episode.findLastIndex(({ from }) => from === 'customer') + 1)
  const made = { episode: cut, unread: cut.length - 1 - cut.findLastIndex(({ from }) => from !== 'customer') }
  cuts.set(episode, made)
  return made
}

const minutesOf = (episode: Episode): number => episode.reduce((sum, { after }) => sum + after, 0)

/** Returns the times of episodes: the last ends with the contact's latest message; the first begins when the contact became known. */
function startsOf(parts: readonly Episode[], contact: Contact, spanMs?: number): number[] {
  const end = Date.parse(contact.lastContactAt ?? contact.createdAt)
  const lastStart = end - minutesOf(parts.at(-1) ?? []) * minuteMs
  const span = spanMs ?? Math.max(lastStart - Date.parse(contact.createdAt), parts.length * hourMs)
  const last = parts.length - 1
  return parts.map((_, index) => (index === last ? lastStart : lastStart - (span * (last - index)) / last))
}

/** Returns the time at which the customer last wrote something that opens the window; reactions and unreadable messages do not. */
export function lastInboundAt({ episodes: parts, starts }: Plan): number | undefined {
  const begins = starts()
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    const episode = parts[index] ?? []
    const line = episode.findLastIndex(
      ({ from, content }) => from === 'customer' && content.type !== 'reaction' && content.type !== 'unsupported',
    )
    if (line !== -1) return (begins[index] ?? 0) + minutesOf(episode.slice(0, line + 1)) * minuteMs
  }
  return undefined
}
