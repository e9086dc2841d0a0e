import { z } from 'zod'
import { countSchema, timeSchema } from './records.ts'

/** What keeps messages of a day from leaving sooner. */
export const deliveryLimits = ['number', 'hours', 'portfolio'] as const

/** A forecast: when the messages of a campaign leave, and how many on each day of the workspace's zone. */
export const deliveryPlanSchema = z.object({
  /** When the last one leaves; null where that takes longer than the plan looks ahead. */
  finishAt: timeSchema.nullable(),
  days: z.array(z.object({ date: z.iso.date(), count: countSchema, limitedBy: z.enum(deliveryLimits) })).max(31),
  /** How many do not leave within 30 days. */
  beyond: countSchema,
})
export type DeliveryPlan = z.infer<typeof deliveryPlanSchema>
