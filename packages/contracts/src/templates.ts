import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { byId, countSchema, listOf, pageOf, pageQueryFields, storedFields, timeSchema } from './records.ts'
import { editRules } from './template-edits.ts'
import { templateLimits } from './template-limits.ts'
import { templateProblems } from './template-problems.ts'

export const templateCategories = ['marketing', 'utility', 'authentication'] as const
export const templateStatuses = ['draft', 'pending', 'approved', 'rejected', 'paused', 'disabled'] as const

/** Languages as Meta writes them; the interface offers these. */
export const templateLanguages = [
  { value: 'en', label: 'English' },
  { value: 'en_US', label: 'English (US)' },
  { value: 'en_GB', label: 'English (UK)' },
  { value: 'hi', label: 'Hindi' },
  { value: 'bn', label: 'Bengali' },
  { value: 'ta', label: 'Tamil' },
  { value: 'te', label: 'Telugu' },
  { value: 'mr', label: 'Marathi' },
  { value: 'gu', label: 'Gujarati' },
  { value: 'kn', label: 'Kannada' },
  { value: 'ml', label: 'Malayalam' },
  { value: 'ur', label: 'Urdu' },
  { value: 'ar', label: 'Arabic' },
  { value: 'es', label: 'Spanish' },
  { value: 'fr', label: 'French' },
  { value: 'pt_BR', label: 'Portuguese (Brazil)' },
  { value: 'id', label: 'Indonesian' },
] as const

const languageSchema = z.string().regex(/^[a-z]{2,3}(_[A-Z]{2})?$/)

const templateButtonSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('quick_reply'),
    text: z.string().trim().min(1, 'Enter the button’s text').max(templateLimits.buttonText),
  }),
  z.object({
    kind: z.literal('url'),
    text: z.string().trim().min(1, 'Enter the button’s text').max(templateLimits.buttonText),
    url: z.url({ protocol: /^https?$/, error: 'Enter a web address' }).max(templateLimits.url),
  }),
  z.object({
    kind: z.literal('phone'),
    text: z.string().trim().min(1, 'Enter the button’s text').max(templateLimits.buttonText),
    phone: z.string().trim().min(1, 'Enter a phone number').max(templateLimits.phone),
  }),
])
export type TemplateButton = z.infer<typeof templateButtonSchema>

/** What a person writes. */
export const templateFieldsSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name')
    .max(templateLimits.name, `At most ${templateLimits.name} characters`)
    .regex(/^[a-z0-9_]+$/, 'Use lower-case letters, digits and underscores only'),
  language: languageSchema,
  category: z.enum(templateCategories),
  header: z
    .string()
    .trim()
    .max(templateLimits.headerText, `At most ${templateLimits.headerText} characters`)
    .optional(),
  /** Text with placeholders: `{{1}}` and on, or `{{order_id}}`; never both kinds. */
  body: z
    .string()
    .trim()
    .min(1, 'Enter the message')
    .max(templateLimits.body, `At most ${templateLimits.body} characters`),
  footer: z.string().trim().max(templateLimits.footer, `At most ${templateLimits.footer} characters`).optional(),
  buttons: z.array(templateButtonSchema).max(templateLimits.buttons),
  /** Placeholder → sample value, which the platform's reviewers see. */
  examples: z.record(z.string().max(64), z.string().max(200)),
})
export type TemplateContent = z.infer<typeof templateFieldsSchema>

/** What a person may send for review. */
export const templateContentSchema = templateFieldsSchema.superRefine((content, context) => {
  for (const { path, message } of templateProblems(content))
    context.addIssue({ code: 'custom', path: [...path], message })
})

export const templateSchema = z.object({
  ...storedFields,
  ...templateFieldsSchema.shape,
  status: z.enum(templateStatuses),
  rejectionReason: z.string().max(300).optional(),
  quality: z.enum(['high', 'medium', 'low', 'unknown']).optional(),
  /** What WhatsApp says of the status beyond its word. */
  statusDetail: z.string().max(300).optional(),
  /** The category that WhatsApp has announced to give it. */
  nextCategory: z.enum(templateCategories).optional(),
  /** When it was changed while it was approved, of the last 30 days: `editBudget` tells what is left. */
  editedAt: z.array(timeSchema).max(editRules.most).optional(),
  /** Parts at WhatsApp that Parley neither edits nor fills in: `image header`. Such a template is shown, and not sent. */
  unsupported: z.array(z.string().max(100)).max(50).optional(),
})
export type Template = z.infer<typeof templateSchema>

/** How the templates here were last compared with those at WhatsApp. */
const templateSyncSchema = z.object({
  /** Whether that is being done, or about to. */
  running: z.boolean(),
  /** When the last one that came to its end had begun; null where there is none. */
  syncedAt: timeSchema.nullable(),
  /** Why the last one did not come to its end. */
  problem: z.string().max(500).optional(),
})
export type TemplateSync = z.infer<typeof templateSyncSchema>

export const templateQuerySchema = z.object({
  ...pageQueryFields,
  status: listOf(z.enum(templateStatuses)),
  category: listOf(z.enum(templateCategories)),
  language: listOf(languageSchema),
})
export type TemplateQuery = z.input<typeof templateQuerySchema>

export const templatesApi = {
  list: defineEndpoint({
    operation: 'templates.list',
    method: 'GET',
    path: '/api/templates',
    access: 'session',
    permission: 'templates:read',
    summary: 'Message templates, the latest changed first.',
    query: templateQuerySchema,
    status: 200,
    response: pageOf(templateSchema),
    errors: [],
  }),
  summary: defineEndpoint({
    operation: 'templates.summary',
    method: 'GET',
    path: '/api/templates/summary',
    access: 'session',
    permission: 'templates:read',
    summary: 'How many templates there are in each status.',
    status: 200,
    response: z.object({ total: countSchema, approved: countSchema, pending: countSchema, rejected: countSchema }),
    errors: [],
  }),
  read: defineEndpoint({
    operation: 'templates.read',
    method: 'GET',
    path: '/api/templates/:id',
    access: 'session',
    permission: 'templates:read',
    summary: 'One template.',
    params: byId,
    status: 200,
    response: templateSchema,
    errors: ['not_found'],
  }),
  syncState: defineEndpoint({
    operation: 'templates.syncState',
    method: 'GET',
    path: '/api/templates/sync',
    access: 'session',
    permission: 'templates:read',
    summary: 'When the templates were last compared with those at WhatsApp.',
    status: 200,
    response: templateSyncSchema,
    errors: [],
  }),
  sync: defineEndpoint({
    operation: 'templates.sync',
    method: 'POST',
    path: '/api/templates/sync',
    access: 'session',
    permission: 'templates:write',
    summary: 'Has the templates compared with those at WhatsApp soon; `templates.synced` tells of the end.',
    status: 202,
    response: templateSyncSchema,
    errors: ['wrong_state'],
  }),
  create: defineEndpoint({
    operation: 'templates.create',
    method: 'POST',
    path: '/api/templates',
    access: 'session',
    permission: 'templates:write',
    summary: 'Creates a template, which then is pending.',
    body: templateContentSchema,
    status: 201,
    response: templateSchema,
    errors: ['template_exists', 'wrong_state'],
  }),
  update: defineEndpoint({
    operation: 'templates.update',
    method: 'PATCH',
    path: '/api/templates/:id',
    access: 'session',
    permission: 'templates:write',
    summary: 'Replaces what an approved, rejected or paused template says; it then is pending again.',
    params: byId,
    body: templateContentSchema.safeExtend({ version: z.number().int().positive() }),
    status: 200,
    response: templateSchema,
    errors: ['not_found', 'stale_version', 'wrong_state', 'edit_limit'],
  }),
  remove: defineEndpoint({
    operation: 'templates.remove',
    method: 'DELETE',
    path: '/api/templates/:id',
    access: 'session',
    permission: 'templates:write',
    summary: 'Deletes a template. It can be restored for 30 days.',
    params: byId,
    status: 204,
    errors: ['not_found'],
  }),
  restore: defineEndpoint({
    operation: 'templates.restore',
    method: 'POST',
    path: '/api/templates/:id/restore',
    access: 'session',
    permission: 'templates:write',
    summary: 'Brings a deleted template back.',
    params: byId,
    status: 200,
    response: templateSchema,
    errors: ['not_found', 'template_exists'],
  }),
}
