import { type CountryCode, callingCodes, parsePhone } from '@parley/phone'
import { plainNumber } from '@parley/phone/written-number'

/** A mobile number as the form holds it: the select's country and what is in the text box. */
export interface Mobile {
  readonly country: CountryCode
  readonly number: string
}

/** A choice of the country code select. */
export interface CountryOption {
  readonly value: CountryCode
  /** `India`, in the reader's language. */
  readonly name: string
  /** `+91` */
  readonly callingCode: string
}

/** Preselected in an empty form: +91. */
const defaultCountry: CountryCode = 'IN'

/** The country to show for a shared code when the number itself does not tell which of them it is. */
const principal: Readonly<Record<string, CountryCode>> = {
  '+1': 'US',
  '+7': 'RU',
  '+39': 'IT',
  '+44': 'GB',
  '+47': 'NO',
  '+61': 'AU',
  '+212': 'MA',
  '+358': 'FI',
}

/** Gives regions their names in the reader's language; a code without a name stays as it is. */
function regionNames(locale: string | undefined): (code: string) => string {
  const names = displayNames.get(locale) ?? new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' })
  displayNames.set(locale, names)
  return (code) => names.of(code) ?? code
}

/** Kept by locale: a list of countries asks for hundreds of names. */
const displayNames = new Map<string | undefined, Intl.DisplayNames>()

/** Returns every country with its name and code, sorted by name. */
export function countryOptions(locale?: string): CountryOption[] {
  const nameOf = regionNames(locale)
  return callingCodes()
    .map(({ country, callingCode }) => ({ value: country, name: nameOf(country), callingCode }))
    .sort((a, b) => a.name.localeCompare(b.name, locale))
}

/** `India (+91)`, in the reader's language. */
export function countryName(country: CountryCode, locale?: string): string {
  const code = callingCodes().find((entry) => entry.country === country)?.callingCode
  return code === undefined ? country : `${nameOfCountry(country, locale)} (${code})`
}

/** `India`, in the reader's language. @param country ISO 3166-1 alpha-2, or `other`: each that is not named. */
export const nameOfCountry = (country: string, locale?: string): string =>
  country === 'other' ? 'Every other country' : regionNames(locale)(country)

/** True where a typed search matches a country by name, ISO code or calling code (with or without the plus). */
export function matchesCountry(search: string, { value, name, callingCode }: CountryOption): boolean {
  const wanted = search.trim().toLowerCase()
  if (/^\+?\d+$/.test(wanted)) return callingCode.startsWith(wanted.startsWith('+') ? wanted : `+${wanted}`)
  return name.toLowerCase().includes(wanted) || value.toLowerCase() === wanted
}

/**
 * Splits a stored number into the select's country and the remainder. The country
 * stays the number's own where several share a code.
 */
export function splitMobile(stored: string): Mobile {
  const phone = parsePhone(stored)
  if (phone) return fromInternational(phone) ?? { country: defaultCountry, number: phone.e164 }
  const [, digits = '', remainder = ''] = /^\+(\d+)(.*)$/.exec(stored.trim()) ?? []
  for (let length = 3; length > 0; length -= 1) {
    const country = countryOf(`+${digits.slice(0, length)}`)
    if (country) return { country, number: `${digits.slice(length)}${remainder}`.trim() }
  }
  return { country: defaultCountry, number: stored.trim() }
}

/** Joins code and number to E.164, or `undefined` where no such number can exist. */
export const joinMobile = ({ country, number }: Mobile): string | undefined => parsePhone(number, country)?.e164

/**
 * Returns the values for the two controls once a whole international number was typed or pasted into the text box; `undefined`
 * where the text is not one.
 */
export function readInternational(text: string): Mobile | undefined {
  const international = plainNumber(text)
  const phone = international.startsWith('+') ? parsePhone(international) : undefined
  return phone && fromInternational(phone)
}

function fromInternational(phone: { country: CountryCode | undefined; callingCode: string; nationalNumber: string }) {
  const country = phone.country ?? countryOf(phone.callingCode)
  return country && { country, number: phone.nationalNumber }
}

const countryOf = (code: string): CountryCode | undefined =>
  principal[code] ?? callingCodes().find(({ callingCode }) => callingCode === code)?.country
