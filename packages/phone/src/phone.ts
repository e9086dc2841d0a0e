import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import { otherForms } from './line.ts'
import { isBareDigits, plainNumber } from './written-number.ts'

export type { CountryCode }

/** A valid phone number, split as the profile form shows it. */
export interface Phone {
  /** `+` and up to 15 digits (ITU-T E.164): what is stored. */
  readonly e164: string
  /** `+` and the calling code: `+91`. */
  readonly callingCode: string
  /** The rest of {@link Phone.e164}. */
  readonly nationalNumber: string
  /** ISO 3166-1 alpha-2; absent where several countries share the code and the number does not tell them apart. */
  readonly country: CountryCode | undefined
  /** Number as people read it: `+91 98765 43210`. */
  readonly international: string
}

/** Maximum length of a text that is read as a number. */
const maxWrittenLength = 200

/**
 * Reads a phone number as people and programs write it: spaces, dashes, brackets and a national trunk `0` are fine, and so is
 * what {@link plainNumber} reads around.
 * @param input the number; with a leading `+` or `00` it carries its own country, else `country` is taken.
 * @param country the country, or the calling code (`+44`) where only that is known.
 * @returns the number, or `undefined` where it is not one that can exist.
 */
export function parsePhone(input: string, country?: CountryCode | `+${string}`): Phone | undefined {
  return input.length > maxWrittenLength ? undefined : parsePlain(plainNumber(input), country)
}

/** Writes a stored number for people, grouped as in its country, also one that cannot exist; what is no number stays as it is. */
export const writtenPhone = (phone: string): string =>
  parsePhoneNumberFromString(phone, { extract: false })?.formatInternational() ?? phone

function parsePlain(plain: string, country?: CountryCode | `+${string}`): Phone | undefined {
  const where = country?.startsWith('+')
    ? { defaultCallingCode: country.slice(1) }
    : country && { defaultCountry: country as CountryCode }
  const parsed = parsePhoneNumberFromString(plain, { ...where, extract: false })
  if (!parsed?.isValid() || parsed.ext) return undefined
  return {
    e164: parsed.number,
    callingCode: `+${parsed.countryCallingCode}`,
    nationalNumber: parsed.nationalNumber,
    country: parsed.country,
    // Formatting costs as much as reading the number, and an import of a million rows needs none.
    get international() {
      return parsed.formatInternational()
    },
  }
}

/** Reading of digits without a plus: as a number of one's own country, or with the country in front. */
export type DigitsReading = 'national' | 'international'

/** Possible meanings of digits without a plus. */
export interface PhoneReadings {
  readonly national?: Phone
  readonly international?: Phone
}

/**
 * The number that a text may be, in each way of reading it.
 * @returns both where both are different numbers that can exist; one where only one can, or where the text itself says which.
 */
export function phoneReadings(input: string, country?: CountryCode | `+${string}`): PhoneReadings {
  if (input.length > maxWrittenLength) return {}
  const plain = plainNumber(input)
  if (!isBareDigits(plain)) {
    const phone = parsePlain(plain, country)
    return phone ? (plain.startsWith('+') ? { international: phone } : { national: phone }) : {}
  }
  const national = parsePlain(plain, country)
  const international = parsePlain(`+${plain}`)
  // A number of the own country that is written with its code.
  if (international && national?.e164 === international.e164) return { international }
  return { ...(national && { national }), ...(international && { international }) }
}

/**
 * The country of a stored number, or of one as WhatsApp names it, which may be in a form that is not dialled any more.
 * @param e164 `+` and digits.
 * @returns ISO 3166-1 alpha-2; `undefined` where the number does not tell it, or is none.
 */
export function countryOf(e164: string): CountryCode | undefined {
  for (const form of [e164, ...otherForms(e164)]) {
    const phone = parsePhone(form)
    if (phone) return phone.country
  }
  return undefined
}

/** Every country with its calling code (`+91`), in no particular order. */
export const callingCodes = (): { country: CountryCode; callingCode: string }[] =>
  getCountries().map((country) => ({ country, callingCode: `+${getCountryCallingCode(country)}` }))
