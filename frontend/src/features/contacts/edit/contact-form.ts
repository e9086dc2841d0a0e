import { type Contact, newContactSchema } from '@parley/contracts/contacts'
import type { CountryCode } from '@parley/phone'
import { z } from 'zod'
import { countryName, joinMobile, splitMobile } from '../../../lib/mobile.ts'

const { name, tags } = newContactSchema.shape

/** The form's own shape. A contact that is known by a WhatsApp user id may do without a number. */
export const contactFormSchema = (phoneIsOptional: boolean) =>
  z
    .object({
      name,
      country: z.custom<CountryCode>((value) => typeof value === 'string'),
      number: z.string().max(32),
      tags: tags.unwrap(),
      city: z.string().trim().max(1000, 'A city has at most 1,000 characters'),
    })
    .superRefine(({ country, number }, { addIssue }) => {
      const report = (message: string) => addIssue({ code: 'custom', path: ['number'], message })
      if (number.trim() === '') {
        if (!phoneIsOptional) report('Enter a phone number.')
      } else if (!joinMobile({ country, number }))
        report(
          `This is not a valid phone number for ${countryName(country)}. Check its digits, or choose another country code.`,
        )
    })
export type ContactFormValues = z.infer<ReturnType<typeof contactFormSchema>>

export const valuesOf = (contact: Contact | undefined): ContactFormValues => ({
  name: contact?.name ?? '',
  ...splitMobile(contact?.phone ?? ''),
  tags: contact?.tags ?? [],
  city: contact?.attributes['city'] ?? '',
})

/** What is sent; attributes that the form does not show are kept. */
export function fieldsOf({ name, country, number, tags, city }: ContactFormValues, contact: Contact | undefined) {
  const { city: _before, ...others } = contact?.attributes ?? {}
  const phone = joinMobile({ country, number })
  return { name, ...(phone && { phone }), tags, attributes: { ...others, ...(city !== '' && { city }) } }
}
