import { callingCodes, countryOf } from './phone.ts'

/** Attribute that names a contact's time zone, in any case. */
const attribute = 'timezone'
const maxName = 64

interface Located {
  readonly attributes: readonly { readonly k: string; readonly v: string }[]
  /** E.164. */
  readonly phone?: string | undefined
  /** WhatsApp's business-scoped user id. */
  readonly waUserId?: string | undefined
}

/**
 * The time zones in one of which a contact lives, by IANA names: the one that their attribute names, else those of the country of
 * their phone number, or of their WhatsApp user id, which begins with it, else of every country with its calling code. None where
 * that is not known.
 */
export function zonesOf({ attributes, phone, waUserId }: Located): readonly string[] {
  const named = attributes.find(({ k }) => k.toLowerCase() === attribute)
  const attributeZone = named && zoneNamed(named.v.trim())
  if (attributeZone !== undefined) return [attributeZone]
  const country = (phone && countryOf(phone)) || waUserId?.match(/^([A-Z]{2})\./)?.[1]
  return country === undefined ? zonesOfCode(phone ?? '') : zonesIn(country)
}

/** Recently requested zones: there are hundreds of zone names, and no limit to other strings. */
const zonesByName = new Map<string, string | undefined>()
const maxNames = 2000

/** Returns the canonical name of a zone, which may have several; `undefined` for an unknown one. */
function zoneNamed(name: string): string | undefined {
  if (name.length > maxName) return undefined
  if (!zonesByName.has(name)) {
    if (zonesByName.size >= maxNames) zonesByName.clear()
    zonesByName.set(name, readZone(name))
  }
  return zonesByName.get(name)
}

function readZone(name: string): string | undefined {
  // Offsets are no zones: they say nothing of summer.
  if (!/^[a-z]/i.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

const zonesByCountry = new Map<string, readonly string[]>()

/** Calling codes, each with the countries that share it; none begins another one. */
const countriesByCode = Map.groupBy(callingCodes(), ({ callingCode }) => callingCode)

function zonesOfCode(phone: string): readonly string[] {
  for (const length of [2, 3, 4]) {
    const countries = countriesByCode.get(phone.slice(0, length))
    if (countries) return [...new Set(countries.flatMap(({ country }) => zonesIn(country)))]
  }
  return []
}

/** Countries of calling codes for which the runtime's locale data names no zone (CLDR has no regions for the first two). */
const zonesMissing: Readonly<Record<string, readonly string[]>> = {
  AC: ['Atlantic/St_Helena'],
  TA: ['Atlantic/St_Helena'],
  XK: ['Europe/Belgrade'],
}

function zonesIn(country: string): readonly string[] {
  const known = zonesByCountry.get(country)
  if (known) return known
  // The compiler's library does not have it yet.
  const locale: Intl.Locale & { readonly getTimeZones?: () => readonly string[] | undefined } = new Intl.Locale(
    `und-${country}`,
  )
  const named = locale.getTimeZones?.() ?? []
  const zones = named.length > 0 ? named : (zonesMissing[country] ?? [])
  zonesByCountry.set(country, zones)
  return zones
}
