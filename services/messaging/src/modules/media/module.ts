import type { Platform } from '../../platform/platform.ts'
import { createMediaService } from './media.service.ts'
import { createOutboundMedia } from './outbound-media.ts'
import { createReleasedNotes } from './released-notes.ts'
import { createSampleMedia } from './sample-media.ts'
import { createStorageQuota } from './storage-quota.ts'

export type Media = ReturnType<typeof createMedia>

/** @param lower.storageLimitBytes of all files of one workspace together. */
export function createMedia({ mongo, storageLimitBytes }: Platform & { readonly storageLimitBytes: number }) {
  const media = createMediaService(mongo, createStorageQuota(mongo, storageLimitBytes))
  return {
    media,
    outboundMedia: createOutboundMedia(mongo, media),
    sampleMedia: createSampleMedia(media.save, createReleasedNotes(mongo)),
  }
}
