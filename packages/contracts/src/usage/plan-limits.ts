import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { countSchema } from '../core/records.ts'

/** Limits of a workspace's plan beside messages, for the service that enforces them. */
export const planLimitsApi = {
  read: defineEndpoint({
    operation: 'internal.planLimits',
    method: 'GET',
    path: '/internal/plan-limits',
    access: 'service',
    callers: ['profile'],
    summary: 'Limits of the plan of the token’s workspace.',
    status: 200,
    response: z.object({
      /** Absent where the operator enforces no limits. */
      teamMembers: countSchema.optional(),
      /** The trial is over: nobody is invited any more. */
      ended: z.boolean(),
    }),
    errors: [],
  }),
}
