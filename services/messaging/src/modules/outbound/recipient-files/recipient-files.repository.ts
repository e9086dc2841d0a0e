import { createHash } from 'node:crypto'
import { fullConnection, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import { fileFaultCodes } from '../../../whatsapp/file-errors.ts'
import { type RecipientFileRecord, recipientFileSchema } from './recipient-files.model.ts'

const name = 'recipientFiles'
/** Campaigns looked at in one sweep. */
const maxDue = 500
const maxReads = 20
const maxExpired = 200
/** Latest files by which a campaign is judged. */
const maxJudged = 50
/** Next attempt of a file whose campaign is paused. */
const whilePaused = new Date('9999-12-31T00:00:00Z')

type Wanted = Pick<RecipientFileRecord, 'campaignId' | 'numberId' | 'kind'>
/** File that is deleted. */
type Expired = Pick<RecipientFileRecord, 'id' | 'workspaceId' | 'campaignId' | 'mediaId'>
/** Change that ends an attempt. */
type Ended = Partial<Pick<RecipientFileRecord, 'state' | 'dueAt' | 'attempts' | 'code' | 'detail' | 'endedAt'>>

export type RecipientFilesRepository = ReturnType<typeof createRecipientFilesRepository>

/** Returns the change that begins a file anew. */
const fetchedAnew = () => ({
  $set: { state: 'waiting' as const, attempts: 0, dueAt: new Date() },
  $unset: { endedAt: 1 as const, code: 1 as const, detail: 1 as const },
})

const addressKey = (address: string): string => createHash('sha256').update(address).digest('base64url')

/** Files of recipients, by the addresses that they are fetched from. */
export function createRecipientFilesRepository(connection: ServiceConnection) {
  const files = workspaceCollection<RecipientFileRecord>({ connection, name, schema: recipientFileSchema })

  return {
    /** Notes addresses of a campaign that messages wait for. @returns the ids of their records by address. */
    need: async (
      scope: WorkspaceScope,
      { campaignId, numberId, kind }: Wanted,
      addresses: readonly string[],
      { session }: Pick<Tx, 'session'>,
    ): Promise<Map<string, string>> => {
      const keys = new Map([...new Set(addresses)].map((address) => [addressKey(address), address]))
      if (keys.size === 0) return new Map()
      const dueAt = new Date()
      const writes = [...keys].map(([key, address]) => ({
        updateOne: {
          filter: { campaignId, key },
          update: {
            $setOnInsert: { numberId, kind, address, state: 'waiting' as const, dueAt, attempts: 0 },
          },
          upsert: true,
        },
      }))
      await files(scope).bulkWrite(writes, { session, ordered: false })
      const found = await files(scope)
        .find({ campaignId, key: { $in: [...keys.keys()] } })
        .hint('address')
        .session(session)
      return new Map(found.map(({ id, address }) => [address, id]))
    },
    readMany: (scope: WorkspaceScope, ids: readonly string[]): PromiseLike<RecipientFileRecord[]> =>
      files(scope).find({ _id: { $in: ids } }),
    /** Returns campaigns with files that are due, of all workspaces. */
    due: async (now: Date): Promise<JobRecord[]> => {
      const campaigns = new Map<string, JobRecord>()
      const known: unknown[] = []
      // The oldest files may all be of one campaign: those of others are looked for past it.
      for (let read = 0; read < maxReads && campaigns.size < maxDue; read += 1) {
        const found = await fullConnection(connection)
          .collection(name)
          .find(
            { dueAt: { $lte: now }, campaignId: { $nin: known } },
            { hint: 'due', limit: maxDue, projection: { campaignId: 1, workspaceId: 1 } },
          )
          .toArray()
        for (const { campaignId, workspaceId } of found) {
          const id = String(campaignId)
          if (!campaigns.has(id)) known.push(campaignId)
          campaigns.set(id, { id, workspaceId: String(workspaceId) })
        }
        if (found.length < maxDue) break
      }
      return [...campaigns.values()]
    },
    /** Takes the file of a campaign that has waited longest; null where none is due. */
    claim: (
      scope: WorkspaceScope,
      campaignId: string,
      { now, claim, leaseUntil }: { now: Date; claim: string; leaseUntil: Date },
    ): Promise<RecipientFileRecord | null> =>
      files(scope).findOneAndUpdate(
        { campaignId, dueAt: { $lte: now } },
        { $set: { dueAt: leaseUntil, claim } },
        { sort: { dueAt: 1 } },
      ),
    /** Has the failed files of a campaign fetched anew. */
    retryFailed: async (scope: WorkspaceScope, campaignId: string): Promise<void> => {
      const filter = { campaignId, endedAt: { $gte: new Date(0) }, state: 'failed' as const }
      await files(scope).updateMany(filter, fetchedAnew())
    },
    /** Has a file fetched anew if it has failed. @returns whether it is kept. */
    retryOne: async (scope: WorkspaceScope, id: string, { session }: Pick<Tx, 'session'>): Promise<boolean> => {
      await files(scope).updateOne({ _id: id, state: 'failed' }, fetchedAnew(), { session })
      return (await files(scope).findOne({ _id: id }, { session })) !== null
    },
    /** Leaves the files of a paused campaign alone: no attempt begins, and what comes of one that is being made no longer counts. */
    hold: async (scope: WorkspaceScope, campaignId: string): Promise<void> => {
      const changes = { $set: { dueAt: whilePaused }, $unset: { claim: 1 as const } }
      await files(scope).updateMany({ campaignId, dueAt: { $lt: whilePaused } }, changes)
    },
    /** Returns whether a campaign has files that were left alone. */
    isHeld: async (scope: WorkspaceScope, campaignId: string): Promise<boolean> =>
      (await files(scope).countDocuments({ campaignId, dueAt: { $gte: whilePaused } }, { hint: 'waiting', limit: 1 })) >
      0,
    /** Has the files fetched that were left alone; part of the transaction that finds their campaign active. */
    release: async (scope: WorkspaceScope, campaignId: string, { session }: Pick<Tx, 'session'>): Promise<void> => {
      const held = { campaignId, dueAt: { $gte: whilePaused } }
      await files(scope).updateMany(held, { $set: { dueAt: new Date() } }, { session })
    },
    /** Ends the files of a campaign that nobody waits for any more. */
    giveUp: async (scope: WorkspaceScope, campaignId: string): Promise<void> => {
      const ended = { state: 'failed' as const, code: fileFaultCodes.gone, detail: 'Its campaign was cancelled.' }
      await files(scope).updateMany(
        { campaignId, dueAt: { $exists: true } },
        { $set: { ...ended, endedAt: new Date() }, $unset: { dueAt: 1, claim: 1 } },
      )
    },
    /** Counts the latest files that have ended since a moment, and names the latest failure. */
    countEnded: async (scope: WorkspaceScope, campaignId: string, since: Date) => {
      const latest = await files(scope)
        .find({ campaignId, endedAt: { $gte: since } })
        .sort({ endedAt: -1 })
        .limit(maxJudged)
        .hint('ended')
      const failed = latest.filter(({ state }) => state === 'failed')
      return { ended: latest.length, failed: failed.length, code: failed[0]?.code }
    },
    /** Has the files of an ended campaign deleted at a time. */
    keepUntil: (scope: WorkspaceScope, campaignId: string, keptUntil: Date) =>
      files(scope).updateMany({ campaignId, keptUntil: { $exists: false } }, { $set: { keptUntil } }),
    /** Returns files that are kept no longer, of all workspaces. */
    expired: async (now: Date): Promise<Expired[]> => {
      const found = await fullConnection(connection)
        .collection(name)
        .find({ keptUntil: { $lte: now } }, { hint: 'kept', limit: maxExpired })
        .toArray()
      return found.map(({ _id, workspaceId, campaignId, mediaId }) => ({
        id: String(_id),
        workspaceId: String(workspaceId),
        campaignId: String(campaignId),
        mediaId: mediaId && String(mediaId),
      }))
    },
    remove: async ({ id, ...scope }: Pick<Expired, 'id' | 'workspaceId'>): Promise<void> => {
      await files(scope).deleteOne({ _id: id })
    },
    find: (scope: WorkspaceScope, campaignId: string, address: string): Promise<RecipientFileRecord | null> =>
      files(scope).findOne({ campaignId, key: addressKey(address) }, { hint: 'address' }),
    /** Returns whether a campaign sends a file of ours to recipients. */
    hasFile: async (scope: WorkspaceScope, mediaId: string): Promise<boolean> =>
      (await files(scope).countDocuments({ mediaId }, { hint: 'file', limit: 1 })) > 0,
    /** Notes what was fetched, as long as the attempt is this process's. @returns whether it was. */
    noteFetched: async (
      { id, ...scope }: Pick<RecipientFileRecord, 'id' | 'workspaceId'>,
      claim: string,
      file: Pick<RecipientFileRecord, 'mediaId' | 'mimeType' | 'sizeBytes'>,
    ): Promise<boolean> => (await files(scope).updateOne({ _id: id, claim }, { $set: file })).matchedCount === 1,
    /** Ends an attempt, as long as it is this process's. */
    end: async (
      { id, ...scope }: Pick<RecipientFileRecord, 'id' | 'workspaceId'>,
      claim: string,
      ended: Ended,
    ): Promise<void> => {
      const isOver = ended.state !== undefined
      const unset = { claim: 1 as const, ...(isOver && { dueAt: 1 as const }) }
      await files(scope).updateOne({ _id: id, claim }, { $set: ended, $unset: unset })
    },
  }
}
