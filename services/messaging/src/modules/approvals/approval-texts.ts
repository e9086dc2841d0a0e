import { countOf, sumOfMoney } from '@parley/contracts/core/english-format'
import { type Approval, approvalHours } from '@parley/contracts/platform/approvals'
import { cut, maxBody, type NewNotification, titled } from '../../platform/notification.ts'

/** Counts people: `1,200 recipients`, `1 contact`. */
export const peopleText = (count: number, one: 'recipient' | 'contact'): string =>
  `${countOf(count)} ${one}${count === 1 ? '' : 's'}`

/** Tells who may not do something yet what to do. */
export function nextStep(approval: Approval | null): string {
  if (!approval || approval.state === 'used') return 'Ask for it first.'
  if (approval.state === 'pending') return 'It was asked for, and nobody has decided yet.'
  if (approval.state === 'declined') return 'It was declined.'
  return approval.changed ? `${approval.changed} Ask again.` : 'Ask again: the time is over.'
}

type Cost = Extract<Approval['subject'], { kind: 'campaign' }>['cost']

/** ` for $12.50, and 3 messages have no price`; empty without a price list. */
function costText(cost: Cost): string {
  if (!cost) return ''
  const { micros, currency, unpriced } = cost
  const without = unpriced === 1 ? '1 message has no price' : `${countOf(unpriced)} messages have no price`
  return ` for ${sumOfMoney(micros, currency)}${unpriced > 0 ? `, and ${without}` : ''}`
}

/** Words for an action that waits, for what is wanted of it, and for it once it may be done. */
function wordsFor({ subject }: Approval): { title: string; wants: string; next: string } {
  switch (subject.kind) {
    case 'campaign':
      return {
        title: subject.name,
        wants: `send it to ${peopleText(subject.recipients, 'recipient')}${costText(subject.cost)}`,
        next: 'Send it',
      }
    case 'contact_export':
      return {
        title: 'An export of contacts',
        wants: `export ${peopleText(subject.contacts, 'contact')}`,
        next: 'Export them',
      }
    case 'contact_deletion':
      return {
        title: 'A deletion of contacts',
        wants: `delete ${peopleText(subject.contacts, 'contact')}`,
        next: 'Delete them',
      }
    case 'number_removal':
      return { title: `Removal of ${subject.name}`, wants: 'disconnect and delete this number', next: 'Delete it' }
  }
}

const objectOf = ({ id, subject }: Approval): NewNotification['object'] =>
  subject.kind === 'campaign' ? { kind: 'draft', id: subject.campaignId } : { kind: 'approval', id }

/** Told to those who decide. */
export function askedOf(approval: Approval, by: string, to: string[]): NewNotification {
  const { title, wants } = wordsFor(approval)
  return {
    key: `approval/${approval.id}/asked`,
    category: 'approval',
    severity: 'warning',
    title: titled(title, 'waits for your approval'),
    body: cut(`${by} wants to ${wants}. ${approval.note}`.trim(), maxBody),
    action: 'Look at it and decide',
    object: objectOf(approval),
    for: to,
    at: new Date(approval.askedAt),
  }
}

/** Told to who has asked. */
export function decidedOf(approval: Approval, by: string, at: Date): NewNotification {
  const { title, next } = wordsFor(approval)
  const isApproved = approval.state === 'approved'
  return {
    key: `approval/${approval.id}/decided`,
    category: 'approval',
    severity: isApproved ? 'success' : 'error',
    title: titled(title, isApproved ? 'was approved' : 'was declined'),
    body: cut(
      isApproved ? `${by} has approved it. ${next} within ${approvalHours} hours.` : `${by}: ${approval.reason ?? ''}`,
      maxBody,
    ),
    action: isApproved ? next : 'Change it and ask again',
    object: objectOf(approval),
    for: [approval.askedBy],
    at,
  }
}
