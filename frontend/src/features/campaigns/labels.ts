import type { Missed } from '@parley/contracts/campaigns/campaign-fields'
import type { Outcome } from '@parley/contracts/campaigns/campaign-recipients'
import type { AnyCampaign, Campaign, CampaignCounts, PauseReason } from '@parley/contracts/campaigns/campaigns'
import type { SendingHours } from '@parley/contracts/campaigns/sending-hours'
import { dateTimeFormat } from '../../lib/date-formats.ts'
import { counted, formatCount, formatPercent } from '../../lib/format.ts'
import type { Tone } from '../../ui/status-badge.tsx'

export const statusLabels: Record<AnyCampaign['status'], { word: string; tone: Tone }> = {
  draft: { word: 'Draft', tone: 'neutral' },
  scheduled: { word: 'Scheduled', tone: 'info' },
  active: { word: 'Active', tone: 'success' },
  paused: { word: 'Paused', tone: 'warning' },
  completed: { word: 'Completed', tone: 'neutral' },
  cancelled: { word: 'Cancelled', tone: 'danger' },
}

/** Formats delivered of sent; a dash before anything is sent. */
export const deliveryRate = ({ sent, delivered }: Pick<CampaignCounts, 'sent' | 'delivered'>): string =>
  sent === 0 ? '–' : formatPercent((delivered / sent) * 100)

/** Labels for contacts that are left out, by reason. */
const exclusionLabels: Record<keyof CampaignCounts['excluded'], string> = {
  byChoice: 'by tag or segment',
  optedOut: 'opted out of marketing',
  noOptIn: 'have not agreed to marketing',
  countryRestricted: 'US numbers, which get no marketing',
  recentlyMessaged: 'got marketing recently',
  blocked: 'blocked',
  unreachable: 'cannot be reached',
}

const exclusionOutcomes = {
  byChoice: 'excluded',
  optedOut: 'opted_out',
  noOptIn: 'no_opt_in',
  countryRestricted: 'country_restricted',
  recentlyMessaged: 'recently_messaged',
  blocked: 'blocked',
  unreachable: 'unreachable',
} as const

const exclusionKeys = [
  ...(['byChoice', 'optedOut', 'noOptIn', 'countryRestricted'] as const),
  ...(['recentlyMessaged', 'blocked', 'unreachable'] as const),
]

export interface Exclusion {
  readonly reason: string
  readonly count: number
  readonly outcome: Outcome
}

/** Returns the reasons that left contacts out, with the count and the rows behind each. */
export const exclusionsOf = (excluded: CampaignCounts['excluded']): Exclusion[] =>
  everyExclusion(excluded).filter(({ count }) => count > 0)

/** Includes the reasons that left no contact out. */
export const everyExclusion = (excluded: CampaignCounts['excluded']): Exclusion[] =>
  exclusionKeys.map((key) => ({
    reason: exclusionLabels[key],
    count: excluded[key],
    outcome: exclusionOutcomes[key],
  }))

/**
 * Describes what happens where a number may write first to fewer customers in a day than a campaign is for; undefined where all
 * leave at once.
 * @param limit null is unlimited. Customers who have written in the last 24 hours do not count, so that fewer may wait.
 */
export const limitWarning = (reachable: number, limit: number | null): string | undefined =>
  limit === null || reachable <= limit
    ? undefined
    : `WhatsApp lets this number start conversations with ${formatCount(limit)} customers in 24 hours, and this campaign is for ${formatCount(reachable)}. The rest wait until the limit allows more and are then sent automatically.`

/** Returns what a campaign waits for and when it continues; empty where it does not wait. */
export function waitLabels(
  { waitsUntil, waitsFor }: Pick<Campaign, 'waitsUntil' | 'waitsFor'>,
  timeZone: string,
): string | undefined {
  if (waitsUntil === undefined) return undefined
  const resumes = `It resumes automatically on ${startTime(waitsUntil, timeZone)}.`
  return waitsFor === 'limit'
    ? `WhatsApp’s limit of new conversations in 24 hours is used up for its number. ${resumes}`
    : `It is outside of your sending hours for the remaining recipients. ${resumes}`
}

/** `Sat 14 Mar 2026, 10:00 IST`: when a campaign is to start. */
export const startTime = (at: string, timeZone: string, locale?: string): string =>
  dateTimeFormat(locale, {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(at))

/** `9:00 AM to 9:00 PM in each recipient’s time zone`: between which hours marketing is sent. */
export function hoursLabels({ opens, closes }: Pick<SendingHours, 'opens' | 'closes'>, locale?: string): string {
  const clock = (time: string) =>
    dateTimeFormat(locale, { timeZone: 'UTC', hour: 'numeric', minute: '2-digit' }).format(
      new Date(`2026-01-01T${time}:00Z`),
    )
  return `${clock(opens)} to ${clock(closes)} in each recipient’s time zone`
}

/** Reasons for an automatic pause of a campaign, and what to do about each. */
export const pauseLabels: Record<PauseReason, string> = {
  template_not_approved:
    'Paused because WhatsApp no longer approves its template. You can resume it once the template is approved again.',
  template_recategorised:
    'Paused because WhatsApp moved its template to another category, with a different price and different consent rules. Resume it if that works for you.',
  template_changed:
    'Paused because its template has changed since the campaign was created. Look at the new text, then continue with it or cancel.',
  template_refused: 'Paused because WhatsApp refuses its template. You can resume it once the template is fixed.',
  number_stopped: 'Paused because its number cannot send it. You can resume it once the number can send again.',
  number_quality:
    'Paused because WhatsApp rates the quality of its number as low: customers block or report it. Continuing may cost you the number.',
  too_many_failures: 'Paused because too many of its latest messages failed. Resume it once the reason is gone.',
  too_many_unreachable:
    'Paused because too many of its latest messages could not be delivered. Numbers without WhatsApp lower the quality of yours: check where they are from.',
  files_failed:
    'Paused because too many of the files for its recipients could not be fetched. Check their addresses and their server, then resume it.',
  outage: 'Paused because nothing could be sent for more than 30 minutes. Resume it if it is not too late.',
  missed_start:
    'Paused because its start was missed by more than 15 minutes. Start it now, give it another time, or cancel it.',
  more_recipients:
    'Paused because significantly more contacts would get it than the review showed. Nothing has been sent. Check who they are, then resume or cancel it.',
  audience_gone:
    'Paused because its audience depends on a segment, an import or an earlier campaign’s list that no longer exists. Nothing has been sent. Cancel it, and send to another audience.',
  quota:
    'Paused because the plan does not have enough credits for it. You can resume it once the plan has enough credits.',
  restored:
    'Paused because the database was restored. Recipients it may have reached since the backup are not confirmed and not messaged again.',
}

/** Describes how a campaign's recipients differ from those of its review; undefined where they do not. */
export function sinceReviewLabels({ sinceReview }: Pick<Campaign, 'sinceReview'>): string | undefined {
  const change = sinceReview?.recipients ?? 0
  if (change === 0) return undefined
  return `${counted(Math.abs(change), change > 0 ? 'more recipient' : 'fewer recipient')} than in the review`
}

/** Describes the contacts left out by the rule of recent messages. */
export const recentLabels = (days: number): string =>
  days === 1 ? 'contacts who got marketing today' : `contacts who got marketing in the last ${days} days`

/** Content of a list of recipients: all of them, or those behind a figure. */
export type Shown = Outcome | 'all'

export const outcomeLabels: Record<Shown, string> = {
  all: 'Everyone in the audience',
  queued: 'Waiting',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  clicked: 'Clicked',
  replied: 'Replied',
  failed: 'Failed',
  uncertain: 'Not confirmed',
  excluded: 'Left out: by tag or segment',
  opted_out: 'Left out: opted out',
  no_opt_in: 'Left out: have not agreed',
  country_restricted: 'Left out: US numbers',
  recently_messaged: 'Left out: got marketing recently',
  blocked: 'Left out: blocked',
  unreachable: 'Left out: cannot be reached',
}

/** Groups that another campaign may be for. */
export const missedLabels: Record<Missed, string> = {
  failed: 'Failed',
  not_delivered: 'Sent, not delivered',
  not_read: 'Delivered, not read',
  not_replied: 'Delivered, no reply',
  not_confirmed: 'Not confirmed',
}

/** Returns a campaign's missed contacts by kind; about as many as another one would be for. */
export const missedOf = ({
  sent,
  delivered,
  read,
  replied,
  failed,
}: CampaignCounts): { missed: Missed; count: number }[] =>
  [
    { missed: 'failed' as const, count: failed },
    { missed: 'not_delivered' as const, count: sent - delivered },
    { missed: 'not_read' as const, count: delivered - read },
    { missed: 'not_replied' as const, count: delivered - (replied ?? 0) },
  ].filter(({ count }) => count > 0)
