import type { SkipReason } from '@parley/contracts/campaigns/skip-reasons'
import type { Template } from '@parley/contracts/templates/templates'
import { laneOf } from '@parley/service-kit/queue/lanes'
import type { ReportedWaPhone } from '../../contacts/contacts.service.ts'
import type { MessageRecord } from '../../inbox/messages/messages.service.ts'
import { heldLane } from '../../inbox/messages/outbox.ts'

/** Outcome of a message, as far as is known now. */
export interface Settlement {
  readonly set: Record<string, unknown>
  readonly waMessageId?: string
  readonly answeredAt?: Date
  /** Category of the accepted template. */
  readonly category?: Template['category'] | undefined
  readonly waPhone?: ReportedWaPhone | undefined
}
/** Marks a message of which only a status can show whether it left. */
export const uncertain = (reason: string, uncertainAt: Date): Settlement => ({
  set: {
    'dispatch.state': 'uncertain',
    'dispatch.uncertainAt': uncertainAt,
    'dispatch.lastError': { code: 0, message: reason.slice(0, 500) },
  },
})

/** Settles a message that may not leave, with the reason. Only a person sends it again. */
export const skipped = (reason: SkipReason, { direction }: MessageRecord, at: Date): Settlement => ({
  set: {
    'dispatch.state': 'cancelled',
    'dispatch.reason': reason,
    // A reaction leaves as the work of the message that it is about.
    ...(direction === 'outbound' && { status: 'failed', 'statusAt.failed': at }),
  },
})

/** Holds a message until the run of its campaign gives it back to the sender. */
export const held = (reason: SkipReason): Settlement => ({
  set: { 'dispatch.state': 'held', 'dispatch.reason': reason, sendLane: heldLane },
})

/** Holds a message that WhatsApp refuses: its campaign is paused for the error. The reason marks it and is shown nowhere. */
export const heldRefused = ({ code, message }: { code: number; message: string }): Settlement => ({
  set: { ...held('template_not_approved').set, 'dispatch.lastError': { code, message: message.slice(0, 500) } },
})

export const failed = (
  { direction }: Pick<MessageRecord, 'direction'>,
  { code, message }: { code: number; message: string },
  at: Date,
): Settlement => ({
  set: {
    'dispatch.state': 'failed',
    // The customer's message that a reaction is about has arrived all the same.
    ...(direction === 'outbound' && {
      status: 'failed',
      'statusAt.failed': at,
      error: { code, details: message.slice(0, 1000) },
    }),
  },
})

/** Has a message sent once more that was changed while it was on its way. */
export const queuedAgain = ({ numberId }: MessageRecord, notBefore: Date): Settlement => ({
  set: {
    'dispatch.state': 'queued',
    'dispatch.notBefore': notBefore,
    'dispatch.attempts': 0,
    sendLane: String(laneOf(numberId)),
  },
})
