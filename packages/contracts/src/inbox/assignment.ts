import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { idSchema } from '../core/records.ts'

/**
 * Assignment of a conversation that a customer has opened and no member owns: to no one, to each member in turn, or to the one
 * with the fewest open.
 */
const assignmentModes = ['off', 'round_robin', 'least_busy'] as const

/** Open conversations that a member is given at most; those that are put off do not count. */
const limitSchema = z.number().int().min(1).max(500)

const assignmentFields = {
  mode: z.enum(assignmentModes),
  /** User ids of the members who take part. */
  members: z.array(idSchema).max(200),
  /** For each member who has no limit of their own; `null`: no limit. */
  limit: limitSchema.nullable().default(null),
  /** Limits of single members, whether they take part now or not. */
  limits: z
    .array(z.object({ userId: idSchema, limit: limitSchema }))
    .max(200)
    .default([]),
}

/** `version` is 0 before the first change. */
const assignmentSchema = z.object({ ...assignmentFields, version: z.number().int().nonnegative() })
export type Assignment = z.infer<typeof assignmentSchema>

/** Returns the setting of a workspace that has not changed it. */
export const noAssignment: Assignment = { mode: 'off', members: [], limit: null, limits: [], version: 0 }

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
