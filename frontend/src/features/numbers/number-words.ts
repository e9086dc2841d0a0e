import type { WhatsAppNumber } from '@parley/contracts/numbers'
import type { Tone } from '../../ui/status-badge.tsx'

interface Word {
  readonly word: string
  readonly tone: Tone
}

export const statusWords: Readonly<Record<WhatsAppNumber['status'], Word>> = {
  active: { word: 'Active', tone: 'success' },
  pending: { word: 'Pending', tone: 'warning' },
  disconnected: { word: 'Disconnected', tone: 'danger' },
}

export const verificationWords: Readonly<Record<WhatsAppNumber['verificationStatus'], Word>> = {
  verified: { word: 'Verified', tone: 'info' },
  pending: { word: 'Pending', tone: 'warning' },
}

/** What the platform says of how customers receive a number's messages. */
export const qualityWords: Readonly<Record<WhatsAppNumber['quality'], Word & { readonly meaning: string }>> = {
  high: { word: 'High', tone: 'success', meaning: 'Customers rarely block or report its messages.' },
  medium: { word: 'Medium', tone: 'warning', meaning: 'Customers block or report more of its messages than usual.' },
  low: { word: 'Low', tone: 'danger', meaning: 'Many customers block it, so its limits may be reduced.' },
  unknown: { word: 'Unknown', tone: 'neutral', meaning: 'It has not sent enough messages to be rated.' },
}
