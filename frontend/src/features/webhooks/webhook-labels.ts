import type { WebhookEvent } from '@parley/contracts/platform/public-events'
import type { Webhook, WebhookDelivery } from '@parley/contracts/platform/webhooks'
import { formatCount } from '../../lib/format.ts'
import type { Tone } from '../../ui/status-badge.tsx'

type Label = Readonly<{ word: string; tone: Tone }>

export const statusLabels: Readonly<Record<Webhook['status'], Label>> = {
  active: { word: 'Active', tone: 'success' },
  failed: { word: 'Failed', tone: 'danger' },
  disabled: { word: 'Disabled', tone: 'neutral' },
}

const deliveryLabels: Readonly<Record<WebhookDelivery['state'], Label>> = {
  due: { word: 'Waiting', tone: 'info' },
  sending: { word: 'Sending', tone: 'info' },
  delivered: { word: 'Delivered', tone: 'success' },
  exhausted: { word: 'Failed', tone: 'danger' },
  aborted: { word: 'Refused', tone: 'danger' },
  skipped: { word: 'Not sent', tone: 'neutral' },
}

/** State of a delivery in a word; one that has failed and is to be attempted again says so. */
export const deliveryLabel = ({ state, attempts }: Pick<WebhookDelivery, 'state' | 'attempts'>): Label =>
  state === 'due' && attempts > 0 ? { word: 'Retrying', tone: 'warning' } : deliveryLabels[state]

const errorLabels: Readonly<Record<string, string>> = {
  timeout: 'No answer in 15 seconds',
  unreachable: 'Could not be reached',
  address_refused: 'Not a public address',
  certificate_expired: 'Its certificate has expired',
  certificate_other_name: 'Its certificate is for another name',
  certificate_untrusted: 'Its certificate is not trusted',
  tls_failed: 'No encrypted connection',
}

/** The answer of an attempt in words: `200`, `No answer in 15 seconds`. */
export function answerLabel(attempt: WebhookDelivery['last']): string {
  if (!attempt) return '–'
  if (attempt.status !== undefined)
    return attempt.error === 'clock_off' ? `${attempt.status}, its clock is wrong` : String(attempt.status)
  return errorLabels[attempt.error ?? ''] ?? 'Could not be sent'
}

/** Time as a clock shows it: `14:02`. */
const timeOf = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat(undefined, { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    new Date(iso),
  )

/** Line of a failed webhook: since when, when it is tried next, and how many events wait. */
export function failingLine({ failing }: Pick<Webhook, 'failing'>, now: Date, timeZone: string): string | undefined {
  if (!failing) return undefined
  const minutes = Math.ceil((Date.parse(failing.nextAttemptAt) - now.getTime()) / 60_000)
  const next = minutes < 1 ? 'next probe now' : `next probe in ${minutes} min`
  return `Failing since ${momentOf(failing.since, now, timeZone)}, ${next}, ${formatCount(failing.waiting)} waiting`
}

/** A moment of these days, past or to come: the time alone where it is less than a day away. */
export const momentOf = (iso: string, now: Date, timeZone: string): string =>
  Math.abs(Date.parse(iso) - now.getTime()) < 86_400_000
    ? timeOf(iso, timeZone)
    : `${dayOf(iso, timeZone)}, ${timeOf(iso, timeZone)}`

const dayOf = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat(undefined, { timeZone, day: 'numeric', month: 'short' }).format(new Date(iso))

/** Meaning of each event for the receiver. */
export const eventMeanings: Readonly<Record<WebhookEvent, string>> = {
  'message.received': 'A customer sent a message',
  'message.sent': 'WhatsApp accepted a message',
  'message.delivered': 'A message reached the phone',
  'message.read': 'The customer read a message',
  'message.failed': 'A message could not be delivered',
  'status.update': 'A number, template or campaign changed its status',
  'account.update': 'The business account or the plan changed',
  'webhook.error': 'Another webhook fails or is well again',
}

/** Views of a webhook's drawer, by the address. */
export const drawerTabs = ['deliveries', 'settings', 'secret'] as const
