import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, idSchema, timeSchema } from '../core/records.ts'

/** Work that takes longer than a call: an import, an export, a change of many records at once. */
export const jobSchema = z.object({
  id: idSchema,
  /** `contacts.import` */
  kind: z.string().max(60),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
  /** Items to do; `done` and `failed` together reach it. */
  total: countSchema,
  done: countSchema,
  failed: countSchema,
  /** Result, in the shape of its kind; `null` until then. */
  result: z.record(z.string(), z.unknown()).nullable(),
  startedBy: idSchema.nullable(),
  createdAt: timeSchema,
  /** Time at which the record, and the files that it names, are deleted. */
  expiresAt: timeSchema,
  version: z.number().int().positive(),
})
export type Job = z.infer<typeof jobSchema>

export const jobsApi = {
  find: defineEndpoint({
    operation: 'jobs.find',
    method: 'GET',
    path: '/api/jobs/:id',
    access: 'session',
    permission: 'member',
    summary: 'Progress of a job.',
    params: byId,
    status: 200,
    response: jobSchema,
    errors: ['not_found'],
  }),
  cancel: defineEndpoint({
    operation: 'jobs.cancel',
    method: 'POST',
    path: '/api/jobs/:id/cancel',
    access: 'session',
    permission: 'member',
    summary:
      'Stops a job; what it did so far stays. Allowed for the member who started it and for those who may change the workspace.',
    params: byId,
    status: 200,
    response: jobSchema,
    errors: ['not_found', 'forbidden', 'wrong_state'],
  }),
}
