import { Readable } from 'node:stream'
import {
  type MediaKind,
  maxStillStickerBytes,
  mediaKindOf,
  mediaLimits,
  type UploadedMedia,
  uploadTypes,
} from '@parley/contracts/channel/media'
import { type HeaderFileKind, headerFiles } from '@parley/contracts/templates/template-headers'
import { errors } from '@parley/service-kit/core/errors'
import { ChildFailure } from '@parley/service-kit/core/run-in-child'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { isId } from '@parley/service-kit/data/plain'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { FileAnswer } from '@parley/service-kit/http/file-answer'
import { createMediaFiles } from '@parley/service-kit/media/media-files'
import type { MediaTraits, StoredMedia, Upload } from '@parley/service-kit/media/media-store'
import { plainFileName } from '../../whatsapp/file-name.ts'
import { kindFound, requirePlayable } from '../../whatsapp/playable.ts'
import {
  type ThumbnailRecord,
  thumbnailSchema,
  type UploadedFile,
  type UploadRecord,
  uploadedFileSchema,
  uploadSchema,
} from './media.model.ts'
import { createReleasedNotes } from './released-notes.ts'
import type { StorageQuota } from './storage-quota.ts'
import { thumbnailOf } from './thumbnail.ts'

/** A browser may open these in its page. */
const shownInPage = /^(image\/(jpeg|png|webp|gif)|video\/|audio\/|application\/pdf$)/
const thumbnailLimitBytes = 500 * 1024
/** A larger file is not decoded. */
const maxThumbnailSourceBytes = 16 * 1024 * 1024
/** A browser does not know of an MP4 file whether it is a film. */
const eitherTypes = ['video/mp4', 'audio/mp4', 'audio/x-m4a']

export type MediaService = ReturnType<typeof createMediaService>

/** Files that people send and customers have sent. */
export function createMediaService(connection: ServiceConnection, quota?: StorageQuota) {
  const store = createMediaFiles(connection)
  /** One look at a file makes its small picture, however many come meanwhile. */
  const beingMade = new Map<string, Promise<string | undefined>>()
  const thumbnails = workspaceCollection<ThumbnailRecord>({ connection, name: 'thumbnails', schema: thumbnailSchema })

  const released = createReleasedNotes(connection)
  const uploaded = workspaceCollection<UploadedFile>({
    ...{ connection, name: 'uploadedFiles', schema: uploadedFileSchema },
    bookkeeping: true,
  })

  /** @throws `unsupported_media_type`, `body_too_large`, `validation_failed`, `storage_full`. */
  async function upload(scope: WorkspaceScope, content: Readable, kind: MediaKind | undefined): Promise<UploadedMedia> {
    const kindTypes: readonly string[] =
      kind === undefined || kind === 'document' ? uploadTypes : mediaLimits[kind].types
    const accept = kind === 'video' || kind === 'audio' ? [...kindTypes, ...eitherTypes] : kindTypes
    const limitBytes = (type: string, { isAnimated }: MediaTraits) => {
      const as = kind ?? mediaKindOf(type)
      return as === 'sticker' && isAnimated === false ? maxStillStickerBytes : mediaLimits[as].bytes
    }
    const { id, type, sizeBytes, widthPx, heightPx } = await keep(scope, {
      content,
      accept,
      limitBytes,
      check: requirePlayable(kind),
    })
    return {
      id,
      mimeType: type,
      sizeBytes,
      kind: kindFound(kind, type),
      ...(widthPx !== undefined && heightPx !== undefined && { width: widthPx, height: heightPx }),
    }
  }

  /** Stores a file. One content is one file: what uploads it again needs it from now. @throws `service_unavailable` while it is being deleted. */
  async function save(scope: WorkspaceScope, file: Upload): Promise<StoredMedia> {
    const stored = await store.save(scope, file)
    if (!(await released.take(scope, stored.id)))
      throw errors.serviceUnavailable('the same file was removed at this moment')
    return stored
  }

  /** Stores a file that counts towards the workspace's share. @throws `storage_full`, and what `save` throws. */
  async function keep(scope: WorkspaceScope, file: Upload): Promise<StoredMedia> {
    await quota?.requireRoom(scope)
    const stored = await save(scope, file)
    const { viewer: memberId } = scope
    if (memberId !== undefined) {
      const now = { $set: { uploadedAt: new Date() } }
      await uploaded(scope).findOneAndUpdate({ mediaId: stored.id, memberId }, now, { upsert: true })
    }
    quota?.add(scope, stored.sizeBytes)
    return stored
  }

  /**
   * Stores the header of a template that was fetched for a recipient.
   * @throws `unsupported_media_type`, `body_too_large`, `validation_failed`, `storage_full`.
   */
  const keepFetched = (scope: WorkspaceScope, content: Readable, kind: HeaderFileKind): Promise<StoredMedia> =>
    keep(scope, {
      content,
      accept: headerFiles[kind].types,
      limitBytes: headerFiles[kind].bytes,
      check: requirePlayable(kind),
    })

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

  /** @throws `not_found` where it is no picture, or none that can be made small. */
  async function thumbnail(scope: WorkspaceScope, mediaId: string): Promise<FileAnswer> {
    const known = await thumbnails(scope).findOne({ mediaId })
    if (known?.thumbnailId) return read(scope, known.thumbnailId)
    const source = await find(scope, mediaId)
    if (known || !canBeShrunk(source.media)) throw noThumbnail()
    const key = `${scope.workspaceId}/${mediaId}`
    const making = beingMade.get(key) ?? makeThumbnail(scope, source).finally(() => beingMade.delete(key))
    beingMade.set(key, making)
    const thumbnailId = await making
    if (thumbnailId === undefined) throw noThumbnail()
    return read(scope, thumbnailId)
  }

  /** @returns the id of the thumbnail; undefined where none can be made, which is remembered. */
  async function makeThumbnail(scope: WorkspaceScope, { media, open }: Awaited<ReturnType<typeof find>>) {
    const small = await thumbnailOf(open, (media.widthPx ?? 0) * (media.heightPx ?? 0)).catch((error: unknown) => {
      // The machine is busy; the next request tries again.
      throw error instanceof ChildFailure ? noThumbnail() : error
    })
    const limits = { accept: ['image/webp'], limitBytes: thumbnailLimitBytes }
    const stored = small && (await store.save(scope, { content: Readable.from([small]), ...limits }))
    const found = stored ? { thumbnailId: stored.id } : { isBroken: true as const }
    await thumbnails(scope).findOneAndUpdate({ mediaId: media.id }, { $set: found }, { upsert: true })
    return stored?.id
  }

  async function find(scope: WorkspaceScope, id: string) {
    const found = await store.read(scope, id)
    if (!found) throw noFile()
    return found
  }

  /** Returns what is stored of a file that something is to have from now; `undefined` where the workspace has none, or deletes it. */
  const take = async (scope: WorkspaceScope, id: string): Promise<StoredMedia | undefined> =>
    isId(id) && (await released.take(scope, id)) ? (await store.read(scope, id))?.media : undefined

  /** Returns whether a member who does not see all conversations has uploaded a file within the last days. */
  const hasUploaded = async (scope: WorkspaceScope, mediaId: string): Promise<boolean> =>
    scope.viewer !== undefined &&
    (await uploaded(scope).countDocuments({ mediaId, memberId: scope.viewer }, { hint: 'file', limit: 1 })) > 0

  return {
    upload,
    hasUploaded,
    keepFetched,
    read,
    thumbnail,
    find,
    take,
    save,
    removeUnfinished: store.removeUnfinished,
  }
}

const canBeShrunk = ({ type, sizeBytes, widthPx }: StoredMedia): boolean =>
  type.startsWith('image/') && sizeBytes <= maxThumbnailSourceBytes && widthPx !== undefined

const noFile = () => errors.notFound('There is no such file.')
const noThumbnail = () => errors.notFound('This file has no thumbnail.')

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
