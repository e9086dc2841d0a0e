import { exportFormats } from '@parley/contracts/contacts/contact-jobs'
import { contactSelectionSchema } from '@parley/contracts/contacts/contacts'
import { z } from 'zod'

export const exportKind = 'contacts.export'

/** Input of an export's job. */
export const exportInputSchema = z.object({
  selection: contactSelectionSchema,
  format: z.enum(exportFormats),
  timeZone: z.string(),
})

/** Result of an export. */
export const exportResultSchema = z.object({ fileId: z.string(), sizeBytes: z.number() })

/** `contacts-2026-11-21.csv`, the day being that of the person. */
export const exportFileName = (at: Date, { timeZone, format }: z.infer<typeof exportInputSchema>): string =>
  `contacts-${new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at)}.${format}`
