import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, idSchema } from '../core/records.ts'

const mib = 1024 * 1024
const documentTypes = [
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  // Older formats of Word, Excel and PowerPoint, distinguished by the file's name.
  'application/x-cfb',
  'text/plain',
] as const

/**
 * WhatsApp's limits for each kind: media types, as found in the content, and the largest file in bytes. Source:
 * developers.facebook.com, WhatsApp Business Platform, supported media types.
 */
export const mediaLimits = {
  image: { types: ['image/jpeg', 'image/png'], bytes: 5 * mib },
  video: { types: ['video/mp4', 'video/3gpp'], bytes: 16 * mib },
  audio: { types: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/x-m4a', 'audio/ogg'], bytes: 16 * mib },
  sticker: { types: ['image/webp'], bytes: 500 * 1024 },
  document: { types: documentTypes, bytes: 100 * mib },
} as const satisfies Record<string, { types: readonly string[]; bytes: number }>
/** Largest sticker that does not move, in bytes. */
export const maxStillStickerBytes = 100 * 1024
export type MediaKind = keyof typeof mediaLimits
const mediaKinds = ['image', 'video', 'audio', 'sticker', 'document'] as const satisfies readonly MediaKind[]

/** Every type that may be uploaded: any of them can also be sent as a document. */
export const uploadTypes: readonly string[] = mediaKinds.flatMap((kind): readonly string[] => mediaLimits[kind].types)

/** The kind as which a file of this type is sent unless the sender says otherwise. */
export const mediaKindOf = (type: string): MediaKind =>
  mediaKinds.find((kind) => (mediaLimits[kind].types as readonly string[]).includes(type)) ?? 'document'

/** Returns whether a file may be sent as this kind. */
export const isSendableAs = (kind: MediaKind, file: { type: string; sizeBytes: number }): boolean =>
  file.sizeBytes <= mediaLimits[kind].bytes &&
  (kind === 'document' || (mediaLimits[kind].types as readonly string[]).includes(file.type))

const uploadedMediaSchema = z.object({
  id: idSchema,
  /** Media type as found in the content, whatever the sender called it. */
  mimeType: z.string().max(100),
  sizeBytes: countSchema,
  /** Pixels, of pictures. */
  width: countSchema.optional(),
  height: countSchema.optional(),
  /** Kind as which it is sent unless the sender chooses otherwise. */
  kind: z.enum(mediaKinds),
})
export type UploadedMedia = z.infer<typeof uploadedMediaSchema>

export const mediaApi = {
  upload: defineEndpoint({
    operation: 'media.upload',
    method: 'POST',
    path: '/api/media',
    access: 'session',
    permission: 'conversations:write',
    audit: 'none',
    summary: 'Uploads a file for sending; the request body is the file. Identical files are stored once.',
    query: z.object({
      /** Kind whose limits hold; absent: the file's own. */
      as: z.enum(mediaKinds).optional(),
    }),
    bodyType: 'stream',
    bodyLimitBytes: mediaLimits.document.bytes,
    status: 201,
    response: uploadedMediaSchema,
    errors: ['unsupported_media_type', 'body_too_large', 'validation_failed', 'storage_full'],
  }),
  read: defineEndpoint({
    operation: 'media.read',
    method: 'GET',
    path: '/api/media/:id',
    access: 'session',
    permission: 'conversations:read',
    summary: 'A file, or a byte range of it.',
    params: byId,
    query: z.object({
      /** File name under which it is offered as a download. */
      download: z.string().min(1).max(240).optional(),
    }),
    responseType: 'stream',
    status: 200,
    errors: ['not_found'],
  }),
  thumbnail: defineEndpoint({
    operation: 'media.thumbnail',
    method: 'GET',
    path: '/api/media/:id/thumbnail',
    access: 'session',
    permission: 'conversations:read',
    summary: 'A WebP thumbnail of an image or sticker, at most 480 pixels on the longer side.',
    params: byId,
    responseType: 'stream',
    status: 200,
    errors: ['not_found'],
  }),
}
