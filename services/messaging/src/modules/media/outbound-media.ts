import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { GraphClient } from '../../whatsapp/graph-client.ts'
import { typeAtWhatsApp } from '../../whatsapp/playable.ts'
import { type UploadRecord, uploadSchema } from './media.model.ts'
import type { MediaService } from './media.service.ts'

/** File to upload, and the number that sends it. */
export interface OutboundFile {
  readonly mediaId: string
  readonly numberId: string
  readonly fileName: string
}

export type OutboundMedia = ReturnType<typeof createOutboundMedia>

/** The platform keeps a file for 30 days. */
const renewedAfterMs = 25 * 24 * 3600_000

/** Files as the platform knows them: each is uploaded once for a number, and again after 25 days. */
export function createOutboundMedia(connection: ServiceConnection, media: Pick<MediaService, 'find'>) {
  const uploads = workspaceCollection<UploadRecord>({ connection, name: 'mediaUploads', schema: uploadSchema })

  /** The platform's ids of files, by ours. */
  async function known(
    scope: WorkspaceScope,
    numberId: string,
    mediaIds: readonly string[],
  ): Promise<Map<string, string>> {
    if (mediaIds.length === 0) return new Map()
    const found = await uploads(scope)
      .find({ mediaId: { $in: mediaIds }, numberId, uploadedAt: { $gt: new Date(Date.now() - renewedAfterMs) } })
      .hint('media')
    return new Map(found.map(({ mediaId, waMediaId }) => [mediaId, waMediaId]))
  }

  /** @throws GraphCallFailed with Meta's own words, `not_found`. */
  async function upload(
    scope: WorkspaceScope,
    { mediaId, numberId, fileName }: OutboundFile,
    { graph, phoneNumberId, accessToken }: { graph: GraphClient; phoneNumberId: string; accessToken: string },
  ): Promise<string> {
    const { media: stored, open } = await media.find(scope, mediaId)
    const file = {
      content: open(),
      sizeBytes: stored.sizeBytes,
      mimeType: typeAtWhatsApp(stored.type, fileName),
      fileName,
    }
    const waMediaId = await graph.uploadMedia(phoneNumberId, file, { accessToken })
    const set = { waMediaId, uploadedAt: new Date() }
    await uploads(scope).findOneAndUpdate({ mediaId, numberId }, { $set: set }, { upsert: true })
    return waMediaId
  }

  /** Has a file uploaded anew: the platform may not know its id any more. */
  const forget = (scope: WorkspaceScope, mediaId: string, numberId: string) =>
    uploads(scope).deleteOne({ mediaId, numberId })

  return { known, upload, forget }
}
