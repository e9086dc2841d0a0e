import { exportFormats } from '@parley/contracts/contacts/contact-jobs'
import { rowMetrics } from '@parley/contracts/platform/figure-rows'
import { z } from 'zod'

export const rowsExportKind = 'analytics.rows_export'

/** Input of the job that writes the rows of a figure. */
export const rowsInputSchema = z.object({
  metric: z.enum(rowMetrics),
  from: z.string(),
  to: z.string(),
  scope: z.string(),
  format: z.enum(exportFormats),
})

/** `rows-messagesSent-2026-11-01-to-2026-11-28.csv` */
export const rowsFileName = ({ metric, from, to, format }: z.infer<typeof rowsInputSchema>): string =>
  `rows-${metric}-${from}-to-${to}.${format}`
