import { batchesOf } from '@parley/service-kit/data/batches'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { createPricedMessages, type PricedMessage } from '../../inbox/messages/priced-messages.ts'
import { type UsageRecord, usageSchema } from './usage.model.ts'

const batchSize = 500

/** A delivered message and its row of usage that do not agree. */
export interface Difference {
  readonly messageId: string
  readonly problem: 'has no row' | 'has a row without a price' | 'has another row'
  /** Charges by the message, and by the row. */
  readonly message?: Charge | undefined
  readonly row?: Charge | undefined
}
interface Charge {
  readonly category: string
  readonly billable: boolean
  readonly at: Date
  readonly campaignId?: string | undefined
}

export interface Recounted {
  readonly rows: number
  readonly billable: number
  /** Messages that are gone, erased with the person: their charge stays. */
  readonly withoutMessage: number
}

/**
 * Compares rows of usage with the pricing blocks of messages, both ways. Rows that change meanwhile are compared a second time.
 * @returns counts, once every difference was reported.
 */
export function createUsageRecount(connection: ServiceConnection) {
  const usage = workspaceCollection<UsageRecord>({ connection, name: 'usage', schema: usageSchema })
  const messages = createPricedMessages(connection)

  const rowsOf = (scope: WorkspaceScope, messageIds: readonly string[]): PromiseLike<UsageRecord[]> =>
    usage(scope)
      .find({ messageId: { $in: messageIds } })
      .hint('message')

  async function differencesOf(scope: WorkspaceScope, ids: readonly string[]): Promise<Difference[]> {
    const stored = new Map((await messages.of(scope, ids)).map((message) => [message.id, message]))
    const rows = new Map((await rowsOf(scope, ids)).map((row) => [row.messageId, row]))
    return ids.flatMap((id) => differenceOf(id, stored.get(id), rows.get(id)) ?? [])
  }

  return async (scope: WorkspaceScope, report: (difference: Difference) => void): Promise<Recounted> => {
    async function compare(ids: readonly string[]): Promise<void> {
      const suspects = await differencesOf(scope, ids)
      if (suspects.length === 0) return
      const still = await differencesOf(
        scope,
        suspects.map(({ messageId }) => messageId),
      )
      for (const difference of still) report(difference)
    }

    for await (const batch of batchesOf(messages.sent(scope), batchSize)) {
      const charged = batch.filter((message) => chargeOf(message)).map(({ id }) => id)
      const have = new Set((await rowsOf(scope, charged)).map(({ messageId }) => messageId))
      await compare(charged.filter((id) => !have.has(id)))
    }
    const counts = { rows: 0, billable: 0, withoutMessage: 0 }
    for await (const batch of batchesOf(usage(scope).find({}).hint('message'), batchSize)) {
      counts.rows += batch.length
      counts.billable += batch.filter(({ billable }) => billable).length
      const ids = batch.map(({ messageId }) => messageId)
      const known = new Set((await messages.of(scope, ids)).map(({ id }) => id))
      counts.withoutMessage += ids.filter((id) => !known.has(id)).length
      await compare(ids.filter((id) => known.has(id)))
    }
    return counts
  }
}

function differenceOf(
  messageId: string,
  stored: PricedMessage | undefined,
  row: UsageRecord | undefined,
): Difference | undefined {
  if (!stored) return undefined
  const message = chargeOf(stored)
  if (message && !row) return { messageId, problem: 'has no row', message }
  if (!message) return row && { messageId, problem: 'has a row without a price', row: shown(row) }
  return row && isSame(message, row)
    ? undefined
    : { messageId, problem: 'has another row', message, row: row && shown(row) }
}

/** A message is charged once it has arrived and its price is known. Nothing is charged for the sample data. */
function chargeOf({ pricing, statusAt: { delivered, read }, cause, sample }: PricedMessage): Charge | undefined {
  const at = delivered && read ? (delivered < read ? delivered : read) : (delivered ?? read)
  if (!pricing || !at || sample) return undefined
  const { category, billable } = pricing
  return { category, billable, at, ...(cause.kind === 'campaign' && { campaignId: cause.id }) }
}

const isSame = (message: Charge, row: UsageRecord): boolean =>
  message.category === row.category &&
  message.billable === row.billable &&
  message.at.getTime() === row.at.getTime() &&
  row.campaignId === message.campaignId

const shown = ({ category, billable, at, campaignId }: UsageRecord): Charge => ({ category, billable, at, campaignId })
