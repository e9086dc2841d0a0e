import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, idSchema, leftOutField, timeSchema } from '../core/records.ts'
import { templateFieldsSchema, templateSchema } from './templates.ts'

/** Maximum versions that are listed. */
export const maxVersions = 100
const templateVersionSchema = z.object({
  number: z.number().int().positive(),
  content: templateFieldsSchema,
  /** A member's user id; absent where it was not written here. */
  submittedBy: idSchema.optional(),
  submittedAt: timeSchema,
  outcome: z.enum(['pending', 'approved', 'rejected', 'disabled']),
  /** Reason why WhatsApp rejected it. */
  reason: z.string().max(300).optional(),
  decidedAt: timeSchema.optional(),
})
/** A text of a template as it was sent for review, or as it was found at WhatsApp. */
export type TemplateVersion = z.infer<typeof templateVersionSchema>

const version = z.coerce.number().int().positive()

export const templateVersionsApi = {
  list: defineEndpoint({
    operation: 'templates.versions',
    method: 'GET',
    path: '/api/templates/:id/versions',
    access: 'session',
    permission: 'templates:read',
    summary: 'Versions submitted to WhatsApp for review with their results, latest first.',
    params: byId,
    status: 200,
    response: z.object({ ...leftOutField, items: z.array(templateVersionSchema).max(maxVersions) }),
    errors: ['not_found'],
  }),
  restore: defineEndpoint({
    operation: 'templates.restoreVersion',
    method: 'POST',
    path: '/api/templates/:id/versions/:number/restore',
    access: 'session',
    permission: 'templates:write',
    summary:
      'Copies a version into the template’s draft, replacing any other draft. WhatsApp keeps the current version until the draft is submitted for review.',
    params: byId.extend({ number: version }),
    /** Version of the template that the caller has seen. */
    body: z.object({ version: z.number().int().positive() }),
    status: 200,
    response: templateSchema,
    errors: ['not_found', 'stale_version', 'wrong_state'],
  }),
  saveDraft: defineEndpoint({
    operation: 'templates.saveDraft',
    method: 'PUT',
    path: '/api/templates/:id/draft',
    access: 'session',
    permission: 'templates:write',
    summary:
      'Saves a template’s content without submitting it for review. A template that was never submitted is changed; any other gets it as its draft.',
    params: byId,
    /** Version of the template that the caller has seen. */
    body: templateFieldsSchema.extend({ version: z.number().int().positive() }),
    status: 200,
    response: templateSchema,
    errors: ['not_found', 'stale_version', 'wrong_state', 'template_exists'],
  }),
  discardDraft: defineEndpoint({
    operation: 'templates.discardDraft',
    method: 'DELETE',
    path: '/api/templates/:id/draft',
    access: 'session',
    permission: 'templates:write',
    summary: 'Discards the draft of a template.',
    params: byId,
    query: z.object({ version }),
    status: 200,
    response: templateSchema,
    errors: ['not_found', 'stale_version'],
  }),
}
