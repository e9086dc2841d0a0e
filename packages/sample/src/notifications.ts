import type { Notification } from '@parley/contracts/platform/notifications'
import { hourMs, minuteMs } from './facts.ts'

type Sample = Omit<Notification, 'id' | 'at' | 'readAt'> & { agoMs: number; read?: true }

const samples: readonly Sample[] = [
  {
    category: 'campaign',
    severity: 'success',
    title: 'Summer sale is complete',
    body: 'Everyone it could reach has been sent the message.',
    object: { kind: 'campaign', id: 'campaign-1' },
    agoMs: 18 * minuteMs,
  },
  {
    category: 'message',
    severity: 'error',
    title: 'A message to Rahul Verma was not delivered',
    body: 'The number may no longer be on WhatsApp.',
    object: { kind: 'conversation', id: 'conversation-2' },
    agoMs: 47 * minuteMs,
  },
  {
    category: 'number',
    severity: 'warning',
    title: 'Quality of Chai & Co Support is medium',
    body: 'Customers block or report more of its messages than usual.',
    object: { kind: 'number', id: 'number-2' },
    agoMs: 9 * hourMs,
  },
  {
    category: 'bot',
    severity: 'info',
    title: 'Welcome handed a conversation to a person',
    body: 'Nobody has taken it yet.',
    object: { kind: 'bot', id: 'bot-2' },
    agoMs: 19 * hourMs,
    read: true,
  },
]

/** Notifications by id, newest first. */
export function createNotifications(now: Date): Map<string, Notification> {
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  return new Map(
    samples.map(({ agoMs, read, ...rest }, index) => {
      const id = `notification-${index + 1}`
      return [id, { ...rest, id, at: before(agoMs), readAt: read ? before(agoMs - minuteMs) : null }]
    }),
  )
}
