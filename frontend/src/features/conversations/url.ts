import { tagNameSchema } from '@parley/contracts/contacts/tags'
import { idSchema } from '@parley/contracts/core/records'
import { inboxSorts } from '@parley/contracts/inbox/conversations'
import { inboxViews } from '@parley/contracts/inbox/inbox-summary'
import { z } from 'zod'
import { useUrlState } from '../../lib/url-state.ts'

/** Inbox state kept in the address. */
const shape = {
  /** The conversation that is open. */
  id: idSchema.optional(),
  /** Opens the conversation with this contact instead. */
  contact: idSchema.optional(),
  q: z.string().trim().max(100).optional(),
  /** Search scope of `q`, beside names and numbers. */
  in: z.literal('messages').optional(),
  show: z.enum(inboxViews).optional(),
  sort: z.enum(inboxSorts).optional(),
  due: z.literal('overdue').optional(),
  number: idSchema.optional(),
  tag: tagNameSchema.optional(),
  /** A member's user id. */
  owner: idSchema.optional(),
  bot: idSchema.optional(),
  /** The message that the thread shows, wherever in it that is. */
  message: idSchema.optional(),
  /** Words that are looked for in the thread. */
  find: z.string().trim().max(100).optional(),
  /** The right panel where it has no place of its own. */
  panel: z.literal('details').optional(),
  dialog: z.enum(['rename', 'tag', 'template', 'replies', 'macro', 'passport']).optional(),
  /** Asks with whom a conversation is to begin. */
  new: z.literal('1').optional(),
  /** The message whose passport is open, or the macro that is looked at. */
  about: idSchema.optional(),
}

export const useInboxUrl = () => useUrlState(shape)
export type InboxUrl = ReturnType<typeof useInboxUrl>[0]
export type ChangeInboxUrl = ReturnType<typeof useInboxUrl>[1]

/** The list shows what is open; a search finds all. */
export const listFilterOf = ({ q, show, sort, due, number, tag, owner, bot }: InboxUrl) => ({
  q,
  show: show ?? (q ? ('all' as const) : ('open' as const)),
  sort,
  due,
  number,
  tag,
  owner,
  bot,
})
/** The list as it is by itself. */
export const noFilters = {
  q: undefined,
  in: undefined,
  show: undefined,
  sort: undefined,
  due: undefined,
  number: undefined,
  tag: undefined,
  owner: undefined,
  bot: undefined,
}
