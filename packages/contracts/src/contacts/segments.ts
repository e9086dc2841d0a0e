import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, idSchema, leftOutField } from '../core/records.ts'
import { contactConditionsSchema } from './contact-fields.ts'

/** Segments of a workspace beside the built-in ones. */
export const maxSegments = 50

const segmentNameSchema = z.string().trim().min(1, 'Enter a name').max(60, 'A name has at most 60 characters')

/** Segment that a person writes. */
const newSegmentSchema = z.object({
  name: segmentNameSchema,
  filter: contactConditionsSchema.refine(({ conditions }) => conditions.length > 0, {
    error: 'Add a condition',
    path: ['conditions'],
  }),
})
export type NewSegment = z.infer<typeof newSegmentSchema>

const segmentSchema = z.object({
  id: idSchema,
  name: z.string().max(60),
  /** The filter in words. */
  description: z.string().max(200),
  filter: contactConditionsSchema,
  /** Null where it is being counted for the first time. */
  count: countSchema.nullable(),
  /** Absent for the built-in segments, which cannot be changed. */
  version: z.number().int().positive().optional(),
})
export type Segment = z.infer<typeof segmentSchema>

const tagged = (tag: string) => ({
  description: `Tagged ${tag}`,
  filter: { match: 'all' as const, conditions: [{ field: 'tags', comparison: 'contains' as const, value: tag }] },
})

/** The segments that every workspace has. */
export const builtInSegments: readonly Omit<Segment, 'count' | 'version'>[] = [
  { id: 'all', name: 'All Contacts', description: 'Everyone', filter: { match: 'all', conditions: [] } },
  { id: 'vip', name: 'VIP', ...tagged('vip') },
  { id: 'leads', name: 'Leads', ...tagged('lead') },
  {
    id: 'active',
    name: 'Active',
    description: 'Contacted in the last 30 days',
    filter: { match: 'all', conditions: [{ field: 'lastContactAt', comparison: 'within_days', value: 30 }] },
  },
]

export const segmentsApi = {
  list: defineEndpoint({
    operation: 'segments.list',
    method: 'GET',
    path: '/api/segments',
    access: 'session',
    permission: 'segments:read',
    v1: true,
    tool: 'List saved segments of contacts.',
    summary: 'The built-in segments, then those of the workspace by name, with how many contacts each matches.',
    status: 200,
    response: z.object({ ...leftOutField, items: z.array(segmentSchema).max(maxSegments + 10) }),
    errors: [],
  }),
  create: defineEndpoint({
    operation: 'segments.create',
    method: 'POST',
    path: '/api/segments',
    access: 'session',
    permission: 'segments:write',
    v1: true,
    summary: 'Saves a filter as a segment.',
    body: newSegmentSchema,
    status: 201,
    response: segmentSchema,
    errors: ['segment_exists', 'too_many_segments'],
  }),
  update: defineEndpoint({
    operation: 'segments.update',
    method: 'PATCH',
    path: '/api/segments/:id',
    access: 'session',
    permission: 'segments:write',
    v1: true,
    summary: 'Renames a segment or changes its conditions.',
    params: byId,
    body: newSegmentSchema.partial().extend({ version: z.number().int().positive() }),
    status: 200,
    response: segmentSchema,
    errors: ['not_found', 'segment_exists', 'stale_version'],
  }),
  remove: defineEndpoint({
    operation: 'segments.remove',
    method: 'DELETE',
    path: '/api/segments/:id',
    access: 'session',
    permission: 'segments:write',
    v1: true,
    summary: 'Deletes a segment. Its contacts stay.',
    params: byId,
    status: 204,
    errors: ['not_found'],
  }),
}
