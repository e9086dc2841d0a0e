import { idSchema } from '@parley/contracts/records'
import { z } from 'zod'
import { useUrlState } from '../../lib/url-state.ts'

export const shows = ['all', 'unread', 'open', 'closed'] as const

/** What of the inbox the address keeps. */
const shape = {
  /** The conversation that is open. */
  id: idSchema.optional(),
  /** Opens the conversation with this contact instead. */
  contact: idSchema.optional(),
  q: z.string().trim().max(100).optional(),
  show: z.enum(shows).optional(),
  /** The right panel where it has no place of its own. */
  panel: z.literal('details').optional(),
  dialog: z.enum(['rename', 'tag', 'template']).optional(),
}

export const useInboxUrl = () => useUrlState(shape)
export type InboxUrl = ReturnType<typeof useInboxUrl>[0]
export type ChangeInboxUrl = ReturnType<typeof useInboxUrl>[1]
