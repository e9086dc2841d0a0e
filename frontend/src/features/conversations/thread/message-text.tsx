import { partsOf } from '@parley/rules/web-addresses'
import { useState } from 'react'
import { WhatsAppText } from '../../../ui/whatsapp-text.tsx'
import { shortened } from '../list/shortened.ts'
import styles from './message-content.module.css'

/** Text as WhatsApp shows it, with its links; a very long one opens on demand. */
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
            <WhatsAppText key={at} text={words} />
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
