import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { MessageRecord } from '../../inbox/messages/messages.service.ts'
import type { Recount } from '../run/recount.ts'
import type { RecipientsRepository } from './recipients.repository.ts'
import { rowStateOf } from './tallies.ts'

/** Rows say what their messages have come to: written in the transaction that changes the messages, one write for each state. */
export const createCampaignRows =
  ({ recipients, recount }: { recipients: Pick<RecipientsRepository, 'setState'>; recount: Pick<Recount, 'hint'> }) =>
  async (scope: WorkspaceScope, changed: readonly MessageRecord[], tx: Pick<Tx, 'session'>): Promise<void> => {
    const campaignMessages = changed.filter(({ cause }) => cause.kind === 'campaign')
    const byState = Map.groupBy(campaignMessages, (message) => Object.values(rowStateOf(message)).join(' '))
    for (const messages of byState.values()) {
      const [first] = messages
      const ids = messages.map(({ id }) => id)
      if (first) await recipients.setState(scope, ids, rowStateOf(first), tx)
    }
    for (const { cause } of campaignMessages) if (cause.block !== undefined) recount.hint(scope, cause.id, cause.block)
  }
