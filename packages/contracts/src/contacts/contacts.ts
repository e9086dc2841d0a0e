import { z } from 'zod'
import {
  idSchema,
  listOf,
  pageOf,
  pageQueryFields,
  phoneSchema,
  recordKey,
  selectionOf,
  storedFields,
  timeSchema,
} from '../core/records.ts'
import { waUserIdPattern } from '../core/wa-user-id.ts'
import { conditionGroupSchema, conditionsParameter } from './conditions.ts'
import { maxAttributes } from './contact-attributes.ts'
import { maxTags, tagNameSchema } from './tags.ts'

/** Maximum length in UTF-16 units. */
export const maxContactName = 120
export const contactNameSchema = z
  .string()
  .trim()
  .min(1, 'Enter a name')
  .max(maxContactName, `A name has at most ${maxContactName} characters`)

/** Limit of WhatsApp. */
export const maxUsername = 35

export const waUserIdSchema = z.string().trim().regex(waUserIdPattern, 'This is not a WhatsApp user id')

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
    /** Time of its deletion; absent otherwise. */
    deletedAt: timeSchema.optional(),
  })
  .refine(({ phone, waUserId }) => phone !== undefined || waUserId !== undefined, {
    error: 'A contact has a phone number or a WhatsApp user id',
  })
export type Contact = z.infer<typeof contactSchema>

/** Values of fields that a contact carries, also of fields whose definition was removed. */
const maxAttributesOfContact = 2 * maxAttributes
export const attributesSchema = z
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

export const contactQuerySchema = z.object({
  ...pageQueryFields,
  ...contactFilterFields,
  sort: z.enum(contactSorts).optional(),
})
export type ContactQuery = z.input<typeof contactQuerySchema>

export const contactPageSchema = pageOf(contactSchema).extend({
  // Set where time was up before the page was full: the last contact (null: behind all), creation or name, by `sort`, up to which
  // the list was searched. `nextCursor` continues from there.
  searchedTo: z.string().max(100).nullable().optional(),
})
export type ContactPage = z.infer<typeof contactPageSchema>

/** Permissions to delete contacts and to restore them. */
export const contactActionPermissions = { delete: 'contacts:delete', restore: 'contacts:delete' } as const

/** The contacts that a bulk change or an export is about. */
export const contactSelectionSchema = selectionOf(z.object(contactFilterFields))
