const maxShown = 900
const shortLength = 640

/** The beginning of a very long text, cut between words; undefined for one that is shown whole. */
export function shortened(text: string): string | undefined {
  if (text.length <= maxShown) return undefined
  const cut = text.lastIndexOf(' ', shortLength)
  return `${text.slice(0, cut > shortLength / 2 ? cut : shortLength).trimEnd()} …`
}
