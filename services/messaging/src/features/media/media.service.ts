import type { Readable } from 'node:stream'
import { type MediaKind, mediaKindOf, mediaLimits, type UploadedMedia, uploadTypes } from '@parley/contracts/media'
import { errors } from '@parley/service-kit/core/errors'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { FileAnswer } from '@parley/service-kit/http/file-answer'
import { createMediaFiles } from '@parley/service-kit/media/media-files'
import type { StoredMedia } from '@parley/service-kit/media/media-store'
import { plainFileName } from '../../whatsapp/file-name.ts'
import { type ThumbnailRecord, thumbnailSchema } from './media.model.ts'

/** A browser may open these in its page. */
const shownInPage = /^(image\/(jpeg|png|webp|gif)|video\/|audio\/|application\/pdf$)/
const thumbnailLimitBytes = 500 * 1024

export type MediaService = ReturnType<typeof createMediaService>

/** Files that people send and customers have sent. */
export function createMediaService(connection: ServiceConnection) {
  const store = createMediaFiles(connection)
  const thumbnails = workspaceCollection<ThumbnailRecord>({ connection, name: 'thumbnails', schema: thumbnailSchema })

  /** @throws `unsupported_media_type`, `body_too_large`, `validation_failed`. */
  async function upload(scope: WorkspaceScope, content: Readable, kind: MediaKind | undefined): Promise<UploadedMedia> {
    const accept = kind === undefined || kind === 'document' ? uploadTypes : mediaLimits[kind].types
    const limitBytes = (type: string) => mediaLimits[kind ?? mediaKindOf(type)].bytes
    const stored = await store.save(scope, { content, accept, limitBytes })
    const { id, type, sizeBytes, widthPx, heightPx } = stored
    return {
      id,
      mimeType: type,
      sizeBytes,
      kind: kind ?? mediaKindOf(type),
      ...(widthPx !== undefined && heightPx !== undefined && { width: widthPx, height: heightPx }),
    }
  }

  /** @throws `not_found` for a file of another workspace too. */
  async function read(scope: WorkspaceScope, id: string, download?: string): Promise<FileAnswer> {
    const { media, open } = await find(scope, id)
    return {
      type: media.type,
      sizeBytes: media.sizeBytes,
      etag: media.sha256,
      open,
      disposition: download === undefined && shownInPage.test(media.type) ? 'inline' : 'attachment',
      ...(download !== undefined && { fileName: plainFileName(download) }),
    }
  }

  /** @throws `not_found` where it is no picture. */
  async function thumbnail(scope: WorkspaceScope, mediaId: string): Promise<FileAnswer> {
    const known = await thumbnails(scope).findOne({ mediaId })
    if (known) return read(scope, known.thumbnailId)
    const { media, open } = await find(scope, mediaId)
    if (!media.type.startsWith('image/')) throw noFile()
    // Its library takes 8 MiB, which ingest and workers never need.
    const { thumbnailOf } = await import('./thumbnail.ts')
    const stored = await store.save(scope, {
      content: thumbnailOf(open()),
      accept: ['image/webp'],
      limitBytes: thumbnailLimitBytes,
    })
    await thumbnails(scope).findOneAndUpdate({ mediaId }, { $set: { thumbnailId: stored.id } }, { upsert: true })
    return read(scope, stored.id)
  }

  async function find(scope: WorkspaceScope, id: string) {
    const found = await store.read(scope, id)
    if (!found) throw noFile()
    return found
  }

  /** What is stored of a file; `undefined` where the workspace has none. */
  const describe = async (scope: WorkspaceScope, id: string): Promise<StoredMedia | undefined> =>
    (await store.read(scope, id))?.media

  return { upload, read, thumbnail, find, describe, save: store.save, removeUnfinished: store.removeUnfinished }
}

const noFile = () => errors.notFound('There is no such file.')
