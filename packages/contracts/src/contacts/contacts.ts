import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import {
  byId,
  idSchema,
  listOf,
  pageOf,
  pageQueryFields,
  phoneSchema,
  recordKey,
  selectionOf,
  storedFields,
  timeSchema,
  waUserIdPattern,
} from '../core/records.ts'
import { conditionGroupSchema, conditionsParameter } from './conditions.ts'
import { maxAttributes } from './contact-attributes.ts'
import { maxTags, tagNameSchema } from './tags.ts'

/** Maximum length in UTF-16 units. */
export const maxContactName = 120
const contactNameSchema = z
  .string()
  .trim()
  .min(1, 'Enter a name')
  .max(maxContactName, `A name has at most ${maxContactName} characters`)

/** Limit of WhatsApp. */
export const maxUsername = 35

const waUserIdSchema = z.string().trim().regex(waUserIdPattern, 'This is not a WhatsApp user id')

const consentValues = ['unknown', 'in', 'out'] as const

export const contactSchema = z
  .object({
    ...storedFields,
    name: contactNameSchema,
    phone: phoneSchema.optional(),
    /** Business-scoped user id: what identifies a customer who hides the phone number. */
    waUserId: z.string().max(140).optional(),
    username: z.string().max(maxUsername).optional(),
    tags: z.array(tagNameSchema).max(maxTags),
    attributes: z.record(z.string().max(64), z.string().max(1000)),
    optIn: z.object({ marketing: z.enum(consentValues), source: z.string().max(60), at: timeSchema.nullable() }),
    lastContactAt: timeSchema.nullable(),
    source: z.enum(['inbound', 'import', 'manual', 'api']),
    blocked: z.boolean(),
    /** True where WhatsApp blocks their messages: it can block people who have written in the last 24 hours. */
    blockedAtWhatsApp: z.boolean().optional(),
    /** When it was deleted; absent otherwise. */
    deletedAt: timeSchema.optional(),
  })
  .refine(({ phone, waUserId }) => phone !== undefined || waUserId !== undefined, {
    error: 'A contact has a phone number or a WhatsApp user id',
  })
export type Contact = z.infer<typeof contactSchema>

/** Values of fields that a contact carries, also of fields whose definition was removed. */
const maxAttributesOfContact = 2 * maxAttributes
const attributesSchema = z
  .record(recordKey, z.string().max(1000))
  .refine(
    (attributes) => Object.keys(attributes).length <= maxAttributesOfContact,
    `A contact has at most ${maxAttributesOfContact} fields`,
  )

/** Contact that a person enters. */
export const newContactSchema = z
  .object({
    name: contactNameSchema,
    phone: phoneSchema.optional(),
    waUserId: waUserIdSchema.optional(),
    tags: z.array(tagNameSchema).max(maxTags).default([]),
    attributes: attributesSchema.default({}),
  })
  .refine(({ phone, waUserId }) => phone !== undefined || waUserId !== undefined, {
    error: 'Enter a phone number or a WhatsApp user id',
    path: ['phone'],
  })
export type NewContact = z.infer<typeof newContactSchema>

export const lastContactRanges = ['7d', '30d', '90d', 'older', 'never'] as const

const contactFilterFields = {
  q: pageQueryFields.q,
  segment: idSchema.optional(),
  /** The contacts that an import has added or changed; once it is undone, those of them that were kept. */
  import: idSchema.optional(),
  tags: listOf(tagNameSchema).optional(),
  lastContact: z.enum(lastContactRanges).optional(),
  /** Conditions on contacts. The service checks fields and comparisons, because few pages need to know them. */
  conditions: conditionsParameter(conditionGroupSchema).optional(),
}
export const contactSorts = ['last_contact', 'name', 'newest'] as const

const contactQuerySchema = z.object({
  ...pageQueryFields,
  ...contactFilterFields,
  sort: z.enum(contactSorts).optional(),
})
export type ContactQuery = z.input<typeof contactQuerySchema>

const contactPageSchema = pageOf(contactSchema).extend({
  // Set where time was up before the page was full: the last contact (null: behind all), creation or name, by `sort`, up to which
  // the list was searched. `nextCursor` continues from there.
  searchedTo: z.string().max(100).nullable().optional(),
})
export type ContactPage = z.infer<typeof contactPageSchema>

/** Permissions to delete contacts and to restore them. */
export const contactActionPermissions = { delete: 'contacts:delete', restore: 'contacts:delete' } as const

/** The contacts that a bulk change or an export is about. */
export const contactSelectionSchema = selectionOf(z.object(contactFilterFields))

export const contactsApi = {
  list: defineEndpoint({
    operation: 'contacts.list',
    method: 'GET',
    path: '/api/contacts',
    access: 'session',
    permission: 'contacts:read',
    v1: true,
    tool: 'Find contacts by name, phone number, tag, field or segment.',
    summary: 'Contacts that match a search and filters.',
    query: contactQuerySchema,
    status: 200,
    response: contactPageSchema,
    errors: ['not_found', 'search_too_long'],
  }),
  read: defineEndpoint({
    operation: 'contacts.read',
    method: 'GET',
    path: '/api/contacts/:id',
    access: 'session',
    permission: 'contacts:read',
    v1: true,
    tool: 'Read one contact with all of its fields.',
    summary: 'One contact.',
    params: byId,
    status: 200,
    response: contactSchema,
    errors: ['not_found'],
  }),
  readDeleted: defineEndpoint({
    operation: 'contacts.readDeleted',
    method: 'GET',
    path: '/api/contacts/:id/deleted',
    access: 'session',
    permission: 'contacts:read',
    v1: true,
    summary: 'A deleted contact that can still be restored.',
    params: byId,
    status: 200,
    response: contactSchema,
    errors: ['not_found'],
  }),
  create: defineEndpoint({
    operation: 'contacts.create',
    method: 'POST',
    path: '/api/contacts',
    access: 'session',
    permission: 'contacts:write',
    v1: true,
    tool: 'Add a contact. Its phone number has a country code.',
    summary: 'Adds a contact.',
    body: newContactSchema,
    status: 201,
    response: contactSchema,
    errors: ['contact_exists'],
  }),
  update: defineEndpoint({
    operation: 'contacts.update',
    method: 'PATCH',
    path: '/api/contacts/:id',
    access: 'session',
    permission: 'contacts:write',
    v1: true,
    tool: 'Change fields of a contact.',
    summary: 'Changes the given fields of a contact.',
    params: byId,
    body: z.object({
      name: contactNameSchema.optional(),
      phone: phoneSchema.optional(),
      waUserId: waUserIdSchema.optional(),
      tags: z.array(tagNameSchema).max(maxTags).optional(),
      attributes: attributesSchema.optional(),
      version: z.number().int().positive(),
    }),
    status: 200,
    response: contactSchema,
    errors: ['not_found', 'contact_exists', 'stale_version'],
  }),
  addTag: defineEndpoint({
    operation: 'contacts.addTag',
    method: 'POST',
    path: '/api/contacts/:id/tags',
    access: 'session',
    permission: 'contacts:write',
    v1: true,
    tool: 'Put a tag on a contact.',
    summary: 'Adds one tag. Idempotent; tags that others add meanwhile are kept.',
    params: byId,
    body: z.object({ tag: tagNameSchema }),
    status: 200,
    response: contactSchema,
    errors: ['not_found'],
  }),
  removeTag: defineEndpoint({
    operation: 'contacts.removeTag',
    method: 'DELETE',
    path: '/api/contacts/:id/tags',
    access: 'session',
    permission: 'contacts:write',
    v1: true,
    summary: 'Removes one tag. Idempotent.',
    params: byId,
    // Not in the path: a tag may contain a slash.
    query: z.object({ tag: tagNameSchema }),
    status: 200,
    response: contactSchema,
    errors: ['not_found'],
  }),
  block: defineEndpoint({
    operation: 'contacts.block',
    method: 'PUT',
    path: '/api/contacts/:id/blocked',
    access: 'session',
    permission: 'contacts:write',
    v1: true,
    summary: 'Blocks or unblocks a contact, here and at WhatsApp. Nothing is sent to a blocked contact.',
    params: byId,
    body: z.object({ blocked: z.boolean() }),
    status: 200,
    response: contactSchema,
    errors: ['not_found'],
  }),
  bulk: defineEndpoint({
    operation: 'contacts.bulk',
    method: 'POST',
    path: '/api/contacts/bulk',
    access: 'session',
    permission: 'contacts:write',
    actionPermissions: contactActionPermissions,
    summary:
      'Tags, deletes or restores contacts. A deleted contact can be restored for 30 days. Changes by filter run as a job.',
    body: z.object({
      ids: z.array(idSchema).min(1).max(1000),
      action: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('add_tag'), tag: tagNameSchema }),
        z.object({ kind: z.literal('remove_tag'), tag: tagNameSchema }),
        z.object({ kind: z.literal('delete') }),
        z.object({ kind: z.literal('restore') }),
      ]),
    }),
    status: 200,
    /** `ids` are the records that the change touched: what an undo names. */
    response: z.object({ ids: z.array(idSchema) }),
    errors: ['approval_required'],
  }),
}
