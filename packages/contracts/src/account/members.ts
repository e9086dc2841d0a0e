import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { pageOf, pageQueryFields, storedFields, timeSchema } from '../core/records.ts'
import { roleSchema } from './permissions.ts'

/** A user in a workspace: who can be given a conversation. */
export const memberSchema = z.object({
  ...storedFields,
  userId: z.string().min(1).max(64),
  name: z.string().max(120),
  email: z.string().max(254),
  role: roleSchema,
  status: z.enum(['invited', 'active']),
  lastSeenAt: timeSchema.nullable(),
})
export type Member = z.infer<typeof memberSchema>

export const membersApi = {
  list: defineEndpoint({
    operation: 'members.list',
    method: 'GET',
    path: '/api/members',
    access: 'session',
    permission: 'members:read',
    summary: 'Members of the workspace, by name.',
    query: z.object(pageQueryFields),
    status: 200,
    response: pageOf(memberSchema),
    errors: [],
  }),
}
