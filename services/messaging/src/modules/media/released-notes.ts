import { fullConnection, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type ReleasedFile, releasedFileSchema } from './media.model.ts'

const name = 'releasedFiles'

/** A file that may have to be deleted, of any workspace. */
type Note = Pick<ReleasedFile, 'workspaceId' | 'mediaId' | 'releasedAt'>

/** Notes of files that saved replies have given up, which wait for their deletion. */
export function createReleasedNotes(connection: ServiceConnection) {
  const notes = workspaceCollection<ReleasedFile>({ connection, name, schema: releasedFileSchema })
  return {
    note: async (scope: WorkspaceScope, mediaId: string): Promise<void> => {
      await notes(scope).findOneAndUpdate({ mediaId }, { $set: { releasedAt: new Date() } }, { upsert: true })
    },
    /** Returns whether a file waits for its deletion. */
    has: async (scope: WorkspaceScope, mediaId: string): Promise<boolean> =>
      (await notes(scope).countDocuments({ mediaId }, { hint: 'file', limit: 1 })) > 0,
    /** Has a file that is noted wait anew: somebody has uploaded the same content. */
    renew: async (scope: WorkspaceScope, mediaId: string): Promise<void> => {
      await notes(scope).updateOne({ mediaId }, { $set: { releasedAt: new Date() } })
    },
    /** Takes a note away, unless it was renewed. */
    remove: async ({ releasedAt, mediaId, ...scope }: Note): Promise<void> => {
      await notes(scope).deleteOne({ mediaId, releasedAt })
    },
    /** Returns notes that are older than a moment, of all workspaces. */
    due: async (before: Date, limit: number): Promise<Note[]> => {
      const filter = { releasedAt: { $lte: before } }
      const found = await fullConnection(connection)
        .collection(name)
        .find(filter, { hint: 'released', limit })
        .toArray()
      return found.map(({ workspaceId, mediaId, releasedAt }) => ({
        workspaceId: String(workspaceId),
        mediaId: String(mediaId),
        releasedAt,
      }))
    },
  }
}
