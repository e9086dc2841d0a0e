import type { Campaign, CampaignCounts } from '@parley/contracts/campaigns'
import { dateTimeFormat } from '../../lib/date-formats.ts'
import { formatPercent } from '../../lib/format.ts'
import type { Tone } from '../../ui/status-badge.tsx'

export const statusWords: Record<Campaign['status'], { word: string; tone: Tone }> = {
  draft: { word: 'Draft', tone: 'neutral' },
  scheduled: { word: 'Scheduled', tone: 'info' },
  active: { word: 'Active', tone: 'success' },
  paused: { word: 'Paused', tone: 'warning' },
  completed: { word: 'Completed', tone: 'neutral' },
  cancelled: { word: 'Cancelled', tone: 'danger' },
}

/** Delivered of sent (readings 21); a dash before anything is sent. */
export const deliveryRate = ({ sent, delivered }: Pick<CampaignCounts, 'sent' | 'delivered'>): string =>
  sent === 0 ? '–' : formatPercent((delivered / sent) * 100)

/** What a person is told about contacts that are left out, by reason. */
const exclusionWords: Record<keyof CampaignCounts['excluded'], string> = {
  optedOut: 'opted out of marketing',
  blocked: 'blocked',
  unreachable: 'without a phone number',
}

/** Reasons that left somebody out, with how many. */
export const exclusionsOf = (excluded: CampaignCounts['excluded']): { reason: string; count: number }[] =>
  (['optedOut', 'blocked', 'unreachable'] as const)
    .map((key) => ({ reason: exclusionWords[key], count: excluded[key] }))
    .filter(({ count }) => count > 0)

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
