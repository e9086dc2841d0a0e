import { type ProfileFields, profileFieldsSchema, type User } from '@parley/contracts/account/profile'
import { defaultTimeZone, timeZoneSchema } from '@parley/contracts/core/time-zones'
import type { CountryCode } from '@parley/phone'
import { z } from 'zod'
import { countryName, joinMobile, splitMobile } from '../../lib/mobile.ts'

const { mobile, ...fields } = profileFieldsSchema.shape

/** The form's own shape: the contract's fields, with the mobile number in its two controls. */
export const profileFormSchema = z
  .object({ ...fields, country: z.custom<CountryCode>((value) => typeof value === 'string'), number: mobile })
  .superRefine(({ country, number }, { addIssue }) => {
    if (number === '' || joinMobile({ country, number })) return
    const message = `This is not a valid mobile number for ${countryName(country)}. Check its digits, or choose another country code.`
    addIssue({ code: 'custom', path: ['number'], message })
  })

export type ProfileFormValues = z.infer<typeof profileFormSchema>

/** Returns the data to send for a form that {@link profileFormSchema} has accepted: code and number joined. */
export function fieldsOfValues({ country, number, ...rest }: ProfileFormValues): ProfileFields {
  return { ...rest, mobile: joinMobile({ country, number }) ?? number }
}

/** Order on screen: the first of these with a problem takes the focus. */
export const formFields = [
  'profileImageUrl',
  'firstName',
  'lastName',
  'country',
  'number',
  'address',
  'timezone',
] as const satisfies readonly (keyof ProfileFormValues)[]

/** The fields by the names that the form gives them. */
export const fieldLabels: Readonly<Record<keyof ProfileFormValues, string>> = {
  profileImageUrl: 'Photo',
  firstName: 'First Name',
  lastName: 'Last Name',
  country: 'Country code',
  number: 'Mobile Number',
  address: 'Address',
  timezone: 'Time zone',
}

/** The stored profile as the form shows it. */
export function valuesOfUser(user: ProfileFields): ProfileFormValues {
  const { firstName, lastName, address, profileImageUrl } = user
  const timezone = timeZoneSchema.safeParse(user.timezone).success ? user.timezone : defaultTimeZone
  return { firstName, lastName, address, timezone, profileImageUrl, ...splitMobile(user.mobile) }
}

/** Returns the setup form's initial values: stored ones, else the names and the photo of the sign-in. */
export function valuesForSetup(
  user: User | undefined,
  signIn: { displayName: string; photoURL: string },
): ProfileFormValues {
  const stored = valuesOfUser(user ?? nothing)
  const names = splitDisplayName(signIn.displayName)
  return {
    ...stored,
    firstName: stored.firstName || names.firstName,
    lastName: stored.lastName || names.lastName,
    profileImageUrl: stored.profileImageUrl || signIn.photoURL,
  }
}

const nothing: ProfileFields = {
  firstName: '',
  lastName: '',
  mobile: '',
  address: '',
  timezone: defaultTimeZone,
  profileImageUrl: '',
}

/** The form's field for a field of the server's error answer. */
export function formFieldOf(serverField: string): (typeof formFields)[number] | undefined {
  const name = serverField === 'mobile' ? 'number' : serverField
  return formFields.find((field) => field === name)
}

/** The fields that differ between two states of the form, as they are in the later one. */
export const changedFields = (before: ProfileFormValues, after: ProfileFormValues) =>
  formFields.filter((name) => after[name] !== before[name]).map((name) => ({ name, value: after[name] }))

/** The two name fields of the profile form. */
interface Names {
  readonly firstName: string
  readonly lastName: string
}

/** Maximum length of a name in the contract. */
const maxLength = 80

/**
 * Splits the display name of a sign-in for the setup form: the first word is
 * the first name, everything after it the last name. A name in mail order ("Rao, Asha") is turned round.
 */
export function splitDisplayName(displayName: string): Names {
  const [family, given, ...more] = displayName.split(',').map(words)
  if (family?.length && given?.length && more.length === 0) return names(given.join(' '), family.join(' '))
  const [first = '', ...rest] = words(displayName)
  return names(first, rest.join(' '))
}

const words = (text: string) => text.trim().split(/\s+/).filter(Boolean)

const names = (firstName: string, lastName: string): Names => ({
  firstName: clip(firstName),
  lastName: clip(lastName),
})

/** Cuts between characters, never inside one that takes two code units. */
const clip = (text: string) => {
  let clipped = ''
  for (const character of text) {
    if (clipped.length + character.length > maxLength) break
    clipped += character
  }
  return clipped.trim()
}
