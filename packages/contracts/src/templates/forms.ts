import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { timeSchema } from '../core/records.ts'

/** States of a form at WhatsApp, which calls it a flow; `deleted`: it was there before. */
export const formStates = ['published', 'draft', 'blocked', 'deprecated', 'deleted'] as const

/** A form of an account. Source: WhatsApp Business Platform, Flows API. */
export const formSummarySchema = z.object({
  /** Id at WhatsApp. */
  id: z.string().max(64),
  name: z.string().max(200),
  state: z.enum(formStates),
  /** True where it asks a server of its own while it is filled in. */
  hasEndpoint: z.boolean(),
  businessAccountId: z.string().max(64),
})
export type FormSummary = z.infer<typeof formSummarySchema>

/** Maximum forms of an account that are kept. */
export const maxForms = 500

export const formsApi = {
  list: defineEndpoint({
    operation: 'forms.list',
    method: 'GET',
    path: '/api/forms',
    access: 'session',
    permission: 'templates:read',
    summary:
      'Forms (flows at WhatsApp) of the accounts of connected numbers, by name. They are read together with the templates.',
    query: z.object({}),
    status: 200,
    response: z.object({
      items: z.array(formSummarySchema).max(1000),
      /** True while they are being read. */
      running: z.boolean(),
      /** Time of the oldest last reading; `null` until all accounts were read. */
      readAt: timeSchema.nullable(),
      /** Reason of WhatsApp why an account's forms could not be read. */
      problem: z.string().max(500).optional(),
    }),
    errors: [],
  }),
}
