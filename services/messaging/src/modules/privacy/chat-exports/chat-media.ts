import { Readable } from 'node:stream'
import { chatLimits } from '@parley/contracts/contacts/contact-jobs'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { MediaStore } from '@parley/service-kit/media/media-store'
import { plainFileName } from '../../../whatsapp/file-name.ts'
import { fileEnding } from '../../media/file-ending.ts'
import type { MediaMessage } from './chat.ts'

/** A file of a message that goes into the ZIP file. */
export interface ChatFile {
  readonly name: string
  readonly type: string
  readonly open: () => Readable
}

const absent = {
  loading: 'still being fetched from WhatsApp',
  expired: 'expired at WhatsApp before it could be fetched',
  failed: 'could not be fetched from WhatsApp',
} as const

export interface ChatMedia {
  /** @returns the file, or in words why it is not there. */
  readonly add: (content: MediaMessage) => Promise<ChatFile | string>
  /** Files that were added, in their order. */
  readonly files: readonly ChatFile[]
  /** Number of files left out over the limits. */
  readonly leftOut: () => number
}

/** Gathers the files of a conversation while its messages are written. One that several messages have is there once. */
export function createChatMedia(
  scope: WorkspaceScope,
  store: Pick<MediaStore, 'read'>,
  limits: { readonly files: number; readonly fileBytes: number } = chatLimits,
): ChatMedia {
  const files: ChatFile[] = []
  const known = new Map<string, ChatFile>()
  let bytes = 0
  let leftOut = 0

  async function add(content: MediaMessage): Promise<ChatFile | string> {
    const { url, mediaId, state } = content
    if (url === '') return state ? absent[state] : 'not stored'
    const key = mediaId ?? url
    const before = known.get(key)
    if (before) return before
    const found = mediaId === undefined ? withinRecord(url) : await stored(mediaId)
    if (!found) return 'no longer stored'
    if (files.length >= limits.files || bytes + found.sizeBytes > limits.fileBytes) {
      leftOut += 1
      return 'left out because this chat has too many or too large files'
    }
    const { type, open } = found
    const fileName = content.type === 'document' ? content.fileName : undefined
    const file = { name: mediaName(files.length + 1, { type, fileName }), type, open }
    bytes += found.sizeBytes
    files.push(file)
    known.set(key, file)
    return file
  }

  async function stored(id: string) {
    const found = await store.read(scope, id)
    return found && { type: found.media.type, sizeBytes: found.media.sizeBytes, open: () => found.open() }
  }

  return { add, files, leftOut: () => leftOut }
}

/** Files of sample data that was loaded earlier travel in their message as a `data:` address. */
function withinRecord(url: string) {
  const [, type, base64, content] = /^data:([a-z]+\/[a-z+.-]+)(;base64)?,(.*)$/s.exec(url) ?? []
  if (type === undefined || content === undefined) return undefined
  const bytes = base64 ? Buffer.from(content, 'base64') : Buffer.from(decodeURIComponent(content))
  return { type, sizeBytes: bytes.length, open: () => Readable.from([bytes]) }
}

const maxLetters = 60

/** A browser would run these from the disk as pages; with another ending they are shown as text. */
const runAsPages = /\.(x?html?|xht|shtml|svgz?|xml|xslt?|mht|mhtml)$/i

/**
 * Returns the name of a file in a ZIP file: its place among the others, then its own name where it has one. No path, no control
 * characters, nothing that some system refuses.
 */
export function mediaName(index: number, { type, fileName }: { type: string; fileName?: string | undefined }): string {
  const start = String(index).padStart(5, '0')
  if (fileName === undefined) return `${start}${fileEnding(type)}`
  const safe = plainFileName(fileName)
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[\s.]+|[\s.]+$/g, '')
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(safe)?.[0] ?? ''
  const base = [...safe.slice(0, safe.length - ending.length)].slice(0, maxLetters).join('').trim() || 'File'
  return `${start}-${base}${ending}${runAsPages.test(ending) ? '.txt' : ''}`
}
