import type { Member } from '@parley/contracts/account/members'
import { can } from '@parley/contracts/account/permissions'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import { maxMentions } from '@parley/contracts/inbox/messages'
import type { Visibility } from '@parley/contracts/inbox/visibility'

export type Colleague = Pick<Member, 'userId' | 'name' | 'role'>

/** Returns those whom a note of a conversation may mention: they see it, and may act on it. */
export function mentionable(
  members: readonly Colleague[],
  { owner }: Pick<Conversation, 'owner'>,
  { agentSees, ownId }: { agentSees: Visibility['agentSees']; ownId: string },
): Colleague[] {
  const sees = ({ role, userId }: Colleague) =>
    role !== 'agent' || agentSees === 'all' || owner.kind === 'nobody' || owner.id === userId
  return members.filter((member) => member.userId !== ownId && can(member.role, 'conversations:write') && sees(member))
}

/** A sign that begins a word, and what follows it: a name has spaces. */
const sign = /(?:^|[\s(])@([^@\n]{0,60})$/

/** Returns what is typed of a name before the caret, from its `@`. */
export const typedName = (beforeCaret: string): string | undefined => sign.exec(beforeCaret)?.[1]

const folded = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Returns those whose name goes on like this, or has a word that does. */
export const namedLike = (colleagues: readonly Colleague[], typed: string): Colleague[] => {
  const wanted = folded(typed)
  return colleagues.filter(({ name }) => {
    const whole = folded(name)
    return whole.startsWith(wanted) || whole.split(/\s+/).some((word) => wanted !== '' && word.startsWith(wanted))
  })
}

/**
 * Returns the user ids of those whom a text mentions by `@` and their whole name.
 * @param chosen user id by name: of several with one name the one who was chosen.
 */
export function mentionedIn(
  text: string,
  colleagues: readonly Colleague[],
  chosen: Readonly<Record<string, string>>,
): string[] {
  const places = placesOf(
    text,
    colleagues.map(({ name }) => name),
  )
  const names = new Set(places.map(({ name }) => name))
  return colleagues
    .filter(({ name, userId }) => names.has(name) && (chosen[name] ?? userId) === userId)
    .map(({ userId }) => userId)
    .slice(0, maxMentions)
}

/** Returns where a text mentions names, in order: of names that begin alike, the longest. */
export function placesOf(text: string, names: readonly string[]): { at: number; name: string }[] {
  const longestFirst = names.toSorted((left, right) => right.length - left.length)
  const places: { at: number; name: string }[] = []
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const name = longestFirst.find(
      (known) => text.startsWith(known, at + 1) && !/^[\p{L}\p{N}]/u.test(text.slice(at + 1 + known.length)),
    )
    if (name !== undefined) places.push({ at, name })
  }
  return places
}
