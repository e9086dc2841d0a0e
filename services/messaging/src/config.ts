import { cellConfigShape } from '@parley/service-kit/core/cells'
import { httpUrlSchema, originSchema, s3UrlSchema } from '@parley/service-kit/core/config'
import { signingConfigShape, trustConfigShape } from '@parley/service-kit/core/internal-token-settings'
import { maxEventDays } from '@parley/service-kit/data/event-retention'
import { z } from 'zod'
import { sharedConfigShape } from './ingest-config.ts'
import { rawDays } from './modules/channel/ingest/raw-events.model.ts'

/** Found here as the schemas of the other processes, by what documents and starts them. */
export { ingestConfigSchema } from './ingest-config.ts'

/** Settings of a process that asks profile for members. */
const profileConfigShape = {
  ...signingConfigShape,
  PROFILE_URL: httpUrlSchema.describe('Base URL of the profile service.'),
}

const files = {
  MEDIA_S3_URL: s3UrlSchema
    .optional()
    .describe(
      'Bucket in which new files lie, of any store that speaks S3: https://key:secret@host/bucket?region=eu-central-1. They lie in the database without.',
    ),
}

/** Settings of the server. */
export const configSchema = z.object({
  ...sharedConfigShape,
  ...files,
  ...trustConfigShape,
  ...profileConfigShape,
  SAMPLE_DATA: z.enum(['on', 'off']).default('off').describe('Whether a new workspace begins with the sample data.'),
  SIMULATOR_URL: originSchema
    .optional()
    .describe('Origin at which this service reaches the simulator; simulated numbers are not offered without.'),
  SIMULATOR_PUBLIC_URL: originSchema
    .optional()
    .describe('Origin at which browsers open the page of phones, where that is another.'),
})

/** Settings of the worker; HOST and PORT are those of its health, readiness and metrics. */
export const workerConfigSchema = z.object({
  ...sharedConfigShape,
  ...files,
  ...profileConfigShape,
  AUTOMATION_URL: httpUrlSchema.describe(
    'Base URL of the automation service, for exports of whole workspaces and for fields that flows use.',
  ),
  ...cellConfigShape,
  CAMPAIGN_ROWS_MONTHS: z.coerce
    .number()
    .int()
    .min(1)
    .max(1200)
    .default(13)
    .describe(
      'For how many months after its end a campaign keeps the list of its recipients, with the visits of links; its numbers stay.',
    ),
  EVENT_LOG_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(maxEventDays)
    .default(3)
    .describe(
      `For how many days events stay once all of Parley has read them. Those of a workspace with webhooks, bots or workflows, or whose feed is read, stay ${maxEventDays} days.`,
    ),
  RAW_WEBHOOK_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(rawDays)
    .default(rawDays)
    .describe('For how many days what WhatsApp has sent is kept as it came, after it was applied.'),
})

/** Settings of the process that sends outbound webhooks; HOST and PORT are those of its health, readiness and metrics. */
export const webhooksConfigSchema = z.object(sharedConfigShape)

type WorkerConfig = z.infer<typeof workerConfigSchema>
/** Configuration of every process of this service; the bucket is for those that read and write files. */
export type MessagingConfig = Omit<
  WorkerConfig,
  | 'MEDIA_S3_URL'
  | 'CAMPAIGN_ROWS_MONTHS'
  | 'EVENT_LOG_DAYS'
  | 'RAW_WEBHOOK_DAYS'
  | 'AUTOMATION_URL'
  | 'CELL'
  | keyof typeof profileConfigShape
> &
  Partial<Pick<WorkerConfig, 'MEDIA_S3_URL'>>
