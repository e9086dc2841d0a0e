import { Readable } from 'node:stream'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import yauzl from 'yauzl'
import { FileProblem } from './file-problem.ts'
import type { OpenFile } from './file-text.ts'

/** One part of a workbook, read from its beginning. */
export interface WorkbookPart {
  readonly sizeBytes: number
  readonly open: () => Promise<Readable>
}

const mostParts = 10_000
/** Longest text without a tag: no cell is as long. */
const longestTextBytes = 4 * 1024 * 1024

const damaged = () => new FileProblem('The workbook is damaged or protected. Save it as CSV and choose that file.')

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

/** The parts of a workbook by their names. @throws FileProblem where it is no archive. */
export async function partsOf(open: OpenFile, sizeBytes: number): Promise<Map<string, WorkbookPart>> {
  const options = { lazyEntries: true, autoClose: false } as const
  const archive = await yauzl
    .fromRandomAccessReaderPromise(new StoredArchive(open), sizeBytes, options)
    .catch((error: unknown) => Promise.reject(problemOf(error)))
  const parts = new Map<string, WorkbookPart>()
  try {
    for await (const entry of archive.eachEntry()) {
      parts.set(entry.fileName, {
        sizeBytes: entry.uncompressedSize,
        open: () => archive.openReadStreamPromise(entry).catch((error: unknown) => Promise.reject(problemOf(error))),
      })
      if (parts.size > mostParts) throw damaged()
    }
  } catch (error) {
    throw problemOf(error)
  }
  return parts
}

/** A database that is away is no fault of the file. */
const problemOf = (error: unknown): unknown =>
  error instanceof FileProblem || (error instanceof Error && error.name.startsWith('Mongo')) ? error : damaged()

/** What is told of a part's XML; names without their prefix. */
export interface XmlListener {
  readonly onOpen?: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly onText?: (text: string) => void
  readonly onClose?: (name: string) => void
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/**
 * Reads the XML of a part piece by piece.
 * @returns after each piece how many bytes were read.
 * @throws FileProblem where it is not well formed.
 */
export async function* readXml(part: WorkbookPart, listener: XmlListener): AsyncGenerator<number> {
  const parser = new SaxesParser()
  const decoder = new TextDecoder()
  let bytes = 0
  let eventAt = 0
  parser.on('error', () => {
    throw damaged()
  })
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    eventAt = bytes
    listener.onOpen?.(localName(name), attributes)
  })
  parser.on('text', (text) => listener.onText?.(text))
  parser.on('closetag', ({ name }) => {
    eventAt = bytes
    listener.onClose?.(localName(name))
  })
  const stream = await part.open()
  try {
    for await (const chunk of stream) {
      bytes += chunk.length
      parser.write(decoder.decode(chunk, { stream: true }))
      if (bytes - eventAt > longestTextBytes) throw damaged()
      yield bytes
    }
    parser.close()
  } catch (error) {
    throw problemOf(error)
  } finally {
    stream.destroy()
  }
}
