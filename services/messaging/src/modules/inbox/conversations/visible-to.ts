import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ConversationRecord } from './conversations.model.ts'

/** Stands in `viewers` for all members. */
const everyone = ''

type Owner = ConversationRecord['owner']

/** Returns the viewers of a conversation that has this owner. One that a bot has is in nobody's queue. */
export function viewersOf({ kind, id }: Owner): string[] {
  if (kind === 'nobody') return [everyone]
  return kind === 'member' && id !== undefined ? [id] : []
}

/** Returns what sets the owner of a conversation, for `$set`. */
export const owning = (owner: Owner) => ({ owner, viewers: viewersOf(owner) })

/** Limits a filter on conversations to those that the caller sees. */
export const visibleTo = ({ viewer }: WorkspaceScope): { viewers?: { $in: string[] } } =>
  viewer === undefined ? {} : { viewers: { $in: [viewer, everyone] } }

/** Returns whether the caller sees a conversation. */
export const isVisibleTo = ({ viewer }: WorkspaceScope, { viewers }: Pick<ConversationRecord, 'viewers'>): boolean =>
  viewer === undefined || viewers.includes(viewer) || viewers.includes(everyone)
