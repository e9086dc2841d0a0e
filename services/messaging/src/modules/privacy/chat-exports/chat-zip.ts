import { PassThrough, pipeline, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { inPieces } from '../../contacts/jobs/in-pieces.ts'
import type { ChatFile } from './chat-media.ts'

/**
 * A ZIP file of a page and of the files that are known once the page is written. It is made while it is read.
 * @param onFile told after each file.
 */
export function chatZip(
  page: AsyncIterable<string>,
  files: readonly ChatFile[],
  onFile: (written: number) => Promise<void>,
): Readable {
  const zip = new ZipFile()
  const output = new PassThrough()
  const open = new Set<Readable>()
  pipeline(zip.outputStream, output, () => {
    for (const stream of open) stream.destroy()
  })
  /** A part that breaks off makes no file. */
  const part = (content: AsyncIterable<string | Buffer>): Readable => {
    const stream = Readable.from(content, { objectMode: false })
    open.add(stream)
    stream.on('error', (error) => output.destroy(error))
    stream.on('close', () => open.delete(stream))
    return stream
  }

  async function* pageThenFiles(): AsyncGenerator<string> {
    yield* inPieces(page)
    for (const [index, file] of files.entries())
      zip.addReadStreamLazy(`media/${file.name}`, { compress: !isPacked(file.type) }, (done) =>
        done(null, part(contentOf(file, index + 1))),
      )
    zip.end()
  }

  async function* contentOf({ open: openFile }: ChatFile, index: number): AsyncGenerator<Buffer> {
    for await (const chunk of openFile()) yield Buffer.from(chunk)
    await onFile(index)
  }

  zip.addReadStream(part(pageThenFiles()), 'index.html')
  return output
}

/** Compressing these again costs time and gains nothing. */
const isPacked = (type: string): boolean => /^(image\/(?!svg)|video\/|audio\/)/.test(type)
