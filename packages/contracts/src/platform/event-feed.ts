import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { listOf } from '../core/records.ts'
import { envelopeSchema, webhookEvents } from './public-events.ts'

/** Longest time that the feed waits for an event. */
const maxWaitSeconds = 25

export const eventFeedApi = {
  list: defineEndpoint({
    operation: 'events.list',
    method: 'GET',
    path: '/v1/events',
    waits: true,
    access: 'key',
    permission: 'events:read',
    summary:
      'Every event of the workspace in order, whether a webhook exists or not, for 30 days where the feed is read or a webhook exists; what a first call finds is a few days long.',
    tool: 'To see what has happened in the workspace, newest events with `after=latest` and a `wait`.',
    query: z.object({
      after: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe(
          '`nextCursor` of the page before, or `latest` to begin now. Absent: from the oldest event that is kept.',
        ),
      types: listOf(z.enum(webhookEvents)).describe('Kinds of events, separated by commas; all where absent.'),
      limit: z.coerce.number().int().min(1).max(500).optional().describe('At most this many events; 100 where absent.'),
      wait: z.coerce
        .number()
        .int()
        .min(0)
        .max(maxWaitSeconds)
        .optional()
        .describe('Seconds to wait for an event where none is there yet. A key may wait in two calls at once.'),
    }),
    status: 200,
    response: z.object({
      items: z.array(envelopeSchema).max(1500),
      /** Cursor of the next page, also where this one is empty. */
      nextCursor: z.string().max(200),
      hasMore: z
        .boolean()
        .describe('Whether to go on at once. Also of an empty page: a call looks at a part of the events only.'),
    }),
    errors: ['cursor_expired', 'rate_limited'],
  }),
}
