import type { Platform } from '../../platform/platform.ts'
import { createMediaService } from './media.service.ts'
import { createOutboundMedia } from './outbound-media.ts'
import { createReleasedNotes } from './released-notes.ts'
import { createSampleMedia } from './sample-media.ts'
import { createStorageQuota } from './storage-quota.ts'

export type Media = ReturnType<typeof createMedia>

/** @param settings.storageLimitBytes of all files of one workspace together. */
export function createMedia({ mongo }: Platform, settings: { readonly storageLimitBytes: number }) {
  const media = createMediaService(mongo, createStorageQuota(mongo, settings.storageLimitBytes))
  return {
    media,
    outboundMedia: createOutboundMedia(mongo, media),
    sampleMedia: createSampleMedia(media.save, createReleasedNotes(mongo)),
  }
}
