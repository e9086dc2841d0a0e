import { numbersApi } from '@parley/contracts/channel/number-endpoints'
import { type NewNumber, newNumberSchema } from '@parley/contracts/channel/numbers'
import type { CountryCode } from '@parley/phone'
import { z } from 'zod'
import { countryName, joinMobile } from '../../lib/mobile.ts'

const { phoneNumber: _joined, ...fields } = newNumberSchema.shape

/** The contract's fields, with the phone number in its two controls. */
export const newNumberFormSchema = z
  .object({
    ...fields,
    country: z.custom<CountryCode>((value) => typeof value === 'string'),
    number: z.string().trim().min(1, 'Enter the phone number').max(32, 'At most 32 characters'),
  })
  .superRefine(({ country, number }, { addIssue }) => {
    if (number === '' || joinMobile({ country, number })) return
    const message = `This is not a valid phone number for ${countryName(country)}. Check its digits, or choose another country code.`
    addIssue({ code: 'custom', path: ['number'], message })
  })
export type NewNumberForm = z.infer<typeof newNumberFormSchema>

/** Returns the data to send for a form that {@link newNumberFormSchema} has accepted: code and number joined. */
export const newNumberOf = ({ country, number, ...rest }: NewNumberForm): NewNumber => ({
  ...rest,
  phoneNumber: joinMobile({ country, number }) ?? number,
})

const { displayName, accessToken } = numbersApi.update.body.shape

/** An empty access token keeps the one that is stored. */
export const numberSettingsSchema = z.object({
  displayName: displayName.unwrap(),
  accessToken: z.union([z.literal(''), accessToken.unwrap()], {
    error: 'Enter the full access token, or leave it empty to keep the current one',
  }),
  isDefault: z.boolean(),
})
export type NumberSettings = z.infer<typeof numberSettingsSchema>
