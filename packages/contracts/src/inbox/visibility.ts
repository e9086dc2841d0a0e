import { z } from 'zod'
import { roleSchema } from '../account/permissions.ts'
import { defineEndpoint } from '../core/endpoint.ts'
import { idSchema } from '../core/records.ts'

/**
 * Conversations that agents see: all, or their own and those that nobody has. Owners, admins, viewers and API keys see all.
 * `version` is 0 before the first change.
 */
const visibilitySchema = z.object({
  agentSees: z.enum(['all', 'own']),
  version: z.number().int().nonnegative(),
})
export type Visibility = z.infer<typeof visibilitySchema>

export const defaultVisibility: Visibility = { agentSees: 'all', version: 0 }

export const visibilityApi = {
  read: defineEndpoint({
    operation: 'visibility.read',
    method: 'GET',
    path: '/api/workspace/visibility',
    access: 'session',
    permission: 'workspace:read',
    summary: 'Which conversations agents see.',
    status: 200,
    response: visibilitySchema,
    errors: [],
  }),
  update: defineEndpoint({
    operation: 'visibility.update',
    method: 'PUT',
    path: '/api/workspace/visibility',
    access: 'session',
    permission: 'workspace:write',
    summary:
      'Sets which conversations agents see: all, or their own and those that nobody has. It counts with the next call.',
    body: visibilitySchema,
    status: 200,
    response: visibilitySchema,
    errors: ['stale_version'],
  }),
}

/** Maximum conversations that another service asks about at once. */
export const maxAskedVisible = 200

export const visibilityInternalApi = {
  visible: defineEndpoint({
    operation: 'internal.visibleConversations',
    method: 'POST',
    path: '/internal/visible-conversations',
    access: 'service',
    callers: ['automation'],
    summary: 'Which of these conversations a member sees.',
    body: z.object({ userId: idSchema, role: roleSchema, conversationIds: z.array(idSchema).max(maxAskedVisible) }),
    status: 200,
    /** `all`: the member sees every conversation, also those that were not asked about. */
    response: z.object({ all: z.boolean(), visible: z.array(idSchema) }),
    errors: [],
  }),
}
