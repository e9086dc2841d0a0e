import type { ReadReceipts } from '@parley/contracts/inbox/read-receipts'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import type { GraphClient } from '../../../whatsapp/graph-client.ts'
import type { ConversationRecord } from '../conversations/conversations.service.ts'
import type { ThreadService } from '../messages/thread.service.ts'

/** The platform shows it for 25 s; a member still typing by then is shown once more. */
const repeatedAfterMs = 20_000
/** Number of newest messages among which the customer's latest is sought. */
const newest = 50
const dayMs = 86_400_000

interface Dependencies {
  readonly redis: Redis
  readonly thread: Pick<ThreadService, 'walk'>
  /** Returns how to call the platform for a number; `undefined` for one that is gone. */
  readonly accessOf: (scope: WorkspaceScope, numberId: string) => Promise<Access | undefined>
  /** Returns what the workspace lets customers see. */
  readonly settingOf: (scope: WorkspaceScope) => Promise<Pick<ReadReceipts, 'read' | 'typing'>>
  readonly now?: () => number
}
interface Access {
  readonly graph: GraphClient
  readonly phoneNumberId: string
  readonly accessToken: string
}

/**
 * Shows the customer that a member is typing, and that their messages were read, as far as the workspace wants it. The platform
 * does the first only together with the second, for their latest message: nothing is sent where there is none, or where the
 * window is closed and no one could answer.
 * @throws what the platform refuses; it does not matter to anything else.
 */
export const createCustomerTyping =
  ({ redis, thread, accessOf, settingOf, now = Date.now }: Dependencies) =>
  async (scope: WorkspaceScope, { id, numberId, windowExpiresAt }: ConversationRecord): Promise<void> => {
    if (!windowExpiresAt || windowExpiresAt.getTime() <= now()) return
    const first = await redis.set(`typing:{${scope.workspaceId}}:${id}`, '1', 'PX', repeatedAfterMs, 'NX')
    if (first === null) return
    const { read, typing } = await settingOf(scope)
    if (!read) return
    const messages = await thread.walk(scope, id, { limit: newest })
    // A missed call has an id too, which is not a message's.
    const latest = messages.find(
      ({ direction, waMessageId, content }) =>
        direction === 'inbound' && waMessageId !== undefined && content.type !== 'system',
    )
    if (!latest || latest.sentAt.getTime() < now() - 30 * dayMs) return
    const access = await accessOf(scope, numberId)
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
