import { isFileHeader } from '@parley/contracts/campaigns/recipient-files'
import type { Clock } from '@parley/service-kit/core/clock'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import { laneOf } from '@parley/service-kit/queue/lanes'
import type { Records } from '../../../records.ts'
import { plainFileName } from '../../../whatsapp/file-name.ts'
import type { ConversationsService } from '../../inbox/conversations/conversations.service.ts'
import type { AwaitedFile } from '../../inbox/messages/awaited-file.ts'
import type { Outbox } from '../../inbox/messages/outbox.ts'
import type { SendingHoursService } from '../../outbound/sending-hours/sending-hours.service.ts'
import { filledTemplate } from '../../templates/filled-template.ts'
import { recentSinceOf } from '../audience/recent-since.ts'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { CampaignsRepository } from '../campaigns.repository.ts'
import { blockOf, type RecipientRecord } from '../recipients/recipients.model.ts'
import type { RecipientsRepository } from '../recipients/recipients.repository.ts'
import type { CommitIfUnchanged } from './commit-if-unchanged.ts'
import { enqueuedTo, isEnqueued, progressWith } from './enqueue-progress.ts'
import { fairShareRank } from './fair-share-rank.ts'

const batchSize = 500
/** Seconds of the sender's work that lie ready: more could not be paused at once. */
const backlogSeconds = 2
const [minBacklog, maxBacklog] = [50, 2000]

export type Queueing = ReturnType<typeof createQueueing>

/** Rows that are given together: of the whole campaign, or of one group of time zones. */
type Part = { readonly from: number; readonly zone?: undefined } | { readonly from: number; readonly zone: number }

/**
 * Gives rows to the outbox, in their order; where they are in groups of time zones, in the order of each. The place up to which
 * that is done moves in the same transaction as the messages are stored: no row is passed over, and none is taken twice.
 */
export function createQueueing({
  campaigns,
  recipients,
  messages,
  conversations,
  sendingHours,
  recipientFiles,
  commitIfUnchanged,
  wakeSender,
  queueFiles,
  now = () => new Date(),
}: {
  campaigns: Pick<CampaignsRepository, 'activeOn'>
  recipients: Pick<RecipientsRepository, 'pendingFrom' | 'pendingOfZone' | 'noteEnqueued'>
  messages: Pick<Outbox, 'add' | 'countOpen'>
  conversations: Pick<ConversationsService, 'idsOf'>
  sendingHours: Pick<SendingHoursService, 'zoneOf'>
  recipientFiles: Pick<Records['recipientFiles'], 'need'>
  commitIfUnchanged: CommitIfUnchanged
  /** Wakes a lane, which has messages to send. */
  wakeSender: (lane: number) => void
  /** Has a worker fetch the files of campaigns at once. */
  queueFiles: (campaigns: readonly JobRecord[]) => Promise<void>
  now?: Clock
}) {
  /**
   * Fills the outbox up to what leaves soon.
   * @param zones the groups of which messages may leave now, first those that are given first; absent where there are none.
   * @returns the campaign as it is then; null where it has changed meanwhile.
   */
  async function fill(
    campaign: CampaignRecord,
    perSecond: number,
    zones?: readonly number[],
  ): Promise<CampaignRecord | null> {
    const scope = { workspaceId: campaign.workspaceId }
    const wanted = Math.min(maxBacklog, Math.max(minBacklog, perSecond * backlogSeconds))
    let room = wanted - (await messages.countOpen(scope, campaign.id, ['queued', 'held'], zones))
    let current: CampaignRecord = campaign
    const since = room > 0 ? await recentSinceOf(sendingHours, campaign, now()) : undefined
    for (let part = partOf(current, zones); part && room > 0; part = partOf(current, zones)) {
      const turn = await fairShareRank(campaigns, current, wanted)
      const moved = await next(current, part, { since, turn, size: Math.min(batchSize, room) })
      if (!moved) return null
      room -= moved.result
      current = moved.record
      if (moved.result > 0) wakeSender(laneOf(campaign.numberId))
      if (moved.result > 0 && campaign.recipientFile) await queueFiles([{ id: campaign.id, ...scope }])
    }
    return current
  }

  /** The rows of a part from its place on, as many as fit, and the place that they end at. */
  async function read({ id, workspaceId, frozen }: CampaignRecord, { from, zone }: Part, size: number, tx: Tx) {
    const scope = { workspaceId }
    if (zone === undefined) {
      const below = Math.min(frozen.rows, from + size)
      return { below, rows: await recipients.pendingFrom(scope, id, { from, below }, tx) }
    }
    const rows = await recipients.pendingOfZone(scope, id, { zone, from, limit: size }, tx)
    const last = rows.length < size ? undefined : rows.at(-1)
    return { below: last ? last.n + 1 : frozen.rows, rows }
  }

  /** Notes the files that rows need. @returns what tells a row which file its message waits for. */
  async function filesOf(campaign: CampaignRecord, rows: readonly RecipientRecord[], tx: Tx): Promise<FileOf> {
    const { id: campaignId, numberId, workspaceId, template } = campaign
    const kind = template.headerMedia?.kind
    if (!isFileHeader(kind)) return () => undefined
    const addresses = rows.flatMap(({ file }) => file?.address ?? [])
    const ids = await recipientFiles.need({ workspaceId }, { campaignId, numberId, kind }, addresses, tx)
    return ({ file }) => {
      const id = ids.get(file?.address ?? '')
      return file && id !== undefined ? { id, kind, fileName: plainFileName(file.name) } : undefined
    }
  }

  async function next(
    campaign: CampaignRecord,
    part: Part,
    { since, turn, size }: { since: Date | undefined; turn: number; size: number },
  ) {
    const { workspaceId, numberId } = campaign
    const scope = { workspaceId }
    const { from, zone } = part
    const expected = {
      status: 'active' as const,
      ...(zone === undefined ? { position: from } : { [`queued.${zone}`]: from > 0 ? from : { $exists: false } }),
    }
    const update = ({ below, rows }: { below: number; rows: number }) => ({
      $set: {
        ...(zone === undefined ? { position: below } : progressWith(campaign, { zone, from, below, rows })),
        turn: turn + rows,
      },
    })
    const moved = await commitIfUnchanged(campaign, { expected, update }, async (tx) => {
      const { rows, below } = await read(campaign, part, size, tx)
      const contactIds = rows.map(({ contactId }) => contactId)
      const conversationOf = await conversations.idsOf(scope, numberId, contactIds)
      const fileOf = await filesOf(campaign, rows, tx)
      const at = now()
      await messages.add(
        scope,
        rows.map((row, index) =>
          messageOf(campaign, row, {
            conversationId: conversationOf(row.contactId),
            at,
            since,
            turn: turn + index,
            fileOf,
          }),
        ),
        tx,
      )
      const ids = rows.map((row) => row.id)
      await recipients.noteEnqueued(scope, ids, tx)
      return { below, rows: rows.length }
    })
    return moved && { record: moved.record, result: moved.result.rows }
  }

  return { fill }
}

/** Returns the part that is given next; undefined where there is nothing left of what may leave now. */
function partOf(campaign: CampaignRecord, zones: readonly number[] | undefined): Part | undefined {
  if (!zones) return isEnqueued(campaign) ? undefined : { from: campaign.position }
  const zone = zones.find((candidate) => !isEnqueued(campaign, candidate))
  return zone === undefined ? undefined : { zone, from: enqueuedTo(campaign, zone) }
}

type FileOf = (row: RecipientRecord) => AwaitedFile | undefined
type Sending = Pick<CampaignRecord, 'id' | 'numberId' | 'templateId' | 'template'>

function messageOf(
  { id, numberId, templateId, template }: Sending,
  row: RecipientRecord,
  context: { conversationId: string; at: Date; since: Date | undefined; turn: number; fileOf: FileOf },
) {
  const { id: _id, contactId, n, zone, values = {} } = row
  const { conversationId, at, since, turn, fileOf } = context
  const awaitedFile = fileOf(row)
  const whole = { ...template, id: templateId }
  return {
    _id,
    conversationId,
    numberId,
    contactId,
    direction: 'outbound' as const,
    content: awaitedFile
      ? { ...filledTemplate(whole, values, true), awaitedFile }
      : { ...filledTemplate(whole, values) },
    status: 'queued' as const,
    statusAt: { queued: at },
    cause: { kind: 'campaign', id, block: blockOf(n), ...(zone !== undefined && { zone }) },
    dispatch: {
      state: 'queued' as const,
      priority: turn,
      notBefore: at,
      attempts: 0,
      ...(since && { recentSince: since }),
    },
    sendLane: String(laneOf(numberId)),
    sentAt: at,
  }
}
