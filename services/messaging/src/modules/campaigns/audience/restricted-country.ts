import { countryOf } from '@parley/phone'

/** Area codes of numbers that begin with +1, which the United States share with Canada and others. */
const areas = Array.from({ length: 800 }, (_, index) => String(index + 200))
const isOfUs = (area: string): boolean => countryOf(`+1${area}2345678`) === 'US'

/**
 * Phone numbers with an area code of the United States, to which WhatsApp delivers no marketing: those of the phone library, as an
 * expression, which the database can answer too.
 */
export const usPhone = new RegExp(`^\\+1(?:${areas.filter(isOfUs).join('|')})\\d{7}$`)
/** A user id begins with the country of the account. */
export const usUserId = /^US\./

/** Returns whether WhatsApp delivers no marketing to an address. @param to phone number, or user id. */
export const isRestricted = (to: string): boolean => usPhone.test(to) || usUserId.test(to)
