import type { TemplateSync, TemplateSyncRun } from '@parley/contracts/templates/template-endpoints'
import { dateTimeFormat } from '../../lib/date-formats.ts'
import { counted, formatCount } from '../../lib/format.ts'

/** `Last synced 12:03, 84 templates, 2 changed`: of all accounts together. Empty where nothing is known. */
export function lastSynced({ syncedAt, latest }: TemplateSync, now: Date, timeZone: string): string {
  if (!syncedAt) return ''
  const whole = latest.filter(({ error }) => !error)
  const sum = (of: 'seen' | 'changed' | 'gone') => whole.reduce((total, run) => total + run[of], 0)
  const at = clockTime(new Date(syncedAt), now, timeZone)
  // Results of earlier runs are no longer known.
  if (whole.length < latest.length || whole.length === 0) return `Last synced ${at}`
  const gone = sum('gone')
  return [
    `Last synced ${at}`,
    counted(sum('seen'), 'template'),
    `${formatCount(sum('changed'))} changed`,
    ...(gone > 0 ? [`${formatCount(gone)} gone`] : []),
  ].join(', ')
}

/** `12:03` of today, with the date before that. */
function clockTime(at: Date, now: Date, timeZone: string): string {
  const day = (date: Date) => dateTimeFormat(undefined, { timeZone, dateStyle: 'short' }).format(date)
  const isToday = day(at) === day(now)
  const time = dateTimeFormat(undefined, {
    timeZone,
    hour: 'numeric',
    minute: '2-digit',
    ...(!isToday && { day: 'numeric', month: 'short' }),
  })
  return time.format(at)
}

/** Advice for a sync that was not completed. */
export const syncAdvice: Readonly<Record<NonNullable<TemplateSyncRun['error']>['code'], string>> = {
  not_connected: 'Connect a number of this account under WhatsApp Numbers.',
  access_refused: 'Enter a new access token for a number of this account under WhatsApp Numbers.',
  rate_limited: 'WhatsApp is limiting requests. Parley will retry automatically.',
  refused: 'Sync again. If it fails once more, look at the account in WhatsApp Manager.',
  unreachable: 'Parley will retry automatically within 15 minutes.',
}
