import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type CampaignRecord, campaignsIn } from '../campaigns.model.ts'
import { type RecipientRecord, recipientsIn } from '../recipients/recipients.model.ts'
import { type LinkClickRecord, linkClickSchema } from './link-clicks.model.ts'

/** Browsers and impatient fingers open a link twice. */
const repeatMs = 2000

export function createLinkClicksRepository(connection: ServiceConnection) {
  const clicks = workspaceCollection<LinkClickRecord>({ connection, name: 'linkClicks', schema: linkClickSchema })
  const recipients = recipientsIn(connection)
  const campaigns = campaignsIn(connection)
  return {
    /** Returns the campaign that sent a message. */
    campaignOf: async (scope: WorkspaceScope, messageId: string): Promise<CampaignRecord | null> => {
      const row = await recipients(scope).findOne({ _id: messageId })
      return row && campaigns(scope).findOne({ _id: row.campaignId })
    },
    /** Stores that a recipient has opened a link of their message. @returns `null` where they have been erased. */
    recordVisit: (
      scope: WorkspaceScope,
      id: string,
      at: Date,
      { session }: Pick<Tx, 'session'>,
    ): Promise<RecipientRecord | null> =>
      recipients(scope).findOneAndUpdate(
        { _id: id, to: { $exists: true } },
        { $set: { clicked: true }, $min: { clickedAt: at } },
        { session },
      ),
    /** Counts a visit. @throws a duplicate key where the last one was less than two seconds ago. */
    note: (
      scope: WorkspaceScope,
      { campaignId, messageId, index }: Pick<LinkClickRecord, 'campaignId' | 'messageId' | 'index'>,
      at: Date,
      { session }: Pick<Tx, 'session'>,
    ) =>
      clicks(scope).updateOne(
        { messageId, index, lastAt: { $lte: new Date(at.getTime() - repeatMs) } },
        { $inc: { count: 1 }, $set: { lastAt: at }, $setOnInsert: { campaignId, firstAt: at } },
        { session, upsert: true },
      ),
    of: (scope: WorkspaceScope, messageId: string): PromiseLike<LinkClickRecord[]> =>
      clicks(scope).find({ messageId }).hint('link'),
    remove: (scope: WorkspaceScope, messageId: string) => clicks(scope).deleteMany({ messageId }),
  }
}
