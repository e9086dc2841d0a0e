import { type ImportFormat, importEncodings } from '@parley/contracts/contacts/import-files'

export type Encoding = Extract<ImportFormat, { kind: 'csv' }>['encoding']

/** Reads a stored file from its beginning, or a range of its bytes, as often as it is asked. `end` belongs to the range. */
export type OpenFile = (range?: { start: number; end: number }) => AsyncIterable<Uint8Array>

/**
 * Returns the encoding of the file's text: by its byte order mark; UTF-16 without one by its empty bytes; else UTF-8 where its
 * letters fit, else Windows-1252, which spreadsheets of Western systems write and which people can change.
 * @param head the file's first bytes.
 * @throws FileProblem where it is not a text at all.
 */
export async function encodingOf(open: OpenFile, head: Uint8Array, name: string): Promise<Encoding> {
  if (startsWith(head, [0xff, 0xfe])) return 'utf-16le'
  if (startsWith(head, [0xfe, 0xff])) return 'utf-16be'
  const wide = wideEncodingOf(head)
  if (wide) return wide
  const controls = head.filter(isControl).length
  const isText = controls <= Math.max(3, head.length * maxControlShare) && !head.includes(0)
  if (!isText || otherFormats.some((start) => startsWith(head, start)))
    throw new FileProblem(`${name} is not a text file. Choose a CSV file.`)
  if (startsWith(head, [0xef, 0xbb, 0xbf])) return 'utf-8'
  return (await isUtf8(open)) ? 'utf-8' : 'windows-1252'
}

export const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte)
/** Share of control bytes: stray ones come from other systems; in files that are no text they are everywhere. */
const maxControlShare = 0.01
/** First bytes of PDF, PNG, JPEG, gzip, RAR and 7z. */
const otherFormats = [
  [0x25, 0x50, 0x44, 0x46],
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x1f, 0x8b],
  [0x52, 0x61, 0x72, 0x21],
  [0x37, 0x7a, 0xbc, 0xaf],
]
const isControl = (byte: number) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13

/** Separators, digits and line ends of a UTF-16 file have an empty byte, all at the same side of their pairs. */
function wideEncodingOf(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const pairs = Math.floor(head.length / 2)
  let [evenZeros, oddZeros] = [0, 0]
  for (let index = 0; index < pairs * 2; index += 2) {
    if (head[index] === 0) evenZeros += 1
    if (head[index + 1] === 0) oddZeros += 1
  }
  const few = Math.max(3, pairs / 4)
  if (oddZeros > few && evenZeros === 0) return 'utf-16le'
  if (evenZeros > few && oddZeros === 0) return 'utf-16be'
  return undefined
}

/** Letters of more than one byte are rarely right by accident; one that was cut does not make another encoding of the file. */
async function isUtf8(open: OpenFile): Promise<boolean> {
  const decoder = new TextDecoder('utf-8')
  let [letters, broken] = [0, 0]
  const count = (text: string) => {
    for (const letter of text.match(/[^\0-\x7f]/gu) ?? []) {
      if (letter === '\ufffd') broken += 1
      else letters += 1
    }
  }
  for await (const bytes of open()) count(decoder.decode(bytes, { stream: true }))
  count(decoder.decode())
  return broken * 20 <= letters
}

const maxSample = 80
/** Encodings that a file without a byte order mark may have, the likeliest first. */
const unmarked = importEncodings.filter((encoding) => !encoding.startsWith('utf-16'))

/**
 * Returns the first line with other letters than ASCII, as it reads in each encoding that has letters for all of its bytes.
 * @param head the file's first bytes.
 */
export function encodingSamples(head: Uint8Array): { encoding: Encoding; sample: string }[] {
  const at = head.findIndex((byte) => byte > 127)
  if (at === -1) return []
  const start = head.lastIndexOf(10, at) + 1
  const end = head.indexOf(10, at)
  // A long line is shown from shortly before the letter on.
  const line = head.subarray(Math.max(start, at - 20), end === -1 ? undefined : end).subarray(0, 2 * maxSample)
  return unmarked.flatMap((encoding) => {
    const sample = withoutControls(new TextDecoder(encoding).decode(line)).trim().slice(0, maxSample)
    return sample.slice(0, maxSample / 2).includes('\ufffd') ? [] : [{ encoding, sample }]
  })
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
    yield { text: cleaned(heldReturn ? text.slice(0, -1) : text), bytes }
  }
  yield { text: cleaned(heldReturn + decoder.decode()), bytes }
}

const cleaned = (text: string) => withoutControls(withLineFeeds(text))
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are to go, all but tabs and line ends.
const controls = /[\0-\x08\x0e-\x1f\x7f]/g
const withoutControls = (text: string) => text.replaceAll(controls, '')
const withLineFeeds = (text: string) => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text)

/** Reason why a file cannot be imported, in a sentence for the person. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem'
}
