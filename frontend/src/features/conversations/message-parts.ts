const address = /\bhttps?:\/\/[^\s<>"“”]+[^\s<>"“”.,;:!?)\]}]/gi
const longestShown = 900
const shortLength = 640

interface Part {
  readonly at: number
  readonly words: string
  /** Present if the part is a web address. */
  readonly href?: string
}

/** A text in its parts: plain words and web addresses, in order. */
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

/** The beginning of a very long text, cut between words; undefined for one that is shown whole. */
export function shortened(text: string): string | undefined {
  if (text.length <= longestShown) return undefined
  const cut = text.lastIndexOf(' ', shortLength)
  return `${text.slice(0, cut > shortLength / 2 ? cut : shortLength).trimEnd()} …`
}
