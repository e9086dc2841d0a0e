import type { ReviewWarning } from '@parley/contracts/campaigns/campaign-drafts'
import type { Missed } from '@parley/contracts/campaigns/campaign-fields'
import type { CampaignTimelineItem } from '@parley/contracts/campaigns/campaign-timeline'
import type { ReactNode } from 'react'
import { counted, formatCount } from '../../../lib/format.ts'
import { Link } from '../../../lib/navigation.ts'
import { pauseLabels, sinceReviewLabels, startTime } from '../labels.ts'

export interface Known {
  /** Returns a member's name for the beginning of a sentence. */
  readonly who: (memberId: string | undefined) => string
  readonly timeZone: string
}

/** Returns a timeline entry as a sentence. */
export function sentenceOf(item: CampaignTimelineItem, { who, timeZone }: Known): ReactNode {
  const person = who(item.memberId)
  switch (item.kind) {
    case 'sample':
      return 'Loaded with the sample data'
    case 'created':
      return item.follows ? (
        <>
          {person} created it for recipients that <CampaignLink {...item.follows} /> missed
        </>
      ) : (
        `${person} created it as a draft`
      )
    case 'reviewed':
      return `${person} reviewed it: ${formatCount(item.recipients)} of ${counted(item.audience, 'contact')} would get it`
    case 'launched':
      return item.scheduledFor === undefined
        ? `${person} started it for ${counted(item.recipients, 'contact')}`
        : `${person} scheduled it for ${startTime(item.scheduledFor, timeZone)}, for ${counted(item.recipients, 'contact')}`
    case 'started':
      return item.memberId === undefined ? 'It started on schedule' : `${person} started it`
    case 'counted':
      return `Its audience was counted again at the start: ${differenceOf(item)}`
    case 'paused':
      return item.reason === undefined ? `${person} paused it` : firstSentence(pauseLabels[item.reason])
    case 'resumed':
      return `${person} resumed it${item.newText ? ' with the new text of its template' : ''}`
    case 'rescheduled':
      return item.memberId === undefined
        ? `Its start moved to ${startTime(item.scheduledFor, timeZone)}, because the time zone of the workspace changed`
        : `${person} moved its start to ${startTime(item.scheduledFor, timeZone)}`
    case 'waits':
      return item.for === 'hours'
        ? `It waited for your sending hours, until ${startTime(item.until, timeZone)}`
        : `It waited because WhatsApp’s limit of new conversations in 24 hours was used up, until ${startTime(item.until, timeZone)} at least`
    case 'completed':
      return 'It was completed: nothing more is sent'
    case 'cancelled':
      return `${person} cancelled it`
    case 'recipients_removed':
      return `Its list of recipients was removed: lists are kept for ${counted(item.months, 'month')}`
    case 'followed':
      return (
        <>
          {person} created <CampaignLink campaignId={item.campaignId} name={item.name} /> for{' '}
          {item.memberId === undefined ? 'recipients that WhatsApp held back' : followedLabels[item.missed]}
        </>
      )
  }
}

/** Returns further details of an entry. */
export function detailOf(item: CampaignTimelineItem): string | undefined {
  if (item.kind === 'paused') return item.detail
  if (item.kind === 'sample') return 'What happened before is not recorded.'
  if (item.kind !== 'launched' || item.accepted.length === 0) return undefined
  return `Confirmed before: ${item.accepted.map((code) => warningLabels[code]).join('; ')}`
}

const followedLabels: Record<Missed, string> = {
  failed: 'failed recipients',
  not_delivered: 'recipients it was not delivered to',
  not_read: 'recipients who have not read it',
  not_replied: 'recipients who have not replied',
  not_confirmed: 'unconfirmed recipients',
}

const warningLabels: Record<ReviewWarning, string> = {
  number_quality_low: 'WhatsApp rates the quality of the number as low',
  plan_nearly_used: 'the plan is nearly used up afterwards',
  takes_days: 'it takes more than a day',
  files_faulty: 'some recipients’ files cannot be sent',
}

const differenceOf = (difference: { audience: number; recipients: number }): string =>
  sinceReviewLabels({ sinceReview: difference }) ?? 'as many recipients as in the review'

/** Returns the reason without the advice, which is outdated by now. */
const firstSentence = (text: string): string => text.split('. ', 1)[0]?.replace(/\.$/, '') ?? text

const CampaignLink = ({ campaignId, name }: { campaignId: string; name: string }) => (
  <Link to={`/broadcasts?id=${campaignId}`}>
    <bdi>{name}</bdi>
  </Link>
)
