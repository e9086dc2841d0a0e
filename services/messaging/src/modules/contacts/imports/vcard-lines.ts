/** One card of a file: the lines that are of use, each in one piece. */
export interface RawCard {
  /** Number of the first line, from 1. */
  readonly line: number
  /** Lines with a byte as each letter: the encoding may be stated in a line itself. */
  readonly lines: string[]
  /** Lines that cannot be read. */
  lost: number
}

const kept = new Set(
  'VERSION FN N TEL EMAIL NOTE BDAY CATEGORIES ORG TITLE ADR URL NICKNAME IMPP X-ABLABEL X-WHATSAPP'.split(' '),
)
const marks = new Set(['BEGIN', 'END', 'AGENT'])
const maxLineBytes = 128 * 1024
const maxCardLines = 300
const maxCardBytes = 512 * 1024

/** Reads physical lines, with a byte as each letter. A line that is too long, as a picture may be, keeps its beginning alone. */
export async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<{ lines: string[]; bytes: number }> {
  let rest = ''
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    // The line feed of the last carriage return may come with the next piece.
    const lines = (rest + Buffer.from(chunk).toString('latin1')).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    if (rest.length > maxLineBytes) rest = rest.slice(0, maxLineBytes)
    yield { lines, bytes }
  }
  yield { lines: [rest.replace(/\r$/, '')], bytes }
}

interface HeldLine {
  text: string
  readonly number: number
  readonly isKept: boolean
  readonly isQuotedPrintable: boolean
}

/**
 * Finds the cards of a file and the lines of each. A line that is folded loses the break and exactly one blank (RFC 6350, 3.2),
 * one in quoted-printable continues after a `=` at its end. Pictures and whatever else is of no use are left out.
 */
export function createCardReader() {
  let number = 0
  let held: HeldLine | undefined
  let card: (RawCard & { bytes: number }) | undefined
  let ended: RawCard[] = []
  /** Cards inside a card (`AGENT:` of version 2.1) belong to another person. */
  let inner = 0
  let isAgent = false

  function readLine(written: string): void {
    number += 1
    const line = written.startsWith('\u00ef\u00bb\u00bf') ? written.slice(3) : written
    if (held?.isQuotedPrintable && held.text.endsWith('=') && !/^(BEGIN|END):VCARD/i.test(line)) {
      goOn(held, held.text.slice(0, -1), line)
      return
    }
    if (held && /^[ \t]/.test(line)) {
      goOn(held, held.text, line.slice(1))
      return
    }
    const isOfSkipped = held?.isKept === false
    flush()
    held = undefined
    if (line.trim() === '') return
    const name = /^(?:[\w-]+\.)?([\w-]+)[;:]/.exec(line)?.[1]?.toUpperCase()
    // Some programs do not indent the rows of a picture.
    const isSkipped = name === undefined ? isOfSkipped : !kept.has(name) && !marks.has(name)
    const isQuotedPrintable = /^[^:]*;(ENCODING=)?QUOTED-PRINTABLE\b/i.test(line.slice(0, 500))
    held = { text: line, number, isKept: !isSkipped, isQuotedPrintable }
  }

  function goOn(line: HeldLine, before: string, more: string): void {
    line.text = (line.isKept ? before + more : more).slice(0, maxLineBytes)
  }

  function flush(): void {
    if (!held?.isKept) return
    const { text, number: at } = held
    const mark = text.trim().toUpperCase().replace(/:\s*/, ':')
    const isInner = isAgent && mark === 'BEGIN:VCARD'
    isAgent = mark === 'AGENT:'
    if (isInner || (inner > 0 && mark === 'BEGIN:VCARD')) inner += 1
    else if (inner > 0) inner -= mark === 'END:VCARD' ? 1 : 0
    else if (mark === 'BEGIN:VCARD') {
      endCard()
      card = { line: at, lines: [], lost: 0, bytes: 0 }
    } else if (mark === 'END:VCARD') endCard()
    else if (card && !mark.startsWith('AGENT:')) add(card, text)
  }

  function add(to: RawCard & { bytes: number }, text: string): void {
    to.bytes += text.length
    const fits = text.length < maxLineBytes && to.lines.length < maxCardLines && to.bytes <= maxCardBytes
    if (fits && /^[\w.-]+[;:]/.test(text)) to.lines.push(text)
    else to.lost += 1
  }

  function endCard(): void {
    if (card) ended.push(card)
    card = undefined
    inner = 0
  }

  return {
    /** @returns the cards that end among these lines; the last one of a file needs no end. */
    read: (lines: readonly string[], isLast: boolean): RawCard[] => {
      ended = []
      for (const line of lines) readLine(line)
      if (isLast) {
        flush()
        endCard()
      }
      return ended
    },
  }
}
