import type { NumberCheck, NumberStep, WhatsAppNumber } from '@parley/contracts/channel/numbers'
import type { Tone } from '../../ui/status-badge.tsx'

interface Word {
  readonly word: string
  readonly tone: Tone
}

export const statusLabels: Readonly<Record<WhatsAppNumber['status'], Word>> = {
  active: { word: 'Active', tone: 'success' },
  pending: { word: 'Pending', tone: 'warning' },
  disconnected: { word: 'Disconnected', tone: 'danger' },
}

export const verificationLabels: Readonly<Record<WhatsAppNumber['verificationStatus'], Word>> = {
  verified: { word: 'Verified', tone: 'info' },
  pending: { word: 'Pending', tone: 'warning' },
}

/** Labels of the platform's quality rating for a number's messages. */
export const qualityLabels: Readonly<Record<WhatsAppNumber['quality'], Word & { readonly meaning: string }>> = {
  high: { word: 'High', tone: 'success', meaning: 'Customers rarely block or report its messages.' },
  medium: { word: 'Medium', tone: 'warning', meaning: 'Customers block or report more of its messages than usual.' },
  low: { word: 'Low', tone: 'danger', meaning: 'Many customers block it, so its limits may be reduced.' },
  unknown: { word: 'Unknown', tone: 'neutral', meaning: 'It has not sent enough messages to be rated.' },
}

export const nameWords: Readonly<Record<WhatsAppNumber['nameStatus'], string>> = {
  approved: 'Approved',
  pending: 'In review',
  declined: 'Declined',
  unknown: 'Unknown',
}

/** The steps of the check list. */
export const stepLabels: Readonly<Record<NumberStep, string>> = {
  token: 'Access token',
  number: 'Number in the account',
  details: 'Name, quality and limits',
  subscription: 'Webhook subscription',
  webhook: 'Signed webhook',
  registration: 'Registration',
}

export const checkLabels: Readonly<Record<NumberCheck['state'], Word>> = {
  passed: { word: 'Passed', tone: 'success' },
  failed: { word: 'Failed', tone: 'danger' },
  waiting: { word: 'Waiting', tone: 'neutral' },
}

/** Messages that a stopped number does not send. */
export const notSent = {
  all: 'Nothing is sent.',
  templates: 'No templates are sent, but replies are.',
  marketing: 'No marketing is sent; everything else is.',
} as const

/** Labels for earlier chats of a number that was used in the WhatsApp Business app. */
export const historyLabels: Readonly<Record<NonNullable<WhatsAppNumber['history']>['state'], string>> = {
  running: 'Receiving earlier chats',
  done: 'Received',
  declined:
    'Earlier chats are not shared. To have them here, share the chat history when you connect the number in the WhatsApp Business app.',
}
