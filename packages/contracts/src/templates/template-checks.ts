import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, idSchema } from '../core/records.ts'
import { currencySchema, microsSchema } from '../usage/money.ts'
import { countrySchema } from '../usage/rate-cards.ts'
import { breakKinds } from './template-breaks.ts'
import { cardLimits, cardMediaSchema } from './template-cards.ts'
import { errorRules, warningRules } from './template-findings.ts'
import { headerMediaSchema } from './template-headers.ts'
import { judgedContentSchema, templateCategories, templateSchema } from './templates.ts'

/** Campaigns that are named as senders of a template. */
export const maxUses = 100

const found = { path: z.array(z.union([z.string(), z.number()])).max(5), message: z.string().max(500) }
const templateFindingSchema = z.discriminatedUnion('level', [
  z.object({ level: z.literal('error'), rule: z.enum(errorRules), ...found }),
  z.object({ level: z.literal('warning'), rule: z.enum(warningRules), ...found }),
])

/** Price of a message in the chosen category, and in the predicted one. */
const priceChangeSchema = z.object({
  currency: currencySchema,
  /** Country of the account's first number, where most of its customers are, too; `other` where that has no price of its own. */
  country: countrySchema,
  nowMicros: microsSchema,
  thenMicros: microsSchema,
})
export type PriceChange = z.infer<typeof priceChangeSchema>

const templateUsageSchema = z.object({
  id: idSchema,
  name: z.string().max(120),
  status: z.enum(['draft', 'scheduled', 'active', 'paused']),
  breaks: z.array(z.object({ kind: z.enum(breakKinds), key: z.string().max(64).optional() })).max(500),
})
/** A campaign that is to send a template, and what a change would take from it. */
export type TemplateUsage = z.infer<typeof templateUsageSchema>

/** Checks of a template before it is sent for review, or by a campaign. */
export const templateCheckApi = {
  lint: defineEndpoint({
    operation: 'templates.lint',
    method: 'POST',
    path: '/api/templates/lint',
    access: 'session',
    permission: 'templates:write',
    audit: 'none',
    summary: 'Errors and warnings for a template as written, from Parley’s rules and those of its WhatsApp account.',
    body: z.object({
      content: judgedContentSchema,
      /** The template that it changes. */
      templateId: idSchema.optional(),
      accountId: z.string().max(40).optional(),
    }),
    status: 200,
    response: z.object({
      findings: z.array(templateFindingSchema).max(500),
      /** Set where WhatsApp is likely to assign another category than the chosen one. */
      predictedCategory: z.enum(templateCategories).optional(),
      /** Effect of that on the price; null where the workspace's prices do not have both. */
      priceChange: priceChangeSchema.nullable().optional(),
    }),
    errors: ['not_found', 'wrong_state'],
  }),
  usage: defineEndpoint({
    operation: 'templates.usage',
    method: 'POST',
    path: '/api/templates/:id/usage',
    access: 'session',
    permission: 'templates:read',
    audit: 'none',
    summary:
      'Campaigns that will send a template, drafts included, and what this change or a deletion would break in each.',
    params: byId,
    body: z.object({ content: judgedContentSchema.optional(), deleted: z.literal(true).optional() }),
    status: 200,
    response: z.object({ uses: z.array(templateUsageSchema).max(2 * maxUses) }),
    errors: ['not_found'],
  }),
  header: defineEndpoint({
    operation: 'templates.header',
    method: 'PATCH',
    path: '/api/templates/:id/header',
    access: 'session',
    permission: 'templates:write',
    summary:
      'Sets the file, location or product that is sent above a template’s text, or the file of each of its cards. WhatsApp does not review it again.',
    params: byId,
    body: z
      .object({
        version: z.number().int().positive(),
        headerMedia: headerMediaSchema.optional(),
        /** In place of `headerMedia`: the file of each card of a carousel, in their order. */
        cards: z.array(cardMediaSchema).min(1).max(cardLimits.max).optional(),
      })
      .refine(({ headerMedia, cards }) => (headerMedia === undefined) !== (cards === undefined), {
        error: 'Send either headerMedia or cards',
        path: ['headerMedia'],
      }),
    status: 200,
    response: templateSchema,
    errors: ['not_found', 'stale_version', 'wrong_state', 'template_in_use'],
  }),
}
