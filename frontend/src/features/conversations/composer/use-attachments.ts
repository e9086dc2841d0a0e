import {
  isSendableAs,
  type MediaKind,
  maxStillStickerBytes,
  mediaApi,
  mediaKindOf,
  mediaLimits,
  uploadTypes,
} from '@parley/contracts/channel/media'
import type { OutgoingFile } from '@parley/contracts/inbox/outgoing-content'
import type { ReplyFile } from '@parley/contracts/inbox/replies'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { explain } from '../../../lib/explain.ts'
import { formatBytes } from '../../../lib/format-bytes.ts'
import { uploadFile } from '../../../lib/upload.ts'
import type { Waiting } from '../list/waiting.ts'
import { isAnimated, isConverted, isWebm, isWebp } from './converted-types.ts'
import { type Attachment, storeAttachments, storedAttachments } from './stored-attachments.ts'

/** Maximum files that are sent at once. */
export const maxFiles = 10

/** WhatsApp's file limits, in a sentence. */
export const fileLimits = `Photos up to ${formatBytes(mediaLimits.image.bytes)}, videos and audio up to ${formatBytes(mediaLimits.video.bytes)}, documents up to ${formatBytes(mediaLimits.document.bytes)}; at most ${maxFiles} at once.`

/** Files that go along with what is being written: uploaded while one writes, each with its own words. */
export function useAttachments(conversationId: string) {
  const [attachments, setAttachments] = useState<readonly Attachment[]>(() => storedAttachments(conversationId))
  // Together with the picture of it: a reload in the moment in which an upload shows as done would find it cut off.
  useLayoutEffect(() => storeAttachments(conversationId, attachments), [conversationId, attachments])
  /** Number of files above the limit in the last choice. */
  const [leftOut, setLeftOut] = useState(0)
  const uploads = useRef(new Map<string, AbortController>())
  useEffect(() => {
    const running = uploads.current
    return () => {
      for (const upload of running.values()) upload.abort()
    }
  }, [])

  /** Files that may be sent as stickers as well, as they were chosen. */
  const stickers = useRef(new Map<string, File>())

  const patch = (id: string, change: Partial<Attachment>) =>
    setAttachments((all) => all.map((one) => (one.id === id ? { ...one, ...change } : one)))

  /**
   * @param as the kind that a person has chosen; absent: a file is made what WhatsApp takes, and sent as that. A document goes as it is.
   */
  async function start(file: File, { id, ...attachment }: Attachment, as?: MediaKind): Promise<void> {
    const upload = new AbortController()
    uploads.current.set(id, upload)
    try {
      const isKept = as !== undefined || attachment.kind === 'document'
      const ready = isKept ? file : await (await import('./prepare-file.ts')).prepareFile(file)
      if (typeof ready === 'string') {
        patch(id, { problem: ready })
        return
      }
      if (upload.signal.aborted) return
      const checked = attachmentOf(ready)
      const kind = as ?? (attachment.voice ? 'audio' : checked.kind)
      if (ready !== file) patch(id, { name: checked.name, kind })
      if (checked.problem) {
        patch(id, { problem: checked.problem })
        return
      }
      const onProgress = (progress: number) => patch(id, { progress })
      const media = await uploadFile(mediaApi.upload, ready, { query: { as: kind }, onProgress, signal: upload.signal })
      // An MP4 file is a film or a sound by its tracks.
      patch(id, { media, kind: media.kind, progress: 1 })
    } catch (error) {
      if (!upload.signal.aborted)
        patch(id, { problem: explain(error, 'The file could not be uploaded. Try it again.') })
    } finally {
      if (uploads.current.get(id) === upload) uploads.current.delete(id)
    }
  }

  return {
    attachments,
    leftOut,
    isReady: attachments.every(({ media }) => media !== undefined),
    add(files: Iterable<File>): void {
      const allFiles = [...files]
      const chosen = allFiles.slice(0, maxFiles - attachments.length)
      setLeftOut(allFiles.length - chosen.length)
      const added = chosen.map((file) => ({ file, attachment: attachmentOf(file) }))
      for (const { file, attachment } of added)
        void isSticker(file).then((is) => is && stickers.current.set(attachment.id, file))
      setAttachments((all) => [...all, ...added.map(({ attachment }) => attachment)])
      for (const { file, attachment } of added) if (!attachment.problem) void start(file, attachment)
    },
    /** Adds a file that Parley has already, with its words. */
    addStored(file: ReplyFile, caption: string): void {
      if (attachments.length >= maxFiles) {
        setLeftOut(1)
        return
      }
      const { mediaId, kind, fileName: name, mimeType, sizeBytes, width, height } = file
      const size = { ...(width !== undefined && { width }), ...(height !== undefined && { height }) }
      const media = { id: mediaId, kind, mimeType, sizeBytes, ...size }
      setAttachments((all) => [...all, { id: crypto.randomUUID(), name, kind, caption, progress: 1, media }])
    },
    addVoice(file: File): void {
      const attachment = { ...attachmentOf(file), kind: 'audio' as const, voice: true }
      setAttachments((all) => [...all, attachment])
      if (!attachment.problem) void start(file, attachment)
    },
    canBeSticker: (id: string): boolean => stickers.current.has(id),
    /** Sends what was made a picture as the sticker that it was. */
    asSticker(id: string): void {
      const file = stickers.current.get(id)
      const before = attachments.find((one) => one.id === id)
      if (!file || !before) return
      stickers.current.delete(id)
      uploads.current.get(id)?.abort()
      const { media: _media, ...rest } = before
      const sticker = { ...rest, name: file.name, kind: 'sticker' as const, caption: '', progress: 0 }
      setAttachments((all) => all.map((one) => (one.id === id ? sticker : one)))
      void start(file, sticker, 'sticker')
    },
    caption: (id: string, caption: string) => patch(id, { caption }),
    remove(id: string): void {
      uploads.current.get(id)?.abort()
      setAttachments((all) => all.filter((one) => one.id !== id))
      setLeftOut(0)
    },
    clear: () => {
      setAttachments([])
      setLeftOut(0)
    },
  }
}

/** Returns a file as it is before its upload, as the kind that WhatsApp takes it as, or with the reason why it takes it as none. */
export function attachmentOf(file: File): Attachment {
  const about = { id: crypto.randomUUID(), name: file.name, caption: '', progress: 0 }
  if (isConverted(file)) return { ...about, kind: isWebm(file) ? 'audio' : 'image' }
  const kindOfType = mediaKindOf(file.type)
  const typeAndSize = { type: file.type, sizeBytes: file.size }
  // A picture or film above its size limit still goes as a document.
  const kind = isSendableAs(kindOfType, typeAndSize) ? kindOfType : 'document'
  const problem = problemOf(file, kind)
  return { ...about, kind, ...(problem && { problem }) }
}

async function isSticker(file: File): Promise<boolean> {
  if (!isWebp(file) || file.size > mediaLimits.sticker.bytes) return false
  return file.size <= maxStillStickerBytes || (await isAnimated(file).catch(() => false))
}

function problemOf(file: File, kind: MediaKind): string | undefined {
  if (file.size === 0) return 'This file is empty.'
  if (!uploadTypes.includes(file.type)) return 'WhatsApp does not accept files of this type.'
  const { bytes } = mediaLimits[kind]
  return file.size > bytes ? `WhatsApp accepts files of this type up to ${formatBytes(bytes)}.` : undefined
}

/** Returns an attachment's content to send, and its form in the thread until the server has it. */
export function contentOf({
  media,
  kind,
  caption,
  name,
  voice,
}: Attachment): [OutgoingFile, Waiting['shown']] | undefined {
  if (!media) return undefined
  const { id: mediaId, mimeType, sizeBytes, width, height } = media
  const words = caption.trim()
  const shown = {
    url: `/api/media/${mediaId}`,
    mediaId,
    mimeType,
    sizeBytes,
    ...(width && { width }),
    ...(height && { height }),
  }
  if (kind === 'audio')
    return [
      { type: kind, mediaId, ...(voice && { voice }) },
      { type: kind, ...shown, ...(voice && { voice }) },
    ]
  if (kind === 'sticker')
    return [
      { type: kind, mediaId },
      { type: kind, ...shown },
    ]
  const captioned = words === '' ? {} : { caption: words }
  if (kind === 'document')
    return [
      { type: kind, mediaId, fileName: name, ...captioned },
      { type: kind, ...shown, fileName: name, ...captioned },
    ]
  return [
    { type: kind, mediaId, ...captioned },
    { type: kind, ...shown, ...captioned },
  ]
}
