import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'

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
  /** For people: `+91 98765 43210`. */
  readonly international: string
}

/**
 * Reads a phone number as a person writes it: spaces, dashes, brackets and a national trunk `0` are fine.
 * @param input the number; with a leading `+` it carries its own country, else `country` is taken.
 * @returns the number, or `undefined` where it is not one that can exist.
 */
export function parsePhone(input: string, country?: CountryCode): Phone | undefined {
  const parsed = parsePhoneNumberFromString(input, { ...(country && { defaultCountry: country }), extract: false })
  if (!parsed?.isValid() || parsed.ext) return undefined
  return {
    e164: parsed.number,
    callingCode: `+${parsed.countryCallingCode}`,
    nationalNumber: parsed.nationalNumber,
    country: parsed.country,
    // Costs as much as reading the number, and an import of a million rows needs none.
    get international() {
      return parsed.formatInternational()
    },
  }
}

/** Every country with its calling code (`+91`), in no particular order. */
export const callingCodes = (): { country: CountryCode; callingCode: string }[] =>
  getCountries().map((country) => ({ country, callingCode: `+${getCountryCallingCode(country)}` }))
