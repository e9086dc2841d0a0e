import type { ImportFormat } from '@parley/contracts/imports'
import { FileProblem } from './file-problem.ts'

export type Encoding = Extract<ImportFormat, { kind: 'csv' }>['encoding']

/** Reads a stored file from its beginning, or a range of its bytes, as often as it is asked. `end` belongs to the range. */
export type OpenFile = (range?: { start: number; end: number }) => AsyncIterable<Uint8Array>

/**
 * Which encoding the file's text has: by its byte order mark; UTF-16 without one by its empty bytes; else UTF-8 where every
 * byte fits, else Windows-1252, which spreadsheets of Western systems write.
 * @param head the file's first bytes.
 * @throws FileProblem where it is not a text at all.
 */
export async function encodingOf(open: OpenFile, head: Uint8Array, name: string): Promise<Encoding> {
  if (startsWith(head, [0xff, 0xfe])) return 'utf-16le'
  if (startsWith(head, [0xfe, 0xff])) return 'utf-16be'
  const wide = wideEncodingOf(head)
  if (wide) return wide
  if (head.some(isControl) || startsWith(head, [0x25, 0x50, 0x44, 0x46]))
    throw new FileProblem(`${name} is not a text file. Choose a CSV file.`)
  if (startsWith(head, [0xef, 0xbb, 0xbf])) return 'utf-8'
  return (await isUtf8(open)) ? 'utf-8' : 'windows-1252'
}

export const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, place) => bytes[place] === byte)
const isControl = (byte: number) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13

/** Separators, digits and line ends of a UTF-16 file have an empty byte, all at the same side of their pairs. */
function wideEncodingOf(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const pairs = Math.floor(head.length / 2)
  let [evenZeros, oddZeros] = [0, 0]
  for (let place = 0; place < pairs * 2; place += 2) {
    if (head[place] === 0) evenZeros += 1
    if (head[place + 1] === 0) oddZeros += 1
  }
  const few = Math.max(3, pairs / 4)
  if (oddZeros > few && evenZeros === 0) return 'utf-16le'
  if (evenZeros > few && oddZeros === 0) return 'utf-16be'
  return undefined
}

async function isUtf8(open: OpenFile): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const bytes of open()) decoder.decode(bytes, { stream: true })
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/** The file's text piece by piece, line ends as `\n`, without its byte order mark; `bytes` is how far that was. */
export async function* textOf(
  content: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<{ text: string; bytes: number }> {
  const decoder = new TextDecoder(encoding)
  let bytes = 0
  let heldReturn = ''
  for await (const chunk of content) {
    bytes += chunk.length
    const text = heldReturn + decoder.decode(chunk, { stream: true })
    // The line feed of this one may come with the next piece.
    heldReturn = text.endsWith('\r') ? '\r' : ''
    yield { text: withLineFeeds(heldReturn ? text.slice(0, -1) : text), bytes }
  }
  yield { text: withLineFeeds(heldReturn + decoder.decode()), bytes }
}

const withLineFeeds = (text: string) => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text)
