import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'

const minutesSchema = z
  .number()
  .int('Enter whole minutes')
  .min(1, 'At least a minute')
  .max(10_080, 'At most 10,080 minutes')

/**
 * Minutes of opening hours within which customers are to be answered: the first time after they opened a conversation, and each
 * further time. `null`: no target. `version` is 0 before the first change.
 */
const responseTargetSchema = z.object({
  firstMinutes: minutesSchema.nullable(),
  nextMinutes: minutesSchema.nullable(),
  version: z.number().int().nonnegative(),
})
export type ResponseTarget = z.infer<typeof responseTargetSchema>

export const noResponseTarget: ResponseTarget = { firstMinutes: null, nextMinutes: null, version: 0 }

export const responseTargetApi = {
  read: defineEndpoint({
    operation: 'responseTarget.read',
    method: 'GET',
    path: '/api/workspace/response-target',
    access: 'session',
    permission: 'workspace:read',
    summary: 'Within how many minutes of opening hours customers are to be answered.',
    status: 200,
    response: responseTargetSchema,
    errors: [],
  }),
  update: defineEndpoint({
    operation: 'responseTarget.update',
    method: 'PUT',
    path: '/api/workspace/response-target',
    access: 'session',
    permission: 'workspace:write',
    summary: 'Changes the response target, for customers who write from now on.',
    body: responseTargetSchema,
    status: 200,
    response: responseTargetSchema,
    errors: ['stale_version'],
  }),
}
