import type { ReactNode } from 'react'
import styles from './card-row.module.css'
import { type MessageButton, MessageButtons } from './message-buttons.tsx'
import { WhatsAppText } from './whatsapp-text.tsx'

interface ShownCard {
  /** Its picture or video. */
  readonly above: ReactNode
  readonly text?: string | undefined
  readonly buttons: readonly MessageButton[]
}

/** The cards of a carousel in a row that moves sideways, as WhatsApp shows them below a message. */
export const CardRow = ({ cards }: { cards: readonly ShownCard[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
  <ul className={styles['cards']} tabIndex={0} aria-label="Cards">
    {cards.map(({ above, text, buttons }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a card has no identity but its place.
      <li key={index} className={styles['card']} aria-label={`Card ${index + 1} of ${cards.length}`}>
        {above}
        {text && (
          <p className={styles['text']} dir="auto">
            <WhatsAppText text={text} />
          </p>
        )}
        <div className={styles['buttons']}>
          <MessageButtons buttons={buttons} />
        </div>
      </li>
    ))}
  </ul>
)
