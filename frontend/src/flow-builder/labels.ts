import type { WorkflowStart } from '@parley/contracts/automation/triggers'
import type { comparisons } from '@parley/contracts/contacts/conditions'

export const eventNames: Readonly<Record<WorkflowStart, string>> = {
  'contact.created': 'Contact created',
  'contact.tag_added': 'Contact tagged',
  'contact.tag_removed': 'Tag removed',
  'contact.field_changed': 'Contact field changed',
  'consent.changed': 'Consent changed',
  'message.received': 'Message received',
  'conversation.opened': 'Conversation opened',
  'conversation.closed': 'Conversation closed',
  'conversation.assigned': 'Conversation assigned',
  'campaign.replied': 'Campaign replied to',
  manual: 'Started by hand',
  schedule: 'Schedule',
  hook: 'Incoming webhook',
}

export const comparisonNames: Readonly<Record<(typeof comparisons)[number], string>> = {
  equals: 'is',
  not_equals: 'is not',
  contains: 'contains',
  not_contains: 'does not contain',
  greater_than: 'is more than',
  less_than: 'is less than',
  within_days: 'is within days',
  is_set: 'is set',
  is_not_set: 'is not set',
}

/** The comparisons that have no value. */
export const withoutValue: ReadonlySet<string> = new Set(['is_set', 'is_not_set'])

export const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

const units = [
  { word: 'day', seconds: 86_400 },
  { word: 'hour', seconds: 3600 },
  { word: 'minute', seconds: 60 },
  { word: 'second', seconds: 1 },
] as const

export type Unit = (typeof units)[number]['word']
export const unitSeconds: Readonly<Record<Unit, number>> = { day: 86_400, hour: 3600, minute: 60, second: 1 }

/** The largest unit that says a time without a fraction: 7200 → 2 hours. */
export function inUnits(seconds: number): { amount: number; unit: Unit } {
  const unit = units.find((one) => seconds >= one.seconds && seconds % one.seconds === 0) ?? units[3]
  return { amount: seconds / unit.seconds, unit: unit.word }
}

/** `2 hours` */
export function durationText(seconds: number): string {
  const { amount, unit } = inUnits(seconds)
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`
}
