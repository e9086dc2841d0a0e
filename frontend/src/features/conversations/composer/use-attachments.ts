import {
  isSendableAs,
  type MediaKind,
  mediaApi,
  mediaKindOf,
  mediaLimits,
  uploadTypes,
} from '@parley/contracts/channel/media'
import type { OutgoingContent } from '@parley/contracts/inbox/outgoing-content'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { explain } from '../../../lib/explain.ts'
import { formatBytes } from '../../../lib/format-bytes.ts'
import { uploadFile } from '../../../lib/upload.ts'
import type { Waiting } from '../list/waiting.ts'
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

  const patch = (id: string, change: Partial<Attachment>) =>
    setAttachments((all) => all.map((one) => (one.id === id ? { ...one, ...change } : one)))

  async function start(file: File, { id, kind }: Attachment): Promise<void> {
    const upload = new AbortController()
    uploads.current.set(id, upload)
    try {
      const onProgress = (progress: number) => patch(id, { progress })
      const media = await uploadFile(mediaApi.upload, file, { query: { as: kind }, onProgress, signal: upload.signal })
      // An MP4 file is a film or a sound by its tracks.
      patch(id, { media, kind: media.kind, progress: 1 })
    } catch (error) {
      if (!upload.signal.aborted)
        patch(id, { problem: explain(error, 'The file could not be uploaded. Try it again.') })
    } finally {
      uploads.current.delete(id)
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
      setAttachments((all) => [...all, ...added.map(({ attachment }) => attachment)])
      for (const { file, attachment } of added) if (!attachment.problem) void start(file, attachment)
    },
    addVoice(file: File): void {
      const attachment = { ...attachmentOf(file), kind: 'audio' as const, voice: true }
      setAttachments((all) => [...all, attachment])
      if (!attachment.problem) void start(file, attachment)
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

function attachmentOf(file: File): Attachment {
  const kindOfType = mediaKindOf(file.type)
  const typeAndSize = { type: file.type, sizeBytes: file.size }
  // A picture or film above its size limit still goes as a document.
  const kind = isSendableAs(kindOfType, typeAndSize) ? kindOfType : 'document'
  const problem = problemOf(file, kind)
  return { id: crypto.randomUUID(), name: file.name, kind, caption: '', progress: 0, ...(problem && { problem }) }
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
}: Attachment): [OutgoingContent, Waiting['shown']] | undefined {
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
