const address = /\bhttps?:\/\/[^\s<>"“”]+[^\s<>"“”.,;:!?)\]}]/gi

interface Part {
  readonly at: number
  readonly words: string
  /** Present if the part is a web address. */
  readonly href?: string
}

/** A text in its parts: plain words and web addresses (`http`, `https`), in order. */
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
