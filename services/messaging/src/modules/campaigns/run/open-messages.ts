import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import { laneOf } from '@parley/service-kit/queue/lanes'
import type { Records } from '../../../records.ts'
import { heldLane, type Outbox } from '../../inbox/messages/outbox.ts'
import { contentKey } from '../../templates/content-key.ts'
import { filledTemplate } from '../../templates/filled-template.ts'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { CampaignsRepository } from '../campaigns.repository.ts'
import type { RecipientsRepository } from '../recipients/recipients.repository.ts'
import type { CommitIfUnchanged } from './commit-if-unchanged.ts'
import { fairShareRank } from './fair-share-rank.ts'

const batchSize = 500
const maxReleased = 2000
const apartAtRelease = 50

export type OpenMessages = ReturnType<typeof createOpenMessages>

/** Makes what lies in the outbox follow the state of its campaign. Each step may be done again. */
export function createOpenMessages({
  campaigns,
  recipients,
  recipientFiles,
  messages,
  commitIfUnchanged,
  transaction,
  wakeSender,
}: {
  campaigns: Pick<CampaignsRepository, 'activeOn'>
  recipients: Pick<RecipientsRepository, 'rows' | 'setState'>
  recipientFiles: Pick<Records['recipientFiles'], 'giveUp' | 'hold'>
  messages: Pick<Outbox, 'change' | 'heldWithOtherText' | 'moveOpen' | 'openIds'>
  commitIfUnchanged: CommitIfUnchanged
  transaction: RunInTransaction
  wakeSender: (lane: number) => void
}) {
  /**
   * Holds a campaign's queued messages: no request begins any more. @param zones only these groups of time zones; absent:
   * all.
   */
  const hold = ({ workspaceId, id }: CampaignRecord, zones?: readonly number[]) =>
    messages.moveOpen({ workspaceId }, id, {
      from: ['queued'],
      zones,
      to: { 'dispatch.state': 'held', sendLane: heldLane },
    })

  /** Holds what a paused campaign would send, and has no further file of its recipients fetched. */
  async function pause(campaign: CampaignRecord): Promise<void> {
    await hold(campaign)
    if (campaign.recipientFile) await recipientFiles.hold(campaign, campaign.id)
  }

  /** Updates waiting messages to the campaign's text, which may have changed since they were given to the outbox. */
  async function refill(campaign: CampaignRecord): Promise<void> {
    const { workspaceId, id, template, templateId } = campaign
    const scope = { workspaceId }
    const key = contentKey(template)
    for (let count = batchSize; count === batchSize; ) {
      count = await transaction(async (tx) => {
        const waiting = await messages.heldWithOtherText(scope, id, key, { ...tx, limit: batchSize })
        const ids = waiting.map((message) => message.id)
        const values = new Map((await recipients.rows(scope, ids, tx)).map((row) => [row.id, row.values ?? {}]))
        const changes = waiting.map(({ id: messageId, version, content: { header, awaitedFile, mediaId } }) => {
          const filled = filledTemplate({ ...template, id: templateId }, values.get(messageId) ?? {})
          // A recipient's own file stays, or is still waited for.
          const own = campaign.recipientFile && { header, awaitedFile, mediaId }
          return {
            id: messageId,
            version,
            unset: ['dispatch.reason'],
            set: { content: omitUndefined({ ...filled, ...own }) },
          }
        })
        await messages.change(scope, changes, tx)
        return waiting.length
      })
    }
  }

  /**
   * Releases messages of an active campaign: it changes the campaign as well, so that a pause at the same moment is not undone.
   * @param most messages that may leave; absent: all.
   * @param zones only these groups of time zones; absent: all.
   */
  async function release(
    campaign: CampaignRecord,
    most = Number.POSITIVE_INFINITY,
    zones?: readonly number[],
  ): Promise<void> {
    const { id, workspaceId } = campaign
    const scope = { workspaceId }
    await refill(campaign)
    const lane = laneOf(campaign.numberId)
    // The number has gone on with others meanwhile, or has started again.
    const priority = await fairShareRank(campaigns, campaign, apartAtRelease)
    const to = {
      'dispatch.state': 'queued',
      'dispatch.notBefore': new Date(),
      'dispatch.priority': priority,
      sendLane: String(lane),
    }
    const update = { $set: { nextAt: new Date() } }
    await commitIfUnchanged(campaign, { expected: { status: 'active' }, update }, async (tx) => {
      const only = Number.isFinite(most) && {
        ids: await messages.openIds(scope, id, ['held'], {
          ...tx,
          zones,
          limit: Math.min(most, maxReleased),
        }),
      }
      await messages.moveOpen(scope, id, { from: ['held'], to, zones, ...only }, tx)
    })
    wakeSender(lane)
  }

  /** Cancels a campaign's messages: none of them is sent, and its rows say so. */
  async function cancel(campaign: CampaignRecord): Promise<void> {
    const { workspaceId, id } = campaign
    const scope = { workspaceId }
    // The sender claims nothing that is held: it does not write to these messages meanwhile.
    await hold(campaign)
    if (campaign.recipientFile) await recipientFiles.giveUp(scope, id)
    // Those of the messages that are on their way take places of the plan until it is known whether they were sent.
    await transaction(async (tx) => {
      const ids = await messages.openIds(scope, id, ['sending'], { ...tx, limit: maxReleased })
      await recipients.setState(scope, ids, { state: 'queued', from: ['pending'] }, tx)
    })
    for (let count = batchSize; count === batchSize; ) {
      count = await transaction(async (tx) => {
        const ids = await messages.openIds(scope, id, ['queued', 'held'], { ...tx, limit: batchSize })
        await messages.moveOpen(scope, id, { from: ['queued', 'held'], to: { 'dispatch.state': 'cancelled' }, ids }, tx)
        await recipients.setState(scope, ids, { state: 'pending' }, tx)
        return ids.length
      })
    }
  }

  return { hold, pause, release, cancel }
}
