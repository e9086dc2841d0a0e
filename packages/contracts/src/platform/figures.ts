import { z } from 'zod'
import { daySchema, timeSchema } from '../core/records.ts'

/** Days and zone of figures, and the moment as of which they are true. */
export const figuresFields = {
  asOf: timeSchema,
  /** Zone of the workspace, by whose days everything is summed. */
  timeZone: z.string().max(64),
  /** First and last day. */
  from: z.iso.date(),
  to: z.iso.date(),
  /** True where figures of the sample data are part of them. */
  sampleIncluded: z.boolean(),
}

/** Last day of figures, in the workspace's zone: today where it is absent, or still to come. */
export const lastDaySchema = daySchema.optional()

/** Subject of figures: the whole workspace, one number, or what one member has sent. */
export const figuresScopeSchema = z
  .string()
  .max(80)
  .regex(/^(workspace|(number|member):[\w-]{1,64})$/, 'Name workspace, number:<id> or member:<id>')
