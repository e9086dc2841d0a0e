import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { countSchema, leftOutField } from '../core/records.ts'

/** A comma parts tags in a query string, so none may hold one. */
export const tagNameSchema = z
  .string()
  .trim()
  .min(1, 'Enter a tag')
  .max(40, 'A tag has at most 40 characters')
  .regex(/^[^,]+$/, 'A tag cannot contain a comma')

/** Returns whether two names are of one tag: conditions and flows do not mind capitals. */
export const isSameTag = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Maximum tags of one contact. */
export const maxTags = 50

export const tagColours = ['grey', 'green', 'blue', 'amber', 'red', 'violet'] as const

const tagSchema = z.object({ name: tagNameSchema, colour: z.enum(tagColours), contacts: countSchema })
export type Tag = z.infer<typeof tagSchema>

export const tagsApi = {
  list: defineEndpoint({
    operation: 'contacts.tags',
    method: 'GET',
    path: '/api/tags',
    access: 'session',
    permission: 'segments:read',
    v1: true,
    tool: 'List the tags of the workspace with how many contacts have each.',
    summary: 'All tags with their numbers of contacts.',
    status: 200,
    response: z.object({ ...leftOutField, items: z.array(tagSchema).max(1000) }),
    errors: [],
  }),
  colour: defineEndpoint({
    operation: 'contacts.colourTag',
    method: 'PUT',
    path: '/api/tags/colour',
    access: 'session',
    permission: 'segments:write',
    v1: true,
    summary: 'Changes the colour of a tag.',
    // Not in the path: a tag may contain a slash.
    body: z.object({ tag: tagNameSchema, colour: z.enum(tagColours) }),
    status: 204,
    errors: ['not_found'],
  }),
}
