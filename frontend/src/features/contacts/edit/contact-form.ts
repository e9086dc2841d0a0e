import { type Attribute, attributeValue } from '@parley/contracts/contacts/contact-attributes'
import { type Contact, newContactSchema } from '@parley/contracts/contacts/contacts'
import type { CountryCode } from '@parley/phone'
import { z } from 'zod'
import { countryName, joinMobile, splitMobile } from '../../../lib/mobile.ts'

export const exampleUserId = 'IN.13491208655302741918'

const { name, tags, waUserId } = newContactSchema.shape

const baseSchema = z.object({
  name,
  country: z.custom<CountryCode>((value) => typeof value === 'string'),
  number: z.string().max(32),
  /** User id of a contact that has none yet. */
  userId: z.string().trim().max(140),
  tags: tags.unwrap(),
  city: z.string().trim().max(1000, 'A city has at most 1,000 characters'),
})

/** A field that the workspace has defined is one of its own here, so that two people can change two of them. */
type AttributeKey = `field_${string}`
export type ContactFormValues = z.infer<typeof baseSchema> & Record<AttributeKey, string>
export const keyOf = ({ id }: Pick<Attribute, 'id'>): AttributeKey => `field_${id}`

/** The form's own shape. A contact that is known by a WhatsApp user id may do without a number. */
export function contactFormSchema(contact: Contact | undefined, attributes: readonly Attribute[]) {
  const fields: Record<AttributeKey, z.ZodString> = Object.fromEntries(
    attributes.map((attribute) => [keyOf(attribute), z.string().max(1000)]),
  )
  const before = valuesOf(contact, attributes)
  return baseSchema.extend(fields).superRefine((values, { addIssue }) => {
    const report = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
    const { country, number, userId } = values
    const problem = userId === '' ? undefined : waUserId.safeParse(userId).error?.issues[0]?.message
    if (problem !== undefined) report('userId', `${problem}. It looks like ${exampleUserId}.`)
    if (number.trim() === '') {
      if (contact?.waUserId === undefined && userId === '') report('number', 'Enter a phone number.')
    } else if (!joinMobile({ country, number }))
      report(
        'number',
        `This is not a valid phone number for ${countryName(country)}. Check its digits, or choose another country code.`,
      )
    const entered: Readonly<Record<string, unknown>> = values
    for (const attribute of attributes) {
      const key = keyOf(attribute)
      const text = String(entered[key])
      // A value stored before its field had a type stays as it is.
      const read = text === before[key] ? { value: text } : attributeValue(attribute, text)
      if ('problem' in read) report(key, read.problem)
    }
  })
}

export const valuesOf = (contact: Contact | undefined, attributes: readonly Attribute[]): ContactFormValues => ({
  name: contact?.name ?? '',
  ...splitMobile(contact?.phone ?? ''),
  userId: '',
  tags: contact?.tags ?? [],
  city: contact?.attributes['city'] ?? '',
  ...Object.fromEntries(attributes.map((attribute) => [keyOf(attribute), contact?.attributes[attribute.name] ?? ''])),
})

/** Returns the fields to send; attributes not shown in the form are kept. */
export function fieldsOf(
  { name, country, number, userId, tags, city, ...entered }: ContactFormValues,
  contact: Contact | undefined,
  defined: readonly Attribute[],
) {
  const phone = joinMobile({ country, number })
  const attributes: Record<string, string> = { ...contact?.attributes, city }
  for (const attribute of defined) attributes[attribute.name] = entered[keyOf(attribute)]?.trim() ?? ''
  const known = Object.entries(attributes).filter(([, value]) => value !== '')
  const identity = { ...(phone && { phone }), ...(userId && { waUserId: userId }) }
  return { name, ...identity, tags, attributes: Object.fromEntries(known) }
}
