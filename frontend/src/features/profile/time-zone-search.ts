import type { TimeZoneOption } from '@parley/contracts/core/time-zones'

/** True where a typed search matches a zone by label, IANA name or offset: `tokyo`, `new york`, `+5:30`, `utc-5`. */
export function matchesTimeZone(
  search: string,
  { value, label, offset }: TimeZoneOption & { readonly offset: string },
): boolean {
  const wanted = plain(search)
  const [, sign, hours = '', minutes = ''] = /^(?:utc|gmt)?([+-])(\d{1,2})(:\d{0,2})?$/.exec(wanted) ?? []
  if (sign) return plain(offset).startsWith(`utc${sign}${hours.padStart(2, '0')}${minutes}`)
  return [value, label, offset].some((text) => plain(text).includes(wanted))
}

/** Lower case, without accents, underscores and the typographic minus of the offsets. */
const plain = (text: string) =>
  text.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('_', ' ').replaceAll('−', '-')
