import { z } from 'zod'
import { contactConditionsSchema } from '../contacts/contact-fields.ts'
import { contactSorts, lastContactRanges } from '../contacts/contacts.ts'
import { tagNameSchema } from '../contacts/tags.ts'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, idSchema, leftOutField, pageQueryFields } from '../core/records.ts'
import { inboxSorts } from './conversations.ts'
import { inboxViews } from './inbox-summary.ts'

/** The lists whose filters and order can be saved. */
const viewScreens = ['conversations', 'contacts'] as const
export type ViewScreen = (typeof viewScreens)[number]

/** Views of one list: those of the workspace, and those of one member beside them. */
export const maxViews = 50
const maxColumns = 120

const conversationView = z.strictObject({
  q: pageQueryFields.q,
  show: z.enum(inboxViews).optional(),
  sort: z.enum(inboxSorts).optional(),
  number: idSchema.optional(),
  tag: tagNameSchema.optional(),
  /** A member's user id. */
  owner: idSchema.optional(),
  bot: idSchema.optional(),
})
const contactView = z.strictObject({
  q: pageQueryFields.q,
  segment: idSchema.optional(),
  tags: z.array(tagNameSchema).max(50).optional(),
  lastContact: z.enum(lastContactRanges).optional(),
  conditions: contactConditionsSchema.optional(),
  sort: z.enum(contactSorts).optional(),
  /** Columns of the table beside the name. */
  columns: z.array(z.string().min(1).max(80)).max(maxColumns).optional(),
})

/** Content of a view, by the list that it belongs to. */
const shownSchema = z.discriminatedUnion('screen', [
  z.object({ screen: z.literal('conversations'), query: conversationView }),
  z.object({ screen: z.literal('contacts'), query: contactView }),
])
export type ShownByView = z.infer<typeof shownSchema>

const ownFields = {
  name: z.string().trim().min(1, 'Enter a name').max(60, 'A name has at most 60 characters'),
  /** True for a view that everybody in the workspace has, and not its owner alone. */
  shared: z.boolean(),
}
const newViewSchema = shownSchema.and(z.object(ownFields))
export type NewView = z.infer<typeof newViewSchema>

const viewSchema = shownSchema.and(
  z.object({
    id: idSchema,
    ...ownFields,
    version: z.number().int().positive(),
  }),
)
/** Filters and order of a list under a name; a person's own, or everybody's. */
export type View = z.infer<typeof viewSchema>

export const viewsApi = {
  list: defineEndpoint({
    operation: 'views.list',
    method: 'GET',
    path: '/api/views',
    access: 'session',
    permission: 'self',
    summary: 'Saved views of a list by name: shared ones and the caller’s own.',
    query: z.object({ screen: z.enum(viewScreens) }),
    status: 200,
    response: z.object({ ...leftOutField, items: z.array(viewSchema).max(2 * maxViews) }),
    errors: [],
  }),
  create: defineEndpoint({
    operation: 'views.create',
    method: 'POST',
    path: '/api/views',
    access: 'session',
    permission: 'self',
    audit: 'none',
    summary: 'Saves filters and order of a list. Sharing a view requires `segments:write`.',
    body: newViewSchema,
    status: 201,
    response: viewSchema,
    errors: ['forbidden', 'view_exists', 'too_many_views'],
  }),
  update: defineEndpoint({
    operation: 'views.update',
    method: 'PATCH',
    path: '/api/views/:id',
    access: 'session',
    permission: 'self',
    audit: 'none',
    summary:
      'Renames a view, changes its content or shares it. A view that is or becomes shared requires `segments:write`.',
    params: byId,
    body: newViewSchema.and(z.object({ version: z.number().int().positive() })),
    status: 200,
    response: viewSchema,
    errors: ['forbidden', 'not_found', 'view_exists', 'stale_version', 'too_many_views'],
  }),
  remove: defineEndpoint({
    operation: 'views.remove',
    method: 'DELETE',
    path: '/api/views/:id',
    access: 'session',
    permission: 'self',
    audit: 'none',
    summary: 'Deletes a view. A shared view requires `segments:write`.',
    params: byId,
    status: 204,
    errors: ['forbidden', 'not_found'],
  }),
}
