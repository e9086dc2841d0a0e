import { Readable } from 'node:stream'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import yauzl from 'yauzl'
import { FileProblem, type OpenFile } from './file-text.ts'

/** One part of a workbook, read from its beginning. */
export interface WorkbookPart {
  /** Unpacked size; a part that unpacks to another one is damaged. */
  readonly sizeBytes: number
  readonly open: () => Promise<Readable>
}

/** The parts of a workbook by their names, which are compared in lower case (ECMA-376, part 2, 6.2.2.3). */
export type WorkbookParts = ReadonlyMap<string, WorkbookPart>

/** Bounds of an archive, so that a small one cannot grow into much work. Files of 1,000,000 rows stay far below. */
export const workbookLimits = {
  entries: 10_000,
  /** Maximum unpacked size of one part. */
  partBytes: 1024 * 1024 * 1024,
  /** Maximum unpacked size of all parts that are read. */
  totalBytes: 1536 * 1024 * 1024,
  nameLength: 250,
  /** Elements inside each other; a workbook's own are at most 12. */
  depth: 50,
  /** The length of a tag or of a text between two: a cell has at most 32,767 characters. */
  textBytes: 1024 * 1024,
} as const

/** A piece is read this much at a time, so that what many cells share is never in memory for all of them. */
const stepBytes = 8 * 1024

const damaged = () => new FileProblem('The workbook is damaged or protected. Save it as CSV and choose that file.')
export const tooLarge = () =>
  new FileProblem('The workbook is too large to be read. Save it as CSV and choose that file.')

/** Reads ranges of the stored file, so that the archive is neither in memory nor on disk. */
class StoredArchive extends yauzl.RandomAccessReader {
  readonly #open: OpenFile

  constructor(open: OpenFile) {
    super()
    this.#open = open
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#open({ start, end: end - 1 }), { objectMode: false })
  }
}

/** @throws FileProblem where it is no archive, or one beyond {@link workbookLimits}. */
export async function partsOf(open: OpenFile, sizeBytes: number): Promise<WorkbookParts> {
  const options = { lazyEntries: true, autoClose: false } as const
  const archive = await yauzl
    .fromRandomAccessReaderPromise(new StoredArchive(open), sizeBytes, options)
    .catch((error: unknown) => Promise.reject(problemOf(error)))
  const parts = new Map<string, WorkbookPart>()
  let leftBytes: number = workbookLimits.totalBytes
  if (archive.entryCount > workbookLimits.entries) throw tooLarge()
  try {
    for await (const entry of archive.eachEntry()) {
      const name = entry.fileName.toLowerCase()
      // Pictures, charts and macros are never read.
      if (!/\.(xml|rels)$/.test(name) || name.length > workbookLimits.nameLength || parts.has(name)) continue
      parts.set(name, {
        sizeBytes: entry.uncompressedSize,
        open: async () => {
          leftBytes -= entry.uncompressedSize
          if (entry.uncompressedSize > workbookLimits.partBytes || leftBytes < 0) throw tooLarge()
          return archive.openReadStreamPromise(entry)
        },
      })
    }
  } catch (error) {
    throw problemOf(error)
  }
  return parts
}

/** A database that is away is no fault of the file. */
const problemOf = (error: unknown): unknown =>
  error instanceof FileProblem || (error instanceof Error && error.name.startsWith('Mongo')) ? error : damaged()

/** Receives the contents of a part's XML; names without their prefix. */
export interface XmlListener {
  readonly onOpen?: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly onText?: (text: string) => void
  readonly onClose?: (name: string) => void
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/**
 * Reads the XML of a part piece by piece.
 * @returns after each piece how many bytes were read.
 * @throws FileProblem where it is not well formed, or beyond {@link workbookLimits}.
 */
export async function* readXml(part: WorkbookPart, listener: XmlListener): AsyncGenerator<number> {
  const parser = new SaxesParser()
  const decoder = new TextDecoder()
  let bytes = 0
  let eventAt = 0
  let depth = 0
  parser.on('error', () => {
    throw damaged()
  })
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    eventAt = bytes
    depth += 1
    if (depth > workbookLimits.depth) throw damaged()
    listener.onOpen?.(localName(name), attributes)
  })
  parser.on('text', (text) => listener.onText?.(text))
  parser.on('closetag', ({ name }) => {
    eventAt = bytes
    depth -= 1
    listener.onClose?.(localName(name))
  })
  const stream = await part.open().catch((error: unknown) => Promise.reject(problemOf(error)))
  try {
    for await (const chunk of stream)
      for (let at = 0; at < chunk.length; at += stepBytes) {
        const step = chunk.subarray(at, at + stepBytes)
        bytes += step.length
        parser.write(decoder.decode(step, { stream: true }))
        if (bytes - eventAt > workbookLimits.textBytes) throw damaged()
        yield bytes
      }
    parser.close()
  } catch (error) {
    throw problemOf(error)
  } finally {
    stream.destroy()
  }
}
