import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, idSchema, listOf, pageOf, pageQueryFields, timeSchema } from '../core/records.ts'
import { maxUses } from './template-checks.ts'
import { warningRules } from './template-findings.ts'
import { templateLimits } from './template-limits.ts'
import {
  addProblems,
  languageSchema,
  templateCategories,
  templateContentSchema,
  templateFieldsSchema,
  templateSchema,
  templateStatuses,
} from './templates.ts'

/** Reasons why a comparison was cut short. */
const templateSyncErrors = ['not_connected', 'access_refused', 'rate_limited', 'refused', 'unreachable'] as const

/** One comparison of an account's templates with those at WhatsApp. */
const templateSyncRunSchema = z.object({
  id: idSchema,
  accountId: z.string().max(40),
  startedAt: timeSchema,
  endedAt: timeSchema,
  /** Templates that WhatsApp returned. */
  seen: countSchema,
  /** Templates that were not stored as WhatsApp has them. */
  changed: countSchema,
  /** Templates that WhatsApp does not have any more. A run that was cut short finds none. */
  gone: countSchema,
  error: z.object({ code: z.enum(templateSyncErrors), message: z.string().max(500) }).optional(),
})
export type TemplateSyncRun = z.infer<typeof templateSyncRunSchema>

/** Maximum accounts of a workspace whose last comparison is returned. */
const maxAccounts = 100

/** Last comparisons of the templates here with those at WhatsApp. */
const templateSyncSchema = z.object({
  /** True while a comparison runs or is about to. */
  running: z.boolean(),
  /** Start of the last one that was completed; null where there is none. */
  syncedAt: timeSchema.nullable(),
  /** Reason why the last one was cut short. */
  problem: z.string().max(500).optional(),
  /** The last comparison of each account; older ones than 90 days are not kept. */
  latest: z.array(templateSyncRunSchema).max(maxAccounts),
})
export type TemplateSync = z.infer<typeof templateSyncSchema>

const templateUseSchema = z.object({
  id: idSchema,
  name: z.string().max(120),
  status: z.enum(['scheduled', 'active', 'paused']),
  scheduledFor: timeSchema.optional(),
})
/** A campaign that is to send a template. */
export type TemplateUse = z.infer<typeof templateUseSchema>

/** Warnings that the person who sends it has seen; others stop it. */
const accepted = z.array(z.enum(warningRules)).max(warningRules.length).optional()

export const templateQuerySchema = z.object({
  ...pageQueryFields,
  status: listOf(z.enum(templateStatuses)),
  category: listOf(z.enum(templateCategories)),
  language: listOf(languageSchema),
  /** Keeps templates of one business account at WhatsApp. */
  accountId: z.string().max(40).optional(),
})
export type TemplateQuery = z.input<typeof templateQuerySchema>

export const templatesApi = {
  list: defineEndpoint({
    operation: 'templates.list',
    method: 'GET',
    path: '/api/templates',
    access: 'session',
    permission: 'templates:read',
    v1: true,
    tool: 'Find templates and see which are approved.',
    summary: 'Message templates, most recently changed first.',
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
    summary: 'How many templates there are in each status, and in which languages.',
    status: 200,
    response: z.object({
      total: countSchema,
      approved: countSchema,
      pending: countSchema,
      rejected: countSchema,
      languages: z.array(languageSchema).max(500).optional(),
    }),
    errors: [],
  }),
  read: defineEndpoint({
    operation: 'templates.read',
    method: 'GET',
    path: '/api/templates/:id',
    access: 'session',
    permission: 'templates:read',
    v1: true,
    tool: 'Read a template: its text and the values that it needs.',
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
    summary: 'Past synchronizations with WhatsApp and their results, latest first.',
    query: z.object({
      limit: pageQueryFields.limit,
      cursor: pageQueryFields.cursor,
      /** Keeps templates of one business account at WhatsApp. */
      accountId: z.string().max(40).optional(),
    }),
    status: 200,
    response: pageOf(templateSyncRunSchema).extend(templateSyncSchema.shape),
    errors: [],
  }),
  sync: defineEndpoint({
    operation: 'templates.sync',
    method: 'POST',
    path: '/api/templates/sync',
    access: 'session',
    permission: 'templates:write',
    summary: 'Starts a synchronization of templates with WhatsApp; the event `templates.synced` follows when it ends.',
    status: 202,
    response: templateSyncSchema,
    errors: ['wrong_state'],
  }),
  tracking: defineEndpoint({
    operation: 'templates.tracking',
    method: 'GET',
    path: '/api/templates/tracking',
    access: 'session',
    permission: 'templates:read',
    summary: 'The short link that customers see in place of a tracked button’s URL.',
    status: 200,
    response: z.object({
      /** Up to the token at its end: `https://links.example.com/l/`. Null where visits cannot be counted. */
      address: z.url().max(templateLimits.trackedUrl).nullable(),
    }),
    errors: [],
  }),
  create: defineEndpoint({
    operation: 'templates.create',
    method: 'POST',
    path: '/api/templates',
    access: 'session',
    permission: 'templates:write',
    summary:
      'Creates a template and submits it for review. With `review: false` it is saved as a draft in Parley only.',
    body: templateFieldsSchema
      .extend({
        /** Business account that it is for, where there are several; absent: that of the default number. */
        accountId: z.string().max(40).optional(),
        accepted,
        review: z.boolean().optional(),
      })
      .superRefine((content, context) => {
        if (content.review !== false) addProblems(content, context)
      }),
    status: 201,
    response: templateSchema,
    errors: ['template_exists', 'template_limit', 'warnings_open', 'wrong_state'],
  }),
  update: defineEndpoint({
    operation: 'templates.update',
    method: 'PATCH',
    path: '/api/templates/:id',
    access: 'session',
    permission: 'templates:write',
    summary:
      'Replaces the content of an approved, rejected or paused template, which is then pending again. A draft is submitted for review.',
    params: byId,
    body: templateContentSchema.safeExtend({ version: z.number().int().positive(), accepted }),
    status: 200,
    response: templateSchema,
    errors: [
      ...(['not_found', 'stale_version', 'wrong_state', 'edit_limit', 'template_in_use', 'warnings_open'] as const),
      ...(['template_exists', 'template_limit'] as const),
    ],
  }),
  remove: defineEndpoint({
    operation: 'templates.remove',
    method: 'DELETE',
    path: '/api/templates/:id',
    access: 'session',
    permission: 'templates:write',
    summary:
      'Deletes a template that no campaign will send: it is hidden at once, can be restored for 30 days, and is then deleted at WhatsApp. With `atWhatsApp=true` it is deleted there immediately, even if already hidden. A draft that was never submitted is deleted permanently.',
    params: byId,
    query: z.object({ atWhatsApp: z.enum(['true', 'false']).optional() }),
    status: 204,
    errors: ['not_found', 'template_in_use', 'wrong_state', 'upstream_failed'],
  }),
  uses: defineEndpoint({
    operation: 'templates.uses',
    method: 'GET',
    path: '/api/templates/:id/uses',
    access: 'session',
    permission: 'templates:read',
    summary: 'Scheduled, active and paused campaigns that will send a template, latest first.',
    params: byId,
    status: 200,
    response: z.object({ campaigns: z.array(templateUseSchema).max(maxUses) }),
    errors: ['not_found'],
  }),
  restore: defineEndpoint({
    operation: 'templates.restore',
    method: 'POST',
    path: '/api/templates/:id/restore',
    access: 'session',
    permission: 'templates:write',
    summary: 'Restores a deleted template that still exists at WhatsApp.',
    params: byId,
    status: 200,
    response: templateSchema,
    errors: ['not_found', 'template_exists'],
  }),
}
