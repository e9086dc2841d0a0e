import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'

/** A file on its way to the platform. */
export interface UploadedFile {
  readonly content: Readable
  readonly sizeBytes: number
  readonly mimeType: string
  readonly fileName: string
}

/**
 * The form of a media upload as a stream of known length: `FormData` would hold the whole file in memory.
 * Source: RFC 7578.
 */
export function mediaForm({ content, sizeBytes, mimeType, fileName }: UploadedFile) {
  const boundary = `parley-${randomUUID()}`
  const field = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const head = Buffer.from(
    `${field('messaging_product', 'whatsapp')}${field('type', mimeType)}--${boundary}\r\n` +
      `content-disposition: form-data; name="file"; filename="${quoted(fileName)}"\r\ncontent-type: ${mimeType}\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  async function* parts() {
    yield head
    yield* content
    yield tail
  }
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: head.length + sizeBytes + tail.length,
    body: Readable.from(parts()),
  }
}

/** Quotes a file's name as browsers do. */
const quoted = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
