import type { Passport } from '@parley/contracts/message-endpoints'
import { can } from '@parley/contracts/permissions'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { UserContext } from '@parley/service-kit/http/context'
import { classifyError } from '../../whatsapp/error-classes.ts'
import type { MessageRecord } from './messages.model.ts'
import type { ThreadService } from './thread.service.ts'
import { toMessage } from './to-message.ts'

const longestBody = 20_000

/** A piece of a webhook, as it came. */
interface ToldPiece {
  readonly receivedAt: Date
  readonly payload: string
}

/** Everything that is known of a message. */
export function createPassports({
  thread,
  toldAbout,
}: {
  thread: Pick<ThreadService, 'find'>
  /** What the platform has told of a message, the oldest first, while it is kept. */
  toldAbout: (scope: WorkspaceScope, waMessageIds: readonly string[]) => Promise<readonly ToldPiece[]>
}) {
  /** @throws `not_found`. */
  async function read(ctx: UserContext, conversationId: string, messageId: string): Promise<Passport> {
    const record = await thread.find(ctx, conversationId, messageId)
    const { waMessageId, formerWaMessageIds = [], pricing, error } = record
    const known = error && classifyError(error.code)
    const ids = [...formerWaMessageIds, ...(waMessageId === undefined ? [] : [waMessageId])]
    const told = can(ctx.role, 'numbers:secret') && ids.length > 0 ? await toldAbout(ctx, ids) : undefined
    return {
      message: toMessage(record),
      ...(waMessageId !== undefined && { waMessageId }),
      timeline: timelineOf(record),
      ...(pricing && {
        pricing: {
          billable: pricing.billable,
          category: pricing.category,
          ...(pricing.type !== undefined && { type: pricing.type }),
        },
      }),
      ...(error &&
        known && {
          error: {
            code: error.code,
            class: known.class,
            title: known.title,
            details: error.details,
            nextStep: known.advice,
          },
        }),
      ...(told && {
        exchange: told.map(({ receivedAt, payload }) => ({
          at: receivedAt.toISOString(),
          direction: 'in' as const,
          body: payload.slice(0, longestBody),
        })),
      }),
    }
  }

  return { read }
}

const statusTexts = {
  queued: 'Written, and handed to the sender',
  sent: 'WhatsApp has sent it',
  delivered: 'It has arrived on the phone',
  read: 'The customer has read it',
  failed: 'It could not be delivered',
} as const

/** Oldest first. */
function timelineOf({ direction, statusAt, dispatch, sentAt, updatedAt, editedAt, deletedAt }: MessageRecord) {
  const steps: { at: Date | undefined; kind: string; text: string }[] = [
    ...(['queued', 'sent', 'delivered', 'read', 'failed'] as const).map((status) => ({
      at: statusAt[status],
      kind: status,
      text: statusTexts[status],
    })),
    ...(direction === 'inbound' ? [{ at: sentAt, kind: 'received', text: 'The customer has sent it' }] : []),
    ...(dispatch?.lastError
      ? [{ at: updatedAt, kind: 'try', text: `A try did not succeed: ${dispatch.lastError.message}`.slice(0, 500) }]
      : []),
    { at: editedAt, kind: 'edited', text: 'The customer has changed it' },
    { at: deletedAt, kind: 'deleted', text: 'The customer has deleted it' },
  ]
  return steps
    .flatMap(({ at, ...step }) => (at ? [{ at: at.toISOString(), ...step }] : []))
    .sort((left, right) => secondOf(left) - secondOf(right))
}

/** The platform tells times in whole seconds: within one, steps keep the order in which they can happen. */
const secondOf = ({ at }: { at: string }): number => Math.floor(Date.parse(at) / 1000)
