import type { NumberEvent } from '@parley/contracts/channel/numbers'
import { z } from 'zod'

export type Words = Pick<NumberEvent, 'severity' | 'title' | 'body'> & {
  /** Action to take; set where members are notified automatically. */
  readonly action?: string
}

const word = z
  .union([z.string().max(300), z.number().transform(String)])
  .optional()
  .catch(undefined)
const part = <T extends z.ZodRawShape>(shape: T) => z.looseObject(shape).optional().catch(undefined)
export const valueSchema = z.looseObject({
  ban_info: part({ waba_ban_state: word, waba_ban_date: word }),
  violation_info: part({ violation_type: word }),
  restriction_info: z
    .array(z.looseObject({ restriction_type: word, expiration: z.coerce.number().optional().catch(undefined) }))
    .optional()
    .catch(undefined),
  alert_info: part({ alert_severity: word, alert_type: word, alert_description: word }),
  requested_verified_name: word,
  rejection_reason: word,
  configuration_name: word,
  status: word,
  username: word,
  message_template_name: word,
  correct_category: word,
})
export type Value = z.infer<typeof valueSchema>

/** `RESTRICTED_BIZ_INITIATED_MESSAGING` is “Restricted biz initiated messaging”. */
export function spoken(constant: string): string {
  const words = constant.replaceAll('_', ' ').toLowerCase()
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
