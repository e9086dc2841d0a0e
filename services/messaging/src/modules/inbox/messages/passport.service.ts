import { can } from '@parley/contracts/account/permissions'
import { skipLabels } from '@parley/contracts/campaigns/skip-labels'
import type { Passport } from '@parley/contracts/inbox/message-endpoints'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { UserContext } from '@parley/service-kit/http/context'
import { classifyError } from '../../../whatsapp/error-classes.ts'
import type { MessageRecord } from './messages.model.ts'
import type { ThreadService } from './thread.service.ts'
import { toMessage } from './to-message.ts'

const maxBody = 20_000
/** A request of it was made, or is being made. */
const triedStates: ReadonlySet<string> = new Set(['sending', 'accepted', 'failed', 'uncertain'])
/** The latest: with the request as many as an answer takes. */
const maxTold = 19

/** A piece of a webhook, as it came. */
interface EventPiece {
  readonly receivedAt: Date
  readonly payload: string
}

export interface PassportDependencies {
  readonly thread: Pick<ThreadService, 'find'>
  readonly rawEvents: {
    /** Returns the platform's events about a message, oldest first, while they are kept. */
    readonly about: (scope: WorkspaceScope, waMessageIds: readonly string[]) => PromiseLike<readonly EventPiece[]>
  }
  /** The body of the request that it leaves with. */
  readonly requestOf: (scope: WorkspaceScope, message: MessageRecord) => Promise<object | undefined>
  readonly rateCards: {
    /** Returns the price of a message when it was charged, as far as the workspace's prices give it. */
    readonly priceAt: (
      scope: WorkspaceScope,
      charged: { contactId: string; category: string; at: Date },
    ) => Promise<{ micros: number; currency: string } | undefined>
  }
  readonly campaignRecords: {
    readonly read: (scope: WorkspaceScope, id: string) => PromiseLike<{ name: string } | null | undefined>
  }
}

/** Collects everything that is known of a message. */
export function createPassports({ thread, rawEvents, requestOf, rateCards, campaignRecords }: PassportDependencies) {
  /** @throws `not_found`. */
  async function read(
    ctx: Pick<UserContext, 'workspaceId' | 'role'>,
    conversationId: string,
    messageId: string,
  ): Promise<Passport> {
    const record = await thread.find(ctx, conversationId, messageId)
    const { waMessageId, formerWaMessageIds = [], cause } = record
    const ids = [...formerWaMessageIds, ...(waMessageId === undefined ? [] : [waMessageId])]
    const exchange = can(ctx.role, 'numbers:secret') ? await exchangeOf(ctx, record, ids) : undefined
    const campaign = cause.kind === 'campaign' && isId(cause.id) ? await campaignRecords.read(ctx, cause.id) : undefined
    const pricing = await pricingOf(ctx, record)
    const error = errorOf(record)
    return {
      message: toMessage(record),
      ...(waMessageId !== undefined && { waMessageId }),
      ...(formerWaMessageIds.length > 0 && { formerWaMessageIds: [...formerWaMessageIds] }),
      ...(campaign && { campaign: { id: cause.id, name: campaign.name } }),
      timeline: timelineOf(record),
      ...(pricing && { pricing }),
      ...(error && { error }),
      ...(exchange && { exchange }),
    }
  }

  /** The request comes first: nothing is reported of a message before it has left. */
  async function exchangeOf(scope: WorkspaceScope, record: MessageRecord, ids: readonly string[]) {
    const hasLeft = record.direction === 'outbound' && triedStates.has(record.dispatch?.state ?? 'queued')
    const [request, events] = await Promise.all([
      hasLeft ? requestOf(scope, record) : undefined,
      ids.length > 0 ? rawEvents.about(scope, ids) : [],
    ])
    const sent = request && {
      at: (record.statusAt.sent ?? record.sentAt).toISOString(),
      direction: 'out' as const,
      body: JSON.stringify(request).slice(0, maxBody),
    }
    return [
      ...(sent ? [sent] : []),
      ...events.slice(-maxTold).map(({ receivedAt, payload }) => ({
        at: receivedAt.toISOString(),
        direction: 'in' as const,
        body: payload.slice(0, maxBody),
      })),
    ]
  }

  /** Returns its pricing. A message is charged once it was delivered: from then on there is a row of usage for it. */
  async function pricingOf(scope: WorkspaceScope, { pricing, statusAt, contactId }: MessageRecord) {
    if (!pricing) return undefined
    const { billable, category, type } = pricing
    const at = statusAt.delivered ?? statusAt.read
    const price = billable && at ? await rateCards.priceAt(scope, { contactId, category, at }) : undefined
    return {
      billable,
      category,
      ...(type !== undefined && { type }),
      ...(at && { chargedAt: at.toISOString() }),
      ...(price && { price }),
    }
  }

  return { read }
}

/** Sample data that was loaded earlier names campaigns as its story does. */
const isId = (id: string): boolean => /^[0-9a-f]{24}$/.test(id)

/** Explains an error in plain words, with what a person can do about it. */
function errorOf(record: MessageRecord): Passport['error'] {
  const { error, dispatch } = record
  if (error) {
    const { class: errorClass, title, advice, nextStep } = classifyError(error.code)
    return {
      code: error.code,
      class: errorClass,
      title,
      details: error.details,
      nextStep: advice,
      ...(nextStep !== 'none' && { action: nextStep }),
    }
  }
  const shown = toMessage(record).error
  if (!shown) return undefined
  if (!dispatch?.unconfirmed) return { ...shown, class: 'left_out', details: '' }
  return {
    ...shown,
    class: 'uncertain',
    details:
      'WhatsApp’s response was lost, and no status has arrived since. The customer may or may not have received the message.',
    action: 'retry',
  }
}

const statusTexts = {
  queued: 'Queued for sending',
  sent: 'WhatsApp has sent it',
  delivered: 'It was delivered to the phone',
  read: 'The customer has read it',
  failed: 'It could not be delivered',
} as const

/** Lists the history of a message, oldest first. */
function timelineOf(record: MessageRecord) {
  const { direction, statusAt, sentAt, sendAt, editedAt, deletedAt } = record
  const steps: { at: Date | undefined; kind: string; text: string }[] = [
    ...(['queued', 'sent', 'delivered', 'read', 'failed'] as const).map((status) => ({
      at: statusAt[status],
      kind: status,
      text: statusTexts[status],
    })),
    ...(direction === 'inbound' ? [{ at: sentAt, kind: 'received', text: 'The customer has sent it' }] : []),
    { at: sendAt, kind: 'scheduled', text: 'Scheduled to be sent' },
    ...triesOf(record),
    { at: editedAt, kind: 'edited', text: 'The customer has changed it' },
    { at: deletedAt, kind: 'deleted', text: 'The customer has deleted it' },
  ]
  return steps
    .flatMap(({ at, ...step }) => (at ? [{ at: at.toISOString(), ...step }] : []))
    .sort((left, right) => secondOf(left) - secondOf(right))
}

/** Returns the outcome of the sending itself, where no status gives it. */
function triesOf({ direction, dispatch, updatedAt: at }: MessageRecord) {
  if (!dispatch || direction !== 'outbound') return []
  const { state, lastError, reason, uncertainAt } = dispatch
  const words = lastError?.message ?? 'the reason is unknown'
  const text = (start: string) => `${start}: ${words}`.slice(0, 500)
  if (state === 'uncertain')
    return [
      { at: uncertainAt ?? at, kind: 'uncertain', text: text('It was sent to WhatsApp, but the response was lost') },
    ]
  if (state === 'cancelled')
    return [{ at, kind: 'cancelled', text: reason ? skipLabels[reason].title : 'Cancelled before it was sent' }]
  return lastError ? [{ at, kind: 'try', text: text('An attempt failed') }] : []
}

/** The platform tells times in whole seconds: within one, steps keep the order in which they can happen. */
const secondOf = ({ at }: { at: string }): number => Math.floor(Date.parse(at) / 1000)
