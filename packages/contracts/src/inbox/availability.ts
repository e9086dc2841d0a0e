import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { idSchema, timeSchema } from '../core/records.ts'

/** A member who is given no conversations by the rule; those who are not listed are available. */
const absenceSchema = z.object({
  userId: idSchema,
  since: timeSchema,
  /** Time of their return; `null`: once they say so. */
  until: timeSchema.nullable(),
})
export type Absence = z.infer<typeof absenceSchema>

const stateSchema = z.object({
  state: z.enum(['available', 'away']),
  /** For `away` alone, at most 30 days from now; `null`: until the member is back. */
  until: timeSchema.nullable().default(null),
})

export const availabilityApi = {
  list: defineEndpoint({
    operation: 'availability.list',
    method: 'GET',
    path: '/api/availability',
    access: 'session',
    permission: 'members:read',
    summary: 'Members who are away now. They are given no conversations by the rule of assignment.',
    status: 200,
    response: z.object({ away: z.array(absenceSchema).max(500) }),
    errors: [],
  }),
  update: defineEndpoint({
    operation: 'availability.update',
    method: 'PUT',
    path: '/api/availability',
    access: 'session',
    permission: 'conversations:write',
    summary: 'Says whether the caller is available or away. Conversations that are theirs stay with them.',
    body: stateSchema,
    status: 200,
    response: stateSchema,
    errors: [],
  }),
}

/** Returns whether an absence lasts at a moment. */
export const isAway = ({ until }: Pick<Absence, 'until'>, at: Date): boolean =>
  until === null || Date.parse(until) > at.getTime()
