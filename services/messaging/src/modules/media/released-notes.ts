import { fullConnection, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type ReleasedFile, releasedFileSchema } from './media.model.ts'

const name = 'releasedFiles'

/** A file that may have to be deleted, of any workspace. */
type Note = Pick<ReleasedFile, 'workspaceId' | 'mediaId' | 'releasedAt' | 'isGoing'>

/** Notes of files that something has given up, which wait for their deletion. */
export function createReleasedNotes(connection: ServiceConnection) {
  const notes = workspaceCollection<ReleasedFile>({ connection, name, schema: releasedFileSchema })
  const renew = (scope: WorkspaceScope, mediaId: string) =>
    notes(scope).findOneAndUpdate({ mediaId }, { $set: { releasedAt: new Date() } })
  return {
    note: async (scope: WorkspaceScope, mediaId: string): Promise<void> => {
      await notes(scope).findOneAndUpdate({ mediaId }, { $set: { releasedAt: new Date() } }, { upsert: true })
    },
    /** Returns whether a file waits for its deletion. */
    has: async (scope: WorkspaceScope, mediaId: string): Promise<boolean> =>
      (await notes(scope).countDocuments({ mediaId }, { hint: 'file', limit: 1 })) > 0,
    /** Has a file that is noted wait anew. */
    renew: async (scope: WorkspaceScope, mediaId: string): Promise<void> => {
      await renew(scope, mediaId)
    },
    /** Has a file that is noted wait anew, before something takes it: it is looked for there again. @returns false where it is being deleted. */
    take: async (scope: WorkspaceScope, mediaId: string): Promise<boolean> => !(await renew(scope, mediaId))?.isGoing,
    /** Begins to delete a file: from now nothing takes it. @returns false where something has taken it, or another process deletes it. */
    begin: async ({ releasedAt, mediaId, ...scope }: Note): Promise<boolean> => {
      const unchanged = { mediaId, releasedAt, isGoing: { $exists: false } }
      return (await notes(scope).updateOne(unchanged, { $set: { isGoing: true } })).matchedCount > 0
    },
    /** Takes the note of a file away that is deleted. */
    end: async ({ mediaId, ...scope }: Pick<Note, 'workspaceId' | 'mediaId'>): Promise<void> => {
      await notes(scope).deleteOne({ mediaId, isGoing: true })
    },
    /** Takes a note away, unless it was renewed. */
    remove: async ({ releasedAt, mediaId, ...scope }: Note): Promise<void> => {
      await notes(scope).deleteOne({ mediaId, releasedAt, isGoing: { $exists: false } })
    },
    /** Returns notes that are older than a moment, of all workspaces. */
    due: async (before: Date, limit: number): Promise<Note[]> => {
      const filter = { releasedAt: { $lte: before } }
      const found = await fullConnection(connection)
        .collection(name)
        .find(filter, { hint: 'released', limit })
        .toArray()
      return found.map(({ workspaceId, mediaId, releasedAt, isGoing }) => ({
        workspaceId: String(workspaceId),
        mediaId: String(mediaId),
        releasedAt,
        ...(isGoing === true && { isGoing }),
      }))
    },
  }
}
