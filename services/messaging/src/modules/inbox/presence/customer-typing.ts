import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import type { NumbersService } from '../../channel/numbers/numbers.service.ts'
import type { ConversationRecord } from '../conversations/conversations.service.ts'
import type { ThreadService } from '../messages/thread.service.ts'
import type { ReadReceiptsService } from '../read-receipts/read-receipts.service.ts'

/** The platform shows it for 25 s; a member still typing by then is shown once more. */
const repeatedAfterMs = 20_000
/** Number of newest messages among which the customer's latest is sought. */
const newest = 50
const dayMs = 86_400_000

interface Dependencies {
  readonly redis: Redis
  readonly thread: Pick<ThreadService, 'walk'>
  readonly numbers: Pick<NumbersService, 'access'>
  readonly readReceipts: Pick<ReadReceiptsService, 'read'>
  readonly now?: () => number
}

/**
 * Shows the customer that a member is typing, and that their messages were read, as far as the workspace wants it. The platform
 * does the first only together with the second, for their latest message: nothing is sent where there is none, or where the
 * window is closed and no one could answer.
 * @throws what the platform refuses; it does not matter to anything else.
 */
export const createCustomerTyping =
  ({ redis, thread, numbers, readReceipts, now = Date.now }: Dependencies) =>
  async (scope: WorkspaceScope, { id, numberId, windowExpiresAt }: ConversationRecord): Promise<void> => {
    if (!windowExpiresAt || windowExpiresAt.getTime() <= now()) return
    const first = await redis.set(`typing:{${scope.workspaceId}}:${id}`, '1', 'PX', repeatedAfterMs, 'NX')
    if (first === null) return
    const { read, typing } = await readReceipts.read(scope)
    if (!read) return
    const messages = await thread.walk(scope, id, { limit: newest })
    // A missed call has an id too, which is not a message's.
    const latest = messages.find(
      ({ direction, waMessageId, content }) =>
        direction === 'inbound' && waMessageId !== undefined && content.type !== 'system',
    )
    if (!latest || latest.sentAt.getTime() < now() - 30 * dayMs) return
    const access = await numbers.access(scope, numberId)
    if (!access) return
    const { graph, phoneNumberId, accessToken } = access
    await graph.call('POST', `${encodeURIComponent(phoneNumberId)}/messages`, {
      accessToken,
      body: {
        messaging_product: 'whatsapp',
        status: 'read',
        message_id: latest.waMessageId,
        ...(typing && { typing_indicator: { type: 'text' } }),
      },
      answer: z.looseObject({ success: z.boolean() }),
    })
  }
