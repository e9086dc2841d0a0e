import { type Approval, approvalHours } from '@parley/contracts/campaigns/approvals'
import { countOf } from '@parley/contracts/core/english-format'
import { cut, maxBody, type NewNotification, titled } from '../../../platform/notification.ts'
import type { ApprovalRecord } from './approvals.model.ts'

/** Counts recipients: `1,200 recipients`. */
export const recipientsText = (count: number): string => `${countOf(count)} ${count === 1 ? 'recipient' : 'recipients'}`

/** Tells who may not launch yet what to do. */
export function nextStep(approval: Approval | null): string {
  if (!approval || approval.state === 'used') return 'Ask for it in Parley.'
  if (approval.state === 'pending') return 'It was asked for, and nobody has decided yet.'
  if (approval.state === 'declined') return 'It was declined.'
  return approval.changed ? `${approval.changed} Ask again.` : 'Ask again: the time is over.'
}

/** Told to those who decide. */
export const askedOf = (
  { id, campaignId, campaignName, subject, note, askedAt }: ApprovalRecord,
  by: string,
  to: string[],
) =>
  ({
    key: `approval/${id}/asked`,
    category: 'approval',
    severity: 'warning',
    title: titled(campaignName, 'waits for your approval'),
    body: cut(`${by} wants to send it to ${recipientsText(subject.recipients)}. ${note}`.trim(), maxBody),
    action: 'Look at it and decide',
    object: { kind: 'draft', id: campaignId },
    for: to,
    at: askedAt,
  }) satisfies NewNotification

/** Told to who has asked. */
export function decidedOf(record: ApprovalRecord, by: string): NewNotification {
  const { id, campaignId, campaignName, state, askedBy, decidedAt, reason = '' } = record
  const isApproved = state === 'approved'
  return {
    key: `approval/${id}/decided`,
    category: 'approval',
    severity: isApproved ? 'success' : 'error',
    title: titled(campaignName, isApproved ? 'was approved' : 'was declined'),
    body: cut(
      isApproved ? `${by} has approved it. Send it within ${approvalHours} hours.` : `${by}: ${reason}`,
      maxBody,
    ),
    action: isApproved ? 'Send it' : 'Change it and ask again',
    object: { kind: 'draft', id: campaignId },
    for: [askedBy],
    at: decidedAt ?? new Date(),
  }
}
