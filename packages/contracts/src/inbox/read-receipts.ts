import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'

/**
 * Signs that customers see while a member types an answer: read marks and the typing indicator. WhatsApp shows typing only
 * together with the read mark. `version` is 0 before the first change.
 */
const readReceiptsSchema = z.object({
  read: z.boolean(),
  typing: z.boolean(),
  version: z.number().int().nonnegative(),
})
export type ReadReceipts = z.infer<typeof readReceiptsSchema>

export const defaultReadReceipts: ReadReceipts = { read: true, typing: true, version: 0 }

export const readReceiptsApi = {
  read: defineEndpoint({
    operation: 'readReceipts.read',
    method: 'GET',
    path: '/api/workspace/read-receipts',
    access: 'session',
    permission: 'workspace:read',
    summary: 'Whether customers see read receipts and the typing indicator.',
    status: 200,
    response: readReceiptsSchema,
    errors: [],
  }),
  update: defineEndpoint({
    operation: 'readReceipts.update',
    method: 'PUT',
    path: '/api/workspace/read-receipts',
    access: 'session',
    permission: 'workspace:write',
    summary: 'Changes these settings. The typing indicator requires read receipts.',
    body: readReceiptsSchema.refine(({ read, typing }) => read || !typing, {
      path: ['typing'],
      message: 'WhatsApp shows typing only together with read receipts.',
    }),
    status: 200,
    response: readReceiptsSchema,
    errors: ['stale_version'],
  }),
}
