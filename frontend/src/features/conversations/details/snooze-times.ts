import { momentOf, wallTimeOf } from '@parley/contracts/core/zoned-time'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Returns common ends of a snooze: in hours, and at nine in the morning of the person's own zone. */
export function snoozeChoices(now: Date, timeZone: string): { readonly label: string; readonly until: Date }[] {
  const today = wallTimeOf(now, timeZone).date
  const noon = Date.parse(`${today}T12:00:00Z`)
  const nineIn = (days: number) =>
    momentOf({ date: new Date(noon + days * dayMs).toISOString().slice(0, 10), time: '09:00' }, timeZone) ?? now
  const weekday = new Date(noon).getUTCDay()
  const toMonday = (8 - weekday) % 7 || 7
  return [
    { label: 'For 1 hour', until: new Date(now.getTime() + hourMs) },
    { label: 'For 4 hours', until: new Date(now.getTime() + 4 * hourMs) },
    { label: 'Until tomorrow, 9:00', until: nineIn(1) },
    ...(toMonday === 1 ? [] : [{ label: 'Until Monday, 9:00', until: nineIn(toMonday) }]),
  ]
}
