import { z } from 'zod'
import { timeSchema } from '../core/records.ts'

/** Since when a campaign has no list of its recipients any more, and how many months after its end it was kept. Its figures stay. */
export const removedRecipientsSchema = z.object({ at: timeSchema, months: z.number().int().positive() })
export type RemovedRecipients = z.infer<typeof removedRecipientsSchema>
