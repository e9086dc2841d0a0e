import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { countSchema } from '../core/records.ts'

export const inboxViews = ['all', 'mine', 'mentions', 'unassigned', 'unread', 'open', 'snoozed', 'closed'] as const

/** Counter of the inbox, kept apart from its other endpoints: every screen shows it and loads no more than this. */
export const inboxSummaryApi = {
  read: defineEndpoint({
    operation: 'conversations.summary',
    method: 'GET',
    path: '/api/conversations/summary',
    access: 'session',
    permission: 'conversations:read',
    summary: 'Counts of the inbox.',
    status: 200,
    /** `unread` counts messages; the others conversations, as the views of the list show them. */
    response: z.object({
      total: countSchema,
      unread: countSchema,
      open: countSchema,
      views: z.record(z.enum(inboxViews), countSchema).optional(),
    }),
    errors: [],
  }),
}
