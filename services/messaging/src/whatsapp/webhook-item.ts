import { laneOf } from '@parley/service-kit/queue/lanes'

/** Subjects of a raw event: a message, a status of an outbound one, or anything else. */
export const eventKinds = ['message', 'status', 'other'] as const
export type EventKind = (typeof eventKinds)[number]

/** One piece of a webhook: applied once, on its own. */
export interface WebhookItem {
  readonly kind: EventKind
  /** `messages`, `account_update`, … as the platform names it. */
  readonly field: string
  /** The business number, where the piece names one. */
  readonly phoneNumberId: string | undefined
  readonly accountId: string | undefined
  /** The message that it is or is about. */
  readonly waMessageId?: string | undefined
  readonly lane: number
  /** Piece as JSON, with the context that it needs. */
  readonly payload: string
}

/** One change of a webhook. */
export interface WebhookChange {
  readonly accountId: string | undefined
  readonly time: number | undefined
  readonly field: string
  readonly value: unknown
}

/** Returns the lane of one customer of one number, whose work is applied in order. */
export const laneOfParts = (...parts: (string | undefined)[]): number => laneOf(parts.join('/'))
