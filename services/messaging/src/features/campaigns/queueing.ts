import { laneOf } from '@parley/service-kit/queue/lanes'
import type { ConversationsService } from '../conversations/conversations.service.ts'
import type { Outbox } from '../messages/outbox.ts'
import { filledTemplate } from '../templates/filled-template.ts'
import type { CampaignRecord } from './campaigns.model.ts'
import type { ChangeAtEnd } from './change-at-end.ts'
import type { RecentSince } from './recent-since.ts'
import { blockOf, type RecipientRecord } from './recipients.model.ts'
import type { RecipientsRepository } from './recipients.repository.ts'
import type { TurnOf } from './turns.ts'

const batchSize = 500
/** Of the sender's work so much lies ready: what lies there longer could not be paused at once. */
const backlogSeconds = 2
const [leastBacklog, mostBacklog] = [50, 2000]

export type Queueing = ReturnType<typeof createQueueing>

/**
 * Gives rows to the outbox, in their order. The place up to which that is done moves in the same transaction as the messages
 * are stored: no row is passed over, and none is taken twice.
 */
export function createQueueing({
  recipients,
  messages,
  conversations,
  recentSince,
  changeAtEnd,
  turnOf,
  wake,
  now = () => new Date(),
}: {
  recipients: Pick<RecipientsRepository, 'pendingFrom' | 'setState'>
  messages: Pick<Outbox, 'add' | 'countOpen'>
  conversations: Pick<ConversationsService, 'idsOf'>
  recentSince: RecentSince
  changeAtEnd: ChangeAtEnd
  turnOf: TurnOf
  /** There is something to send in a lane. */
  wake: (lane: number) => void
  now?: () => Date
}) {
  /** Fills the outbox up to what leaves soon. @returns the campaign as it is then; null where it has changed meanwhile. */
  async function fill(campaign: CampaignRecord, perSecond: number): Promise<CampaignRecord | null> {
    const scope = { workspaceId: campaign.workspaceId }
    const wanted = Math.min(mostBacklog, Math.max(leastBacklog, perSecond * backlogSeconds))
    let room = wanted - (await messages.countOpen(scope, campaign.id, ['queued', 'held']))
    let current: CampaignRecord = campaign
    const since = room > 0 ? await recentSince(campaign, now()) : undefined
    while (room > 0 && current.position < current.frozen.rows) {
      const turn = await turnOf(current, wanted)
      const moved = await next(current, { since, turn }, Math.min(batchSize, room))
      if (!moved) return null
      room -= moved.result
      current = moved.record
      if (moved.result > 0) wake(laneOf(campaign.numberId))
    }
    return current
  }

  async function next(
    campaign: CampaignRecord,
    { since, turn }: { since: Date | undefined; turn: number },
    size: number,
  ) {
    const { id, workspaceId, numberId, position, frozen } = campaign
    const scope = { workspaceId }
    const below = Math.min(frozen.rows, position + size)
    const seen = { status: 'active' as const, position }
    const update = (queued: number) => ({ $set: { position: below, turn: turn + queued } })
    return changeAtEnd(campaign, { seen, update }, async (tx) => {
      const rows = await recipients.pendingFrom(scope, id, { from: position, below }, tx)
      const contactIds = rows.map(({ contactId }) => contactId)
      const conversationOf = await conversations.idsOf(scope, numberId, contactIds)
      const at = now()
      await messages.add(
        scope,
        rows.map((row, place) =>
          messageOf(campaign, row, { conversationId: conversationOf(row.contactId), at, since, turn: turn + place }),
        ),
        tx,
      )
      const ids = rows.map((row) => row.id)
      await recipients.setState(scope, ids, { state: 'queued', from: 'pending' }, tx)
      return rows.length
    })
  }

  return { fill }
}

type Sending = Pick<CampaignRecord, 'id' | 'numberId' | 'templateId' | 'template'>

function messageOf(
  { id, numberId, templateId, template }: Sending,
  { id: _id, contactId, n, values = {} }: RecipientRecord,
  { conversationId, at, since, turn }: { conversationId: string; at: Date; since: Date | undefined; turn: number },
) {
  return {
    _id,
    conversationId,
    numberId,
    contactId,
    direction: 'outbound' as const,
    content: { ...filledTemplate({ ...template, id: templateId }, values) },
    status: 'queued' as const,
    statusAt: { queued: at },
    cause: { kind: 'campaign', id, block: blockOf(n) },
    dispatch: {
      ...{ state: 'queued' as const, priority: turn, notBefore: at, attempts: 0 },
      ...(since && { recentSince: since }),
    },
    sendLane: String(laneOf(numberId)),
    sentAt: at,
  }
}
