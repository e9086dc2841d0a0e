import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { createMediaFiles } from '@parley/service-kit/media/media-files'
import { type ThumbnailRecord, thumbnailSchema, type UploadRecord, uploadSchema } from './media.model.ts'

/** Deletes a file with its small picture, and what the platform calls it. */
export function createRemoveFile(connection: ServiceConnection) {
  const thumbnails = workspaceCollection<ThumbnailRecord>({ connection, name: 'thumbnails', schema: thumbnailSchema })
  const uploads = workspaceCollection<UploadRecord>({ connection, name: 'mediaUploads', schema: uploadSchema })
  const files = createMediaFiles(connection)
  return async (scope: WorkspaceScope, mediaId: string): Promise<void> => {
    for (const { thumbnailId } of await thumbnails(scope).find({ mediaId }).hint('media'))
      if (thumbnailId !== undefined) await files.remove(scope, thumbnailId)
    await thumbnails(scope).deleteMany({ mediaId })
    await uploads(scope).deleteMany({ mediaId })
    await files.remove(scope, mediaId)
  }
}
