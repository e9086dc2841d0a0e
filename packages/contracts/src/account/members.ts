import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, idSchema, pageOf, pageQueryFields, storedFields, timeSchema } from '../core/records.ts'
import { roleSchema } from './permissions.ts'

/** A membership as it is after a change, as events and messages between services carry it. */
export const memberChangeSchema = z.object({
  memberId: idSchema,
  userId: idSchema,
  role: roleSchema,
  status: z.enum(['active', 'removed']),
  version: z.number().int().positive(),
})

/** A user in a workspace, to whom a conversation can be given. */
export const memberSchema = z.object({
  ...storedFields,
  userId: z.string().min(1).max(64),
  name: z.string().max(120),
  email: z.string().max(254),
  role: roleSchema,
  status: z.literal('active'),
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
  read: defineEndpoint({
    operation: 'members.read',
    method: 'GET',
    path: '/api/members/:id',
    access: 'session',
    permission: 'members:read',
    summary: 'One member.',
    params: byId,
    status: 200,
    response: memberSchema,
    errors: ['not_found'],
  }),
  change: defineEndpoint({
    operation: 'members.change',
    method: 'PATCH',
    path: '/api/members/:id',
    access: 'session',
    permission: 'members:change',
    summary: 'Changes the role of a member. Nobody grants a role above their own, or changes a member who has one.',
    params: byId,
    body: z.object({ role: roleSchema, version: storedFields.version }),
    status: 200,
    response: memberSchema,
    errors: ['not_found', 'stale_version', 'last_owner'],
  }),
  remove: defineEndpoint({
    operation: 'members.remove',
    method: 'DELETE',
    path: '/api/members/:id',
    access: 'session',
    permission: 'members:remove',
    summary: 'Removes a member: out at once, and their open conversations go back to the team.',
    params: byId,
    status: 204,
    errors: ['not_found', 'wrong_state', 'last_owner'],
  }),
  leave: defineEndpoint({
    operation: 'members.leave',
    method: 'POST',
    path: '/api/members/leave',
    access: 'session',
    permission: 'member',
    summary: 'Ends the own membership.',
    status: 204,
    errors: ['last_owner'],
  }),
  transfer: defineEndpoint({
    operation: 'members.transfer',
    method: 'POST',
    path: '/api/members/:id/transfer',
    access: 'session',
    permission: 'workspace:transfer',
    fresh: true,
    summary: 'Makes another member an owner in the place of the caller, who becomes an admin.',
    params: byId,
    status: 204,
    errors: ['not_found', 'wrong_state'],
  }),
}
