import type { CampaignCounts, PauseReason } from '@parley/contracts/campaigns/campaigns'
import { countOf } from '@parley/contracts/core/english-format'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { Template } from '@parley/contracts/templates/templates'
import type { NewNotification } from '../../platform/notification.ts'
import { cut, maxBody, titled } from '../../platform/notification.ts'
import type { CampaignRecord } from '../campaigns/campaigns.service.ts'
import type { TemplateRecord } from '../templates/templates.service.ts'

/** Reasons why a campaign was paused automatically, and what a member can do about each. */
const pauses: Readonly<Record<PauseReason, { readonly body: string; readonly action: string }>> = {
  template_not_approved: {
    body: 'WhatsApp no longer approves its template. Nothing more is sent until it is approved again and the campaign is resumed.',
    action: 'Resume it once approved',
  },
  template_recategorised: {
    body: 'WhatsApp moved its template to another category, with a different price and different consent rules.',
    action: 'Resume it if that works for you',
  },
  template_changed: {
    body: 'Its template has changed since the campaign was created. Nothing more is sent until someone has reviewed the new text.',
    action: 'Look at the new text',
  },
  template_refused: {
    body: 'WhatsApp refuses its template. Nothing more is sent until the template is fixed and the campaign is resumed.',
    action: 'Look at its template',
  },
  number_stopped: {
    body: 'Its number cannot send it. Nothing more is sent until that is fixed and the campaign is resumed.',
    action: 'Fix its number, then resume it',
  },
  number_quality: {
    body: 'WhatsApp rates the quality of its number as low: customers block or report it. Continuing may cost you the number.',
    action: 'Look at it, then decide',
  },
  too_many_failures: {
    body: 'Too many of its latest messages failed. Nothing more is sent until it is resumed.',
    action: 'See why they failed',
  },
  too_many_unreachable: {
    body: 'Too many of its latest messages could not be delivered: numbers without WhatsApp lower the quality of yours.',
    action: 'Check where the numbers are from',
  },
  files_failed: {
    body: 'Too many of the files for its recipients could not be fetched or sent. Nothing more is sent until it is resumed.',
    action: 'See why they failed',
  },
  outage: {
    body: 'Parley could not send for more than 30 minutes, so its time may have passed. Nothing is sent until it is resumed.',
    action: 'Resume it if it is not too late',
  },
  missed_start: {
    body: 'Its start was missed by more than 15 minutes. Nothing is sent until it is resumed.',
    action: 'Resume it to send it now',
  },
  more_recipients: {
    body: 'Its audience has grown a lot since its review. Nothing is sent until it is resumed.',
    action: 'Look at its recipients, then resume it',
  },
  audience_gone: {
    body: 'A segment or import that its audience needs is gone. Nothing has been sent.',
    action: 'Cancel it, and send to another audience',
  },
  quota: {
    body: 'The plan does not have enough credits for it. Nothing is sent until it is resumed.',
    action: 'Resume it once you have enough credits',
  },
  restored: {
    body: 'The database was restored. Recipients it may have reached since the backup are not messaged again.',
    action: 'Look at it, then resume it',
  },
}

/** Returns what the new owner of a conversation is told, unless they took it themselves. */
export function ofAssignment(
  event: Extract<RecordedEvent, { type: 'conversation.changed' }>,
): NewNotification | undefined {
  const { conversation, became } = event.data
  const { owner } = conversation
  if (became?.owned?.reason !== 'assigned' || owner.kind !== 'member' || owner.id === undefined) return undefined
  if (event.by.kind === 'user' && event.by.id === owner.id) return undefined
  return {
    key: `assigned:${conversation.id}:${became.owned.epoch}`,
    category: 'message',
    severity: 'info',
    title: titled(conversation.contact.name, 'was assigned to you'),
    body: 'You answer this conversation now.',
    action: 'Open the conversation',
    object: { kind: 'conversation', id: conversation.id },
    for: [owner.id],
    at: new Date(event.recordedAt),
  }
}

/** Returns what members are told of a campaign that Parley has paused, or that is through. @param counts results of one that is through. */
export function ofCampaign(
  campaign: CampaignRecord,
  counts: Pick<CampaignCounts, 'sent' | 'failed' | 'uncertain'>,
): NewNotification | undefined {
  const { id, name, status, pausedFor, pauseDetail, stoppedAt, completedAt, sample } = campaign
  const about = { category: 'campaign', object: { kind: 'campaign', id }, ...(sample && { sample }) } as const
  if (status === 'paused' && pausedFor && stoppedAt)
    return {
      ...about,
      ...pauses[pausedFor],
      body: cut([pauses[pausedFor].body, pauseDetail].filter(Boolean).join(' '), maxBody),
      key: `campaign/${id}/paused/${stoppedAt.getTime()}`,
      severity: 'warning',
      title: titled(name, 'was paused'),
      at: stoppedAt,
    }
  if (status === 'completed' && completedAt)
    return {
      ...about,
      key: `campaign/${id}/completed`,
      severity: 'success',
      title: titled(name, 'is complete'),
      body: outcomeOf(counts),
      at: completedAt,
    }
  return undefined
}

function outcomeOf({ sent, failed, uncertain }: Pick<CampaignCounts, 'sent' | 'failed' | 'uncertain'>): string {
  if (failed === 0 && uncertain === 0) return 'Everyone it could reach has been sent the message.'
  const messages = (n: number) => `${countOf(n)} ${n === 1 ? 'message' : 'messages'}`
  return [
    `${messages(sent)} sent.`,
    ...(failed > 0 ? [`${messages(failed)} failed.`] : []),
    ...(uncertain > 0 ? [`${messages(uncertain)} not confirmed by WhatsApp.`] : []),
  ].join(' ')
}

const verdicts = {
  approved: { severity: 'success', words: 'was approved', body: 'It can be sent now.' },
  rejected: {
    severity: 'error',
    words: 'was rejected',
    body: 'WhatsApp has given no reason.',
    action: 'Edit it and send it again',
  },
  paused: {
    severity: 'warning',
    words: 'was paused by WhatsApp',
    body: 'Customers block or report it more than usual. It cannot be sent for now.',
    action: 'Improve its text',
  },
  disabled: {
    severity: 'error',
    words: 'was disabled by WhatsApp',
    body: 'It can no longer be sent.',
    action: 'Make a new template',
  },
} as const

/** Returns the notification of WhatsApp's decision about a template. */
export function ofTemplate(
  { id, name, rejectionReason, statusDetail, sample }: TemplateRecord,
  became: TemplateRecord['status'],
  { id: eventId, at }: { id: string; at: string },
): NewNotification | undefined {
  if (became === 'draft' || became === 'pending') return undefined
  const { words, ...verdict } = verdicts[became]
  return {
    category: 'template',
    object: { kind: 'template', id },
    ...(sample && { sample }),
    ...verdict,
    ...(became === 'rejected' && rejectionReason && { body: rejectionReason.slice(0, 300) }),
    ...(became === 'disabled' && statusDetail && { body: cut(`${statusDetail} ${verdicts.disabled.body}`, maxBody) }),
    key: `template/${id}/${became}/${eventId}`,
    title: titled(name, words),
    at: new Date(at),
  }
}

/** WhatsApp has announced that it will move a template to another category. */
export function ofCategory(
  { id, name, category, sample }: TemplateRecord,
  announced: Template['category'],
  { id: eventId, at }: { id: string; at: string },
): NewNotification {
  return {
    category: 'template',
    object: { kind: 'template', id },
    ...(sample && { sample }),
    key: `template/${id}/category/${eventId}`,
    severity: 'warning',
    title: titled(name, 'will change its category'),
    body: `WhatsApp will move it from ${category} to ${announced}, with a different price and different consent rules. Campaigns that use it will be paused.`,
    action: 'Look at its text',
    at: new Date(at),
  }
}
