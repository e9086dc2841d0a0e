import { momentOf, wallTimeOf } from '@parley/contracts/core/zoned-time'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Returns common ends of a snooze: in hours, and at nine in the morning of the person's own zone. */
export function snoozeChoices(now: Date, timeZone: string): { readonly label: string; readonly until: Date }[] {
  const { tomorrow, monday } = mornings(now, timeZone)
  return [
    { label: 'For 1 hour', until: new Date(now.getTime() + hourMs) },
    { label: 'For 4 hours', until: new Date(now.getTime() + 4 * hourMs) },
    { label: 'Until tomorrow, 9:00', until: tomorrow },
    ...(monday ? [{ label: 'Until Monday, 9:00', until: monday }] : []),
  ]
}

/** Returns common times to send something later. */
export function laterChoices(now: Date, timeZone: string): { readonly label: string; readonly at: Date }[] {
  const { tomorrow, monday } = mornings(now, timeZone)
  return [
    { label: 'In 1 hour', at: new Date(now.getTime() + hourMs) },
    { label: 'In 4 hours', at: new Date(now.getTime() + 4 * hourMs) },
    { label: 'Tomorrow, 9:00', at: tomorrow },
    ...(monday ? [{ label: 'Monday, 9:00', at: monday }] : []),
  ]
}

/** The next mornings at nine; `monday` is absent where that is tomorrow. */
function mornings(now: Date, timeZone: string): { tomorrow: Date; monday?: Date } {
  const today = wallTimeOf(now, timeZone).date
  const noon = Date.parse(`${today}T12:00:00Z`)
  const nineIn = (days: number) =>
    momentOf({ date: new Date(noon + days * dayMs).toISOString().slice(0, 10), time: '09:00' }, timeZone) ?? now
  const weekday = new Date(noon).getUTCDay()
  const toMonday = (8 - weekday) % 7 || 7
  return { tomorrow: nineIn(1), ...(toMonday !== 1 && { monday: nineIn(toMonday) }) }
}
