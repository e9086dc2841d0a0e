import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { conversationStatuses, type conversationsApi } from '@parley/contracts/inbox/conversations'
import { otherDigits } from '@parley/phone/line'
import { beginsWith, digitsOf, wordsOf } from '../../../platform/search-text.ts'
import type { ConversationFilter, ConversationSort } from './conversations.repository.ts'

export type ListQuery = EndpointInput<typeof conversationsApi.list>['query']
type View = NonNullable<ListQuery['show']>

const newest = (index: string): ConversationSort => ({ index, field: 'lastMessage.at', direction: -1 })
const waiting: ConversationSort = { index: 'waiting', field: 'waitingSince', direction: 1 }
const due: ConversationSort = { index: 'due', field: 'dueAt', direction: 1 }
const window: ConversationSort = { index: 'window', field: 'windowExpiresAt', direction: 1 }

/** Conversations that a view shows, and the index that has them in the order of their messages. */
export function viewOf(view: View, userId: string): { readonly filter: ConversationFilter; readonly index: string } {
  switch (view) {
    case 'all':
      return { filter: { ...shown, status: { $in: [...conversationStatuses] } }, index: 'status' }
    case 'unread':
      return { filter: { ...shown, unreadCount: { $gt: 0 } }, index: 'unread' }
    case 'mine':
      return { filter: { ...shown, status: 'open', 'owner.kind': 'member', 'owner.id': userId }, index: 'owner' }
    case 'mentions':
      return { filter: { ...shown, mentioned: userId }, index: 'mentioned' }
    case 'unassigned':
      return { filter: { ...shown, status: 'open', 'owner.kind': 'nobody', 'owner.id': null }, index: 'owner' }
    default:
      return { filter: { ...shown, status: view }, index: 'status' }
  }
}
/** One that was just begun has no message yet, and shows once it has. */
const shown: ConversationFilter = { 'lastMessage.at': { $gt: new Date(0) } }

export interface ListPlan {
  readonly sort: ConversationSort
  readonly filter: ConversationFilter
  /** Conditions that may leave few, each with its index: where they do, it is the shorter way. */
  readonly seeds: readonly { readonly filter: ConversationFilter; readonly index: string }[]
}

/** Returns how a list is read. */
export function planList(query: ListQuery, { userId, now }: { userId: string; now: Date }): ListPlan {
  const { show = 'all', sort = 'newest', number, tag, owner, bot, contact } = query
  const view = viewOf(show, userId)
  const text = textSeed(query.q ?? '')
  const tagged = tag === undefined ? undefined : { filter: { 'search.tags': tag }, index: 'tags' }
  const owned = [owner, bot].flatMap((id) => (id === undefined ? [] : { filter: { 'owner.id': id }, index: 'owner' }))
  const numbered = number === undefined ? [] : [{ filter: { numberId: number }, index: 'pair' }]
  const late =
    query.due === 'overdue'
      ? [{ filter: { dueAt: { $gte: new Date(0), $lte: now }, 'owner.kind': { $in: people } }, index: 'due' }]
      : []
  const seeds = [...late, ...(text ? [text] : []), ...(tagged ? [tagged] : []), ...owned, ...numbered]
  const conditions: ConversationFilter[] = [
    ...(owner === undefined ? [] : [{ 'owner.kind': 'member' as const }]),
    ...(bot === undefined ? [] : [{ 'owner.kind': 'bot' as const }]),
    ...(contact === undefined ? [] : [{ contactId: contact }]),
    ...(sort === 'waiting' ? [{ waitingSince: { $gte: new Date(0) } }] : []),
    ...(sort === 'due' ? [{ dueAt: { $gte: new Date(0) } }] : []),
    ...(sort === 'window' ? [{ windowExpiresAt: { $gt: now } }] : []),
    ...phoneCondition(query.q ?? ''),
    ...seeds.map(({ filter }) => filter),
  ]
  const filter = conditions.length === 0 ? view.filter : { $and: [view.filter, ...conditions] }
  if (sort !== 'newest') return { sort: { waiting, window, due }[sort], filter, seeds }
  return { sort: newest(contact === undefined ? view.index : 'pair'), filter, seeds }
}

/** Owners of conversations that wait for a person. */
const people = ['member' as const, 'nobody' as const]

/** Matches names in which every word of the text begins a word. */
function textSeed(q: string): ListPlan['seeds'][number] | undefined {
  if (digitsOf(q) !== undefined) return undefined
  const words = wordsOf(q, 8).sort((left, right) => right.length - left.length)
  const [longest, ...others] = words
  // A query without any word is in no name.
  if (longest === undefined) return q === '' ? undefined : { filter: { 'search.words': q }, index: 'words' }
  // An index is read from one condition on it alone: the others are hidden from the planner.
  const hidden = others.map((word) => ({ $nor: [{ $nor: [{ 'search.words': beginsWith(word) }] }] }))
  return { filter: { $and: [{ 'search.words': beginsWith(longest) }, ...hidden] }, index: 'words' }
}

function phoneCondition(q: string): ConversationFilter[] {
  const digits = digitsOf(q)
  if (digits === undefined) return []
  return [{ 'search.phone': { $regex: new RegExp([digits, ...otherDigits(digits)].join('|')) } }]
}
