import { z } from 'zod'
import { recordKey } from '../core/records.ts'

/** Name of a field of contacts, as the workspace defines it (`city`, `Order date`). */
export const attributeNameSchema = recordKey
  .trim()
  .refine((name) => name !== '', 'Enter the attribute’s name')
  .refine((name) => !/[{}|]/.test(name), 'Use no braces and no vertical bar')

/** JSON Pointer (RFC 6901): `/order/items/0/name`. */
export const pointerSchema = z
  .string()
  .max(200)
  .regex(/^(\/([^~/]|~[01])*)+$/, 'Begin with /, as in /order/status')

/** Fields of a JSON body that are kept. */
export const mappingsSchema = (max: number) =>
  z
    .array(
      z.object({
        pointer: pointerSchema,
        attribute: attributeNameSchema,
        /** `session`: forgotten when the session ends. Absent: `contact`. */
        save: z.enum(['contact', 'session']).optional(),
      }),
    )
    .max(max, `At most ${max} fields`)
