/** Statuses of an outbound message, in order. */
export const messageStatuses = ['queued', 'sent', 'delivered', 'read', 'failed'] as const
export type MessageStatus = (typeof messageStatuses)[number]

const rank: Record<MessageStatus, number> = { queued: 0, sent: 1, failed: 2, delivered: 3, read: 4 }

/**
 * Returns the status of a message after a reported step. It only moves up: steps come twice, late and in any order. A failure
 * stands unless the message was delivered after all.
 */
export const statusAfter = (current: MessageStatus, step: MessageStatus): MessageStatus =>
  rank[step] > rank[current] ? step : current
