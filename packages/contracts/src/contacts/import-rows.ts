import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, idSchema, leftOutField, pageQueryFields } from '../core/records.ts'

/** Outcomes of a row. */
const importOutcomes = ['created', 'updated', 'skipped', 'invalid'] as const

/** Outcomes of an undo: contacts that were changed since then are kept. */
const undoOutcomes = ['removed', 'restored', 'kept'] as const

const importRowSchema = z.object({
  /** Line of the file, or row of the sheet; the header is 1. */
  line: z.number().int().positive(),
  outcome: z.enum(importOutcomes),
  name: z.string().max(120),
  /** Empty where the row has none. */
  phone: z.string().max(20),
  waUserId: z.string().max(140).optional(),
  /** The cell that is wrong, as it is in the file. */
  value: z.string().max(80).optional(),
  reason: z.string().max(300).optional(),
  /** Id of the contact, once the row is stored. */
  contactId: idSchema.optional(),
  /** Changes to a contact that existed. */
  changes: z
    .array(z.object({ field: z.string().max(80), before: z.string().max(300), after: z.string().max(300) }))
    .max(300)
    .optional(),
  undone: z.enum(undoOutcomes).optional(),
})
export type ImportRow = z.infer<typeof importRowSchema>

const which = {
  outcome: z.enum(importOutcomes).optional(),
  undone: z.enum(undoOutcomes).optional(),
}

export const importRowsApi = {
  list: defineEndpoint({
    access: 'session',
    permission: 'contacts:import',
    operation: 'imports.rows',
    method: 'GET',
    path: '/api/imports/:id/rows',
    summary: 'Results of the rows, or of their dry run, in the order of the file.',
    params: byId,
    query: z.object({
      ...which,
      limit: pageQueryFields.limit,
      /** `nextCursor` of a page. */
      cursor: z
        .string()
        .regex(/^\d{1,7}\.\d{1,4}$/)
        .optional(),
    }),
    status: 200,
    response: z.object({
      ...leftOutField,
      items: z.array(importRowSchema).max(100),
      nextCursor: z.string().nullable(),
    }),
    errors: ['not_found'],
  }),
  download: defineEndpoint({
    access: 'session',
    permission: 'contacts:import',
    operation: 'imports.download',
    method: 'GET',
    path: '/api/imports/:id/rows.csv',
    audit: 'read',
    summary: 'The rows as a CSV file.',
    params: byId,
    query: z.object(which),
    responseType: 'stream',
    status: 200,
    errors: ['not_found'],
  }),
}
