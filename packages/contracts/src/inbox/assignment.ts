import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { idSchema } from '../core/records.ts'

/**
 * Assignment of a conversation that a customer has opened and no member owns: to no one, to each member in turn, or to the one
 * with the fewest open.
 */
const assignmentModes = ['off', 'round_robin', 'least_busy'] as const

const assignmentFields = {
  mode: z.enum(assignmentModes),
  /** User ids of the members who take part. */
  members: z.array(idSchema).max(200),
}

/** `version` is 0 before the first change. */
const assignmentSchema = z.object({ ...assignmentFields, version: z.number().int().nonnegative() })
export type Assignment = z.infer<typeof assignmentSchema>

export const assignmentApi = {
  read: defineEndpoint({
    operation: 'assignment.read',
    method: 'GET',
    path: '/api/workspace/assignment',
    access: 'session',
    permission: 'workspace:read',
    summary: 'How new conversations are assigned.',
    status: 200,
    response: assignmentSchema,
    errors: [],
  }),
  update: defineEndpoint({
    operation: 'assignment.update',
    method: 'PUT',
    path: '/api/workspace/assignment',
    access: 'session',
    permission: 'workspace:write',
    summary: 'Changes how new conversations are assigned. Assigned conversations keep their owner.',
    body: assignmentSchema,
    status: 200,
    response: assignmentSchema,
    errors: ['stale_version'],
  }),
}
