import type { Db } from 'mongodb'

/** Campaigns of the sample data stand still unless they have been resumed. */
const live = { $or: [{ sample: { $ne: true } }, { watch: { $exists: true } }] }
const stopped = { status: 'paused', pausedFor: 'restored' }
const change = { $unset: { watch: '', nextAt: '', pauseDetail: '' }, $inc: { version: 1 } }

/** Stops all campaigns, so that none runs by itself after a restore: each waits for a person. */
export async function stopCampaigns(db: Db): Promise<void> {
  const campaigns = db.collection('campaigns')
  const began = { ...live, status: { $in: ['active', 'paused'] }, startedAt: { $exists: true } }
  // A campaign may since have reached contacts, too, that it had not written down yet.
  await campaigns.updateMany(began, { ...change, $set: { ...stopped, 'frozen.done': true } })
  await campaigns.updateMany({ ...live, status: 'scheduled' }, { ...change, $set: stopped })
  // Reviews of drafts are not as they were either: workers delete what they had written down.
  await campaigns.updateMany(
    { status: 'draft', frozen: { $exists: true } },
    {
      $set: { 'frozen.clearing': true, watch: 'campaigns', nextAt: new Date() },
      $unset: { review: '' },
      $inc: { version: 1 },
    },
  )
}

/**
 * Marks recipients as uncertain that a campaign had not reached when the backup was taken: it may have reached them since, so
 * none of them is sent anything.
 */
export async function doubtRecipients(db: Db): Promise<void> {
  const began = db.collection('campaigns').find({ ...stopped, startedAt: { $exists: true } })
  for await (const { _id: campaignId, workspaceId } of began)
    await db
      .collection('campaignRecipients')
      .updateMany(
        { workspaceId, campaignId, state: { $in: ['pending', 'queued'] } },
        { $set: { state: 'uncertain', reason: 'restored' } },
      )
}
