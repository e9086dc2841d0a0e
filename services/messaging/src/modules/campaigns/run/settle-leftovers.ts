import type { Outbox } from '../../inbox/messages/outbox.ts'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { RecipientsRepository } from '../recipients/recipients.repository.ts'
import { rowStateOf } from '../recipients/tallies.ts'

const batchSize = 500

/** Brings rows up to their messages. A row whose message is gone, erased with its contact say, waits for nothing. */
export const createSettleLeftovers =
  ({
    recipients,
    messages,
  }: {
    recipients: Pick<RecipientsRepository, 'queuedRows' | 'setState'>
    messages: Pick<Outbox, 'readMany'>
  }) =>
  async ({ workspaceId, id }: CampaignRecord): Promise<void> => {
    const scope = { workspaceId }
    const rows = await recipients.queuedRows(scope, id, batchSize)
    const ids = rows.map((row) => row.id)
    const stored = new Map((await messages.readMany(scope, ids)).map((message) => [message.id, message]))
    for (const rowId of ids) {
      const message = stored.get(rowId)
      const state = message ? rowStateOf(message) : { state: 'skipped' as const, reason: 'deleted' }
      await recipients.setState(scope, [rowId], { ...state, from: 'queued' }, {})
    }
  }
