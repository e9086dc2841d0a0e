import { countOf } from '@parley/contracts/core/english-format'
import { type NewNotification, titled } from '../../platform/notification.ts'
import { stoppedBy } from '../../whatsapp/error-classes.ts'
import type { Became } from '../channel/numbers/number-store.ts'
import type { NumberRecord } from '../channel/numbers/numbers.service.ts'

const stays = {
  all: 'It cannot send anything until this is fixed.',
  templates: 'It cannot send templates until this is fixed. Replies to customers still go out.',
  marketing: 'It cannot send marketing until this is fixed. Everything else still goes out.',
} as const

/** Returns the notification for a number that sends nothing, or not everything, until a member acts. */
export function ofNumber({ id, displayName, stopped, sample }: NumberRecord): NewNotification | undefined {
  if (!stopped) return undefined
  return {
    category: 'number',
    object: { kind: 'number', id },
    ...(sample && { sample }),
    key: `number/${id}/stopped/${stopped.at.getTime()}`,
    severity: 'error',
    title: titled(displayName, 'needs attention'),
    body: `${stopped.reason.slice(0, 200)} ${stays[stoppedBy(stopped)]}`,
    action: 'See what to do',
    at: stopped.at,
  }
}

/** Event that caused the change, and its time. */
interface Origin {
  readonly id: string
  readonly at: string
}

/**
 * Returns notifications of what WhatsApp newly reports of a number. Changes that come and go within a day are one incident, and
 * so is a limit, which the numbers of an account share.
 */
export const ofNumberChange = (number: NumberRecord, became: Became, event: Origin): NewNotification[] =>
  [ofQuality(number, became, event), ofLimit(number, became, event), ofName(number, became, event)].flatMap(
    (found) => found ?? [],
  )

const aboutHealth = ({ id, sample }: NumberRecord, { at }: Origin) => ({
  category: 'number' as const,
  object: { kind: 'number_health', id },
  at: new Date(at),
  ...(sample && { sample }),
})

/** Rated better, the higher; a number that was not rated yet is no worse for a good rating. */
const ranks = { low: 0, medium: 1, high: 2, unknown: 2 } as const

function ofQuality(number: NumberRecord, { quality }: Became, event: Origin): NewNotification | undefined {
  if (!quality || quality.after === 'unknown' || ranks[quality.before] === ranks[quality.after]) return undefined
  const about = {
    ...aboutHealth(number, event),
    key: `number/${number.id}/quality/${quality.after}/${event.at.slice(0, 10)}`,
  }
  if (ranks[quality.after] > ranks[quality.before])
    return {
      ...about,
      severity: 'success',
      title: titled(number.displayName, `has ${quality.after} quality again`),
      body: 'Customers block or report fewer of its messages.',
    }
  return {
    ...about,
    severity: quality.after === 'low' ? 'error' : 'warning',
    title: titled(number.displayName, `has ${quality.after} quality now`),
    body: 'Customers block or report its messages more than usual. WhatsApp may lower its limit or stop it: send marketing only to people who expect it.',
    action: 'See its health',
  }
}

function ofLimit(number: NumberRecord, { messagingLimit }: Became, event: Origin): NewNotification | undefined {
  if (!messagingLimit) return undefined
  const { before, after } = messagingLimit
  const isHigher = after === null || (before !== null && after > before)
  const words = (limit: number | null) => (limit === null ? 'any number of' : countOf(limit))
  return {
    ...aboutHealth(number, event),
    key: `account/${number.businessAccountId}/limit/${after}/${event.at.slice(0, 10)}`,
    severity: isHigher ? 'success' : 'warning',
    title: titled(number.displayName, `may write to ${isHigher ? 'more' : 'fewer'} customers`),
    body: `Its account may start conversations with ${words(after)} customers a day. Before, it was ${words(before)}.`,
    ...(!isHigher && { action: 'See its health' }),
  }
}

function ofName(number: NumberRecord, { nameStatus }: Became, event: Origin): NewNotification | undefined {
  const about = { ...aboutHealth(number, event), key: `number/${number.id}/name/${nameStatus?.after}/${event.id}` }
  if (nameStatus?.after === 'declined')
    return {
      ...about,
      severity: 'error',
      title: titled(number.displayName, 'has no approved display name'),
      body: 'WhatsApp has declined the name that customers see. Choose another one in WhatsApp Manager.',
      action: 'See why',
    }
  if (nameStatus?.after !== 'approved' || nameStatus.before === 'unknown') return undefined
  return {
    ...about,
    severity: 'success',
    title: titled(number.displayName, 'has an approved display name'),
    body: 'Customers see the name.',
  }
}
