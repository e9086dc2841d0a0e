import { z } from 'zod'
import { timeSchema } from '../core/records.ts'

/**
 * Time since which a campaign has no list of recipients, and how many months after its end the list was kept. Its figures stay.
 */
export const removedRecipientsSchema = z.object({ at: timeSchema, months: z.number().int().positive() })
export type RemovedRecipients = z.infer<typeof removedRecipientsSchema>
