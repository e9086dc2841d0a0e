import { partsOf } from '@parley/rules/web-addresses'
import { Fragment, type ReactNode, useState } from 'react'
import { WhatsAppText } from '../../../ui/whatsapp-text.tsx'
import { placesOf } from '../composer/mentioned.ts'
import styles from './message-content.module.css'

/**
 * Text as WhatsApp shows it, with its links; a very long one opens on demand.
 * @param mentions names of members whom it mentions by `@`.
 */
export function MessageText({ text, mentions = [] }: { text: string; mentions?: readonly string[] }) {
  const [open, setOpen] = useState(false)
  const short = shortened(text)
  const shown = short !== undefined && !open ? short : text
  return (
    <>
      <p className={styles['text']} dir="auto">
        {partsOf(shown).map(({ at, href, words }) =>
          href ? (
            <a key={at} href={href} target="_blank" rel="noreferrer">
              {words}
            </a>
          ) : (
            <Fragment key={at}>{withMentions(words, mentions)}</Fragment>
          ),
        )}
      </p>
      {short !== undefined && (
        <button type="button" className={styles['more']} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : 'Read more'}
        </button>
      )}
    </>
  )
}

function withMentions(words: string, names: readonly string[]): ReactNode {
  const places = placesOf(words, names)
  if (places.length === 0) return <WhatsAppText text={words} />
  let from = 0
  const parts = places.flatMap(({ at, name }) => {
    const before = words.slice(from, at)
    from = at + 1 + name.length
    return [
      <WhatsAppText key={`before-${at}`} text={before} />,
      <b key={at} className={styles['mention']}>
        @{name}
      </b>,
    ]
  })
  return [...parts, <WhatsAppText key="rest" text={words.slice(from)} />]
}

const maxShown = 900
const shortLength = 640

/** The beginning of a very long text, cut between words; undefined for one that is shown whole. */
export function shortened(text: string): string | undefined {
  if (text.length <= maxShown) return undefined
  const cut = text.lastIndexOf(' ', shortLength)
  return `${text.slice(0, cut > shortLength / 2 ? cut : shortLength).trimEnd()} …`
}
