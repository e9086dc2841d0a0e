import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import type { JobRecord, Jobs } from '@parley/service-kit/queue/jobs'
import { z } from 'zod'
import type { MessagingMetrics } from '../../../platform/metrics.ts'
import type { MessageRecord, MessagesRepository } from '../../inbox/messages/messages.service.ts'
import type { Quota } from '../../usage/plan/quota.service.ts'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { CampaignsRepository } from '../campaigns.repository.ts'
import { blockOf, placesOf, type Tallies } from '../recipients/recipients.model.ts'
import type { RecipientsRepository } from '../recipients/recipients.repository.ts'
import { rowStateOf, sumOf, talliesOf } from '../recipients/tallies.ts'
import type { QuotaHolders } from './quota-holders.ts'
import { createRecountHints } from './recount-hints.ts'

/** Milliseconds after which a reader has a block counted again: a hint that comes while the block is being counted is lost. */
const staleMs = 20_000
/** Maximum blocks read: as many as a million rows have. */
const maxStale = 1000
/** A row that has changed within that time has its hint on its way. */
const hintedMs = 2 * 60_000
const jobIdSchema = z
  .string()
  .regex(/^[0-9a-f]{24}-\d+$/)
  .transform((id) => ({ campaignId: id.slice(0, 24), block: Number(id.slice(25)) }))

type Counted = Pick<CampaignRecord, 'id' | 'workspaceId' | 'frozen'>

export type Recount = ReturnType<typeof createRecount>

/**
 * Counts of campaigns, which are read from their rows, a block at a time, and never added to. A block and its count are one
 * snapshot: what was counted from older rows conflicts with what was counted since, and is counted again.
 */
export function createRecount({
  recipients,
  campaignRecords,
  messageRecords,
  figures,
  holders,
  quota,
  transaction,
  queues,
}: {
  recipients: Pick<
    RecipientsRepository,
    'groupsOf' | 'storeBlock' | 'block' | 'blocks' | 'storeTotals' | 'staleBlocks' | 'idsIn' | 'setState'
  >
  campaignRecords: Pick<CampaignsRepository, 'areRowsRemoved'>
  messageRecords: Pick<MessagesRepository, 'changedSince'>
  figures: Pick<MessagingMetrics, 'countDifference'>
  holders: Pick<QuotaHolders, 'countedAs'>
  quota: Pick<Quota, 'settle'>
  transaction: RunInTransaction
  queues: { readonly jobs: (name: string) => Pick<Jobs, 'add'> }
}) {
  const queue = queues.jobs('campaign-counts').add
  const hint = createRecountHints(queue)

  /** Counts a block; its stored count stays where rows are not kept any more. @returns the counts before, and now. */
  const countBlock = (scope: WorkspaceScope, campaignId: string, block: number) =>
    transaction(async (tx) => {
      const before = await recipients.block(scope, { campaignId, block }, tx)
      if (await campaignRecords.areRowsRemoved(scope, campaignId, tx))
        return { before: before?.tallies, tallies: before?.tallies ?? {} }
      const groups = await recipients.groupsOf(scope, campaignId, placesOf(block), tx)
      const tallies = talliesOf(groups)
      await recipients.storeBlock(scope, { campaignId, block }, tallies, tx)
      return { before: before?.tallies, tallies }
    })

  /** Adds up what the blocks were counted to. */
  const addUp = (scope: WorkspaceScope, campaignId: string): Promise<Tallies> =>
    transaction(async (tx) => {
      const blocks = await recipients.blocks(scope, campaignId, tx)
      const sum = sumOf(blocks.map(({ tallies }) => tallies))
      await recipients.storeTotals(scope, campaignId, sum, tx)
      // A campaign's share of the plan follows from its counts.
      const holder = await holders.countedAs(scope, campaignId, sum, tx)
      if (holder) await quota.settle(scope, holder, tx)
      return sum
    })

  /** Counts the block that a job names. @returns whose it is, and what the campaign has come to. */
  async function perform({ id, workspaceId }: JobRecord) {
    const { campaignId, block } = jobIdSchema.parse(id)
    const scope = { workspaceId }
    await countBlock(scope, campaignId, block)
    return { campaignId, tallies: await addUp(scope, campaignId) }
  }

  /** Counts the rows from a place on. */
  async function countFrom({ workspaceId, id, frozen }: Counted, from: number): Promise<void> {
    for (let n = from; n < frozen.rows; n = placesOf(blockOf(n)).below)
      await countBlock({ workspaceId }, id, blockOf(n))
  }

  /** Counts all rows. */
  async function countAll({ workspaceId, id, frozen }: Counted): Promise<Tallies> {
    const scope = { workspaceId }
    for (let block = 0; block <= blockOf(Math.max(0, frozen.rows - 1)); block += 1) await countBlock(scope, id, block)
    return addUp(scope, id)
  }

  /** Counts all rows of a campaign that has ended, and tells where they had changed without anybody having said so. */
  async function check({ workspaceId, id, frozen }: CampaignRecord): Promise<void> {
    const scope = { workspaceId }
    for (let block = 0; block <= blockOf(Math.max(0, frozen.rows - 1)); block += 1) {
      const { before, tallies } = await countBlock(scope, id, block)
      if (!before || isSame(before, tallies)) continue
      const ids = await recipients.idsIn(scope, id, placesOf(block))
      if (!(await messageRecords.changedSince(scope, ids, new Date(Date.now() - hintedMs))))
        figures.countDifference('campaign')
    }
    await addUp(scope, id)
  }

  /** One block after the other, should a hint have been lost. */
  function hintInTurn({ workspaceId, id, frozen }: Counted, turn: number): void {
    if (frozen.rows > 0) hint({ workspaceId }, id, turn % (blockOf(frozen.rows - 1) + 1))
  }

  /** The rows from a place on have been written down. */
  function hintPlaces({ workspaceId, id, frozen }: Counted, from: number): void {
    for (let n = from; n < frozen.rows; n = placesOf(blockOf(n)).below) hint({ workspaceId }, id, blockOf(n))
  }

  /** Has blocks counted that were not counted for a while, since a member is looking. */
  async function hintStale(scope: WorkspaceScope, campaignId: string): Promise<void> {
    const stale = await recipients.staleBlocks(scope, campaignId, new Date(Date.now() - staleMs), maxStale)
    for (const { block } of stale) hint(scope, campaignId, block)
  }

  /** Writes into rows what their messages have come to: in the transaction that changes the messages, one write for each state. */
  async function noteMessages(
    scope: WorkspaceScope,
    changed: readonly MessageRecord[],
    tx: Pick<Tx, 'session'>,
  ): Promise<void> {
    const campaignMessages = changed.filter(({ cause }) => cause.kind === 'campaign')
    const byState = Map.groupBy(campaignMessages, (message) => Object.values(rowStateOf(message)).join(' '))
    for (const messages of byState.values()) {
      const [first] = messages
      const ids = messages.map(({ id }) => id)
      if (first) await recipients.setState(scope, ids, rowStateOf(first), tx)
    }
    hintMessages(scope, campaignMessages)
  }

  /**
   * Writes into rows that their messages were accepted, without a transaction: only into those that have come to nothing yet, which no
   * row ever does again.
   * @returns whether all of them were such.
   */
  const noteAccepted = async (scope: WorkspaceScope, ids: readonly string[]): Promise<boolean> =>
    (await recipients.setState(scope, ids, { state: 'sent', from: ['pending'] }, {})).matchedCount === ids.length

  /** Announces that rows of messages of campaigns have changed. */
  function hintMessages(scope: WorkspaceScope, changed: readonly MessageRecord[]): void {
    for (const { cause } of changed) if (cause.block !== undefined) hint(scope, cause.id, cause.block)
  }

  return {
    noteMessages,
    noteAccepted,
    hintMessages,
    hint,
    hintPlaces,
    perform,
    countFrom,
    addUp,
    countAll,
    check,
    hintInTurn,
    hintStale,
  }
}

/** Compares tallies without clicks and replies, which may be pending without a hint. */
function isSame(before: Tallies, after: Tallies): boolean {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys.every((key) => key === 'clicked' || key === 'replied' || (before[key] ?? 0) === (after[key] ?? 0))
}
