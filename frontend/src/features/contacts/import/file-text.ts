import { FileProblem, mostBytes } from './limits.ts'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

const textNames = /\.(csv|tsv|tab|txt)$/i
const workbookNames = /\.(xlsx?|xlsm|ods|numbers)$/i
const headBytes = 64 * 1024

/**
 * Which encoding the file's text has: by its byte order mark, else UTF-8 where every byte fits, else Windows-1252, which
 * spreadsheets of Western systems write.
 * @throws FileProblem where it is not a text at all, empty or too large.
 */
export async function encodingOf(file: Blob, name: string): Promise<Encoding> {
  if (workbookNames.test(name)) throw new FileProblem(`${name} is a spreadsheet. ${saveAsCsv}`)
  if (file.size === 0) throw new FileProblem('The file is empty.')
  if (file.size > mostBytes) throw new FileProblem('The file is larger than 50 MB. Split it into smaller files.')
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  if (startsWith(head, [0xff, 0xfe])) return 'utf-16le'
  if (startsWith(head, [0xfe, 0xff])) return 'utf-16be'
  refuseBinary(head, name)
  if (startsWith(head, [0xef, 0xbb, 0xbf])) return 'utf-8'
  return (await isUtf8(file)) ? 'utf-8' : 'windows-1252'
}

const saveAsCsv = 'Save it as CSV there ("CSV UTF-8" in Excel) and choose that file.'
const startsWith = (bytes: Uint8Array, start: readonly number[]) => start.every((byte, place) => bytes[place] === byte)
const isControl = (byte: number) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13

function refuseBinary(head: Uint8Array, name: string): void {
  const isZip = startsWith(head, [0x50, 0x4b, 3, 4])
  const isOldOffice = startsWith(head, [0xd0, 0xcf, 0x11, 0xe0])
  if (isZip || isOldOffice)
    throw new FileProblem(`${name} is a spreadsheet or an archive, not a CSV file. ${saveAsCsv}`)
  if (head.some(isControl) || startsWith(head, [0x25, 0x50, 0x44, 0x46]))
    throw new FileProblem(`${name} is not a text file. Choose a CSV file.`)
  if (/\.\w+$/.test(name) && !textNames.test(name))
    throw new FileProblem(`${name} is not a CSV file. Choose one whose name ends in .csv, .tsv or .txt.`)
}

async function isUtf8(file: Blob): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const bytes of chunksOf(file)) decoder.decode(bytes, { stream: true })
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/** The file's text piece by piece, line ends as `\n`, without its byte order mark; `bytes` is how far that was. */
export async function* textOf(file: Blob, encoding: Encoding): AsyncGenerator<{ text: string; bytes: number }> {
  const decoder = new TextDecoder(encoding)
  let bytes = 0
  let heldReturn = ''
  for await (const chunk of chunksOf(file)) {
    bytes += chunk.length
    const text = heldReturn + decoder.decode(chunk, { stream: true })
    // The line feed of this one may come with the next piece.
    heldReturn = text.endsWith('\r') ? '\r' : ''
    yield { text: withLineFeeds(heldReturn ? text.slice(0, -1) : text), bytes }
  }
  yield { text: withLineFeeds(heldReturn + decoder.decode()), bytes }
}

const withLineFeeds = (text: string) => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text)

async function* chunksOf(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}
