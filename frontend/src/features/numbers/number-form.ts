import { newNumberSchema, numbersApi } from '@parley/contracts/numbers'
import { parsePhone } from '@parley/phone'
import { z } from 'zod'

/** A number as people write it, read with India's code where it has none (the product's default, `+91`). */
const typedPhoneSchema = z
  .string()
  .trim()
  .min(1, 'Enter the phone number')
  .transform((text, context) => {
    const phone = parsePhone(text, 'IN')
    if (phone) return phone.e164
    context.addIssue({
      code: 'custom',
      message: 'That is not a phone number. Check its digits and its country code, as in +91 98765 43210.',
    })
    return z.NEVER
  })

/** The contract's schema over what is typed. */
export const newNumberFormSchema = newNumberSchema.extend({ phoneNumber: typedPhoneSchema })
export type NewNumberForm = z.input<typeof newNumberFormSchema>
export type NewNumberValues = z.output<typeof newNumberFormSchema>

const { displayName, accessToken } = numbersApi.update.body.shape

/** An empty access token keeps the one that is stored. */
export const numberSettingsSchema = z.object({
  displayName: displayName.unwrap(),
  accessToken: z.union([z.literal(''), accessToken.unwrap()], {
    error: 'Enter the whole access token, or nothing to keep the present one',
  }),
  isDefault: z.boolean(),
})
export type NumberSettings = z.infer<typeof numberSettingsSchema>

/** `+91 98765 43210` for a number that can exist, else the text itself. */
export const internationalPhone = (text: string): string => parsePhone(text, 'IN')?.international ?? text
