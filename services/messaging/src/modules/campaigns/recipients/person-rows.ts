import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { createRecipientFileUses } from '../../outbound/recipient-files/recipient-file-uses.ts'
import { campaignsIn } from '../campaigns.model.ts'
import type { Recount } from '../run/recount.ts'
import { createLinkClicksRepository } from '../tracking/link-clicks.repository.ts'
import { blockOf, type RecipientRecord, recipientsIn } from './recipients.model.ts'

const batchSize = 1000

/** Reads a person's rows in campaigns: found campaign by campaign, each of which has a contact once. */
export function createPersonRows(connection: ServiceConnection) {
  const campaigns = campaignsIn(connection)
  const recipients = recipientsIn(connection)

  const clicks = createLinkClicksRepository(connection)

  async function* rowsOf(scope: WorkspaceScope, contactId: string): AsyncGenerator<RecipientRecord> {
    let ids: string[] = []
    const found = () =>
      recipients(scope)
        .find({ campaignId: { $in: ids }, contactId })
        .hint('contact')
    for await (const { id } of campaigns(scope).find({}).select('_id').hint('latest')) {
      ids.push(id)
      if (ids.length < batchSize) continue
      yield* await found()
      ids = []
    }
    if (ids.length > 0) yield* await found()
  }

  /** Yields the rows in the form that the person may see. */
  async function* shownOf(scope: WorkspaceScope, contactId: string): AsyncGenerator<object> {
    for await (const row of rowsOf(scope, contactId)) {
      const { id, campaignId, to, values, file, state, reason, replied, clicked, clickedAt } = row
      const campaign = await campaigns(scope).findOne({ _id: campaignId })
      const visits = (await clicks.of(scope, id)).map(({ index, count, firstAt, lastAt }) => ({
        index,
        count,
        firstAt,
        lastAt,
      }))
      yield { campaign: campaign?.name, to, values, file, state, reason, replied, clicked, clickedAt, visits }
    }
  }

  return { rowsOf, shownOf, recipients, clicks }
}

/** Rows stay, so that campaigns add up: without address, values and visits of links, and what was not sent yet is left out. */
export function createEraseCampaignRows(connection: ServiceConnection, recount: Pick<Recount, 'hint'>) {
  const { rowsOf, recipients, clicks } = createPersonRows(connection)
  const recipientFiles = createRecipientFileUses(connection)

  /** Forgets an address, and the file there, that no other recipient has: before its row does, by which a repeated run finds it. */
  async function forgetFile(scope: WorkspaceScope, campaignId: string, address: string): Promise<void> {
    const having = await recipients(scope).countDocuments(
      { campaignId, 'file.address': address },
      { hint: 'file', limit: 2 },
    )
    if (having < 2) await recipientFiles.forget(scope, campaignId, address)
  }

  return async (scope: WorkspaceScope, { contactId }: { readonly contactId: string }): Promise<void> => {
    for await (const { id, campaignId, n, state, file } of rowsOf(scope, contactId)) {
      const isOpen = state === 'pending' || state === 'queued'
      if (file) await forgetFile(scope, campaignId, file.address)
      await recipients(scope).updateOne(
        { _id: id },
        {
          $unset: { to: 1, values: 1, file: 1, clickedAt: 1 },
          ...(isOpen && { $set: { state: 'skipped', reason: 'deleted' } }),
        },
      )
      await clicks.remove(scope, id)
      if (isOpen) recount.hint(scope, campaignId, blockOf(n))
    }
  }
}
