const shownBefore = 40
const escaped = (word: string) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A text in one line with the words that were looked for marked, beginning shortly before the first of them. */
export function Marked({ text, words }: { text: string; words: string }) {
  const wanted = words.split(/\s+/).filter((word) => word !== '')
  const pattern = new RegExp(`(${wanted.map(escaped).join('|')})`, 'giu')
  const first = text.search(pattern)
  const start = first > shownBefore ? first - shownBefore : 0
  let at = start
  return (
    <>
      {start > 0 && '…'}
      {text
        .slice(start)
        .split(pattern)
        .map((part, index) => {
          const key = at
          at += part.length
          return index % 2 === 1 ? <mark key={key}>{part}</mark> : <span key={`-${key}`}>{part}</span>
        })}
    </>
  )
}
