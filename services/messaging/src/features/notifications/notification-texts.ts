import type { PauseReason } from '@parley/contracts/campaigns'
import type { CampaignRecord } from '../campaigns/campaigns.service.ts'
import type { NumberRecord } from '../numbers/numbers.service.ts'
import type { TemplateRecord } from '../templates/templates.service.ts'
import type { NewNotification } from './notifications.repository.ts'

/** Why a campaign was paused that nobody has paused, and what one can do about it. */
const pauses: Readonly<Record<PauseReason, { readonly body: string; readonly action: string }>> = {
  template_not_approved: {
    body: 'WhatsApp does not approve its template any more. Nothing more leaves until the template is approved again and the campaign resumed.',
    action: 'Resume it once approved',
  },
  missed_start: {
    body: 'Its start was missed by more than 15 minutes. Nothing leaves until it is resumed.',
    action: 'Resume it to send it now',
  },
  restored: {
    body: 'The database was restored. Whom it may have reached since the backup gets nothing more.',
    action: 'Look at it, then resume it',
  },
}

/** A campaign that the system has paused, or that is through. */
export function ofCampaign(campaign: CampaignRecord): NewNotification | undefined {
  const { id, name, status, pausedFor, stoppedAt, completedAt, sample } = campaign
  const about = { category: 'campaign', object: { kind: 'campaign', id }, ...(sample && { sample }) } as const
  if (status === 'paused' && pausedFor && stoppedAt)
    return {
      ...about,
      ...pauses[pausedFor],
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
      body: 'Everyone it could reach has been sent the message.',
      at: completedAt,
    }
  return undefined
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
    body: 'Customers block or report it more than usual. It cannot be sent meanwhile.',
    action: 'Improve its text',
  },
} as const

/** What WhatsApp has decided about a template. */
export function ofTemplate(
  { id, name, rejectionReason, sample }: TemplateRecord,
  became: TemplateRecord['status'],
  { id: eventId, at }: { id: string; at: string },
): NewNotification | undefined {
  if (became !== 'approved' && became !== 'rejected' && became !== 'paused') return undefined
  const { words, ...verdict } = verdicts[became]
  return {
    category: 'template',
    object: { kind: 'template', id },
    ...(sample && { sample }),
    ...verdict,
    ...(became === 'rejected' && rejectionReason && { body: rejectionReason.slice(0, 300) }),
    key: `template/${id}/${became}/${eventId}`,
    title: titled(name, words),
    at: new Date(at),
  }
}

/** A number from which nothing leaves until somebody has seen to it. */
export function ofNumber({ id, displayName, stopped, sample }: NumberRecord): NewNotification | undefined {
  if (!stopped) return undefined
  return {
    category: 'number',
    object: { kind: 'number', id },
    ...(sample && { sample }),
    key: `number/${id}/stopped/${stopped.at.getTime()}`,
    severity: 'error',
    title: titled(displayName, 'needs attention'),
    body: `${stopped.reason.slice(0, 200)} Nothing leaves from it meanwhile.`,
    action: 'See what to do',
    at: stopped.at,
  }
}

const mostTitle = 120

/** A name and what happened to it; a name that leaves no room for that is cut. */
function titled(name: string, what: string): string {
  const room = mostTitle - what.length - 1
  const short = [...name].length > room ? `${[...name].slice(0, room - 1).join('')}…` : name
  return `${short} ${what}`
}
