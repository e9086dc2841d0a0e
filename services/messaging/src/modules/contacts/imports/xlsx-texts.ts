import { readXml, tooLarge, type WorkbookPart } from './xlsx-parts.ts'

/** Texts that cells name by their numbers. */
export interface SharedTexts {
  readonly count: number
  readonly get: (index: number) => string
}

export const sharedLimits = { texts: 4_000_000, bytes: 64 * 1024 * 1024 } as const
const blockBytes = 1024 * 1024

/** Cells have no longer text; what other programs write beyond it is left out, as spreadsheets do. */
const maxCellLength = 32_767
/** Signs of a text as it is in the XML, where each may be written as seven. */
const maxWritten = maxCellLength * 7

/**
 * A text as it was typed. Signs that XML has no place for are written `_x000D_` (ECMA-376, part 1, 22.9.2.19), and `_x005F_` is
 * the underscore before such a one. Line ends are `\n`; other control signs are nothing that a person has typed.
 */
export const cellTextOf = (written: string): string =>
  written
    .replaceAll(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is meant.
    .replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f]/g, '')
    .slice(0, maxCellLength)

/**
 * Puts a text together from its runs, element by element as {@link readXml} reports them. Its pronunciation is left out, and
 * so is what no cell has room for.
 */
export function createTextReader() {
  let written = ''
  let isText = false
  let isPhonetic = false
  return {
    begin: () => {
      written = ''
    },
    onOpen: (name: string) => {
      if (name === 'rPh') isPhonetic = true
      isText = name === 'v' || (name === 't' && !isPhonetic)
    },
    onText: (more: string) => {
      if (isText && written.length < maxWritten) written += more
    },
    onClose: (name: string) => {
      isText = false
      if (name === 'rPh') isPhonetic = false
    },
    /** Returns the text as in the XML, since it began. */
    written: () => written,
  }
}

/**
 * Reads the texts that cells share, the one part of a workbook that is kept in memory: as bytes beside the heap, where a short
 * text takes its own bytes and 8, not the 40 of a string.
 * @param max number of texts that is enough.
 * @throws FileProblem where they do not fit.
 */
export async function sharedTexts(
  part: WorkbookPart | undefined,
  max: number = sharedLimits.texts,
  limits: { readonly texts: number; readonly bytes: number } = sharedLimits,
): Promise<SharedTexts> {
  const texts = createTexts(limits)
  if (!part || max <= 0) return texts
  const text = createTextReader()
  const pieces = readXml(part, {
    onOpen: (name) => {
      if (name === 'si') text.begin()
      text.onOpen(name)
    },
    onText: text.onText,
    onClose: (name) => {
      text.onClose(name)
      if (name === 'si') texts.add(cellTextOf(text.written()))
    },
  })
  for await (const _ of pieces) if (texts.count >= max) break
  return texts
}

function createTexts(limits: {
  readonly texts: number
  readonly bytes: number
}): SharedTexts & { readonly add: (text: string) => void } {
  const blocks: Buffer[] = []
  let places = new Uint32Array(1024)
  let lengths = new Uint32Array(1024)
  let count = 0
  let nextPlace = 0

  function add(text: string): void {
    if (count >= limits.texts) throw tooLarge()
    const length = Buffer.byteLength(text)
    // No text lies in two blocks.
    if (nextPlace + length > blocks.length * blockBytes) {
      nextPlace = blocks.length * blockBytes
      if (nextPlace >= limits.bytes) throw tooLarge()
      blocks.push(Buffer.allocUnsafeSlow(blockBytes))
    }
    if (count === places.length) {
      places = larger(places)
      lengths = larger(lengths)
    }
    blocks.at(-1)?.write(text, nextPlace % blockBytes)
    places[count] = nextPlace
    lengths[count] = length
    nextPlace += length
    count += 1
  }

  function get(index: number): string {
    const from = places[index] ?? 0
    if (!(index >= 0 && index < count)) return ''
    const start = from % blockBytes
    return blocks[Math.floor(from / blockBytes)]?.toString('utf8', start, start + (lengths[index] ?? 0)) ?? ''
  }

  return {
    add,
    get,
    get count() {
      return count
    },
  }
}

function larger(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(array.length * 2)
  grown.set(array)
  return grown
}
