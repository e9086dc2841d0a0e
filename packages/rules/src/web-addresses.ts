const address = /\bhttps?:\/\/[^\s<>"“”]+[^\s<>"“”.,;:!?)\]}]/gi

interface Part {
  readonly at: number
  readonly words: string
  /** Address to open; set if the part is a web address. */
  readonly href?: string
}

/** Splits a text into parts: plain words and web addresses (`http`, `https`), in order. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = []
  let end = 0
  for (const match of text.matchAll(address)) {
    if (match.index > end) parts.push({ at: end, words: text.slice(end, match.index) })
    parts.push({ at: match.index, words: match[0], href: match[0] })
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push({ at: end, words: text.slice(end) })
  return parts
}
