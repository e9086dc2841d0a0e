import type { Recipient } from '@parley/contracts/campaigns/campaign-recipients'
import type { Tone } from '../ui/status-badge.tsx'

export const recipientLabels: Record<Recipient['state'], { word: string; tone: Tone }> = {
  waiting: { word: 'Waiting', tone: 'neutral' },
  sent: { word: 'Sent', tone: 'info' },
  delivered: { word: 'Delivered', tone: 'info' },
  read: { word: 'Read', tone: 'success' },
  failed: { word: 'Failed', tone: 'danger' },
  uncertain: { word: 'Not confirmed', tone: 'warning' },
  left_out: { word: 'Left out', tone: 'neutral' },
}
