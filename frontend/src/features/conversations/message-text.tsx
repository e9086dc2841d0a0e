import { Fragment, useState } from 'react'
import styles from './message-content.module.css'
import { partsOf, shortened } from './message-parts.ts'

/** Text as it was written, with its links; a very long one opens on demand. */
export function MessageText({ text }: { text: string }) {
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
            <Fragment key={at}>{words}</Fragment>
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
