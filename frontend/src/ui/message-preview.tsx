import type { HeaderMedia } from '@parley/contracts/templates/template-headers'
import { Avatar } from './avatar.tsx'
import { CardRow } from './card-row.tsx'
import { HeaderMediaPreview } from './header-media.tsx'
import { type MessageButton, MessageButtons } from './message-buttons.tsx'
import styles from './message-preview.module.css'
import { OfferStrip } from './offer-strip.tsx'
import { Marked, WhatsAppText } from './whatsapp-text.tsx'

export interface PreviewedMessage {
  readonly header?: string | undefined
  /** Media in place of a header of text. */
  readonly headerMedia?: HeaderMedia | undefined
  /** Offer for a limited time above the text. */
  readonly offer?: { readonly text: string; readonly endsAt?: string | undefined } | undefined
  readonly body: string
  readonly footer?: string | undefined
  readonly buttons: readonly MessageButton[]
  /** Cards of a carousel below it. */
  readonly cards?:
    | readonly {
        readonly headerMedia: HeaderMedia
        readonly body?: string | undefined
        readonly buttons: readonly MessageButton[]
      }[]
    | undefined
}

/** A message as WhatsApp shows it on the customer's phone. A placeholder that has no value is marked. */
export function MessagePreview({
  message: { header, headerMedia, offer, body, footer, buttons, cards },
  sender,
  label = 'Preview of the message',
  empty = 'The message appears here as you write it.',
}: {
  message: PreviewedMessage
  /** The business's name, above the chat; without it only the bubble stands there. */
  sender?: string
  label?: string
  empty?: string
}) {
  return (
    <figure className={styles['phone']} data-framed={sender !== undefined || undefined} aria-label={label}>
      {sender !== undefined && (
        <figcaption className={styles['bar']}>
          <Avatar name={sender} size={28} />
          <span className={styles['sender']} dir="auto">
            {sender}
          </span>
        </figcaption>
      )}
      <div className={styles['chat']}>
        <div className={styles['bubble']}>
          {headerMedia && <HeaderMediaPreview headerMedia={headerMedia} />}
          {offer && <OfferStrip offer={offer} />}
          {header && (
            <p className={styles['header']} dir="auto">
              <Marked text={header} />
            </p>
          )}
          {body.trim() === '' ? (
            <p className={styles['empty']}>{empty}</p>
          ) : (
            <p className={styles['body']} dir="auto">
              <WhatsAppText text={body} />
            </p>
          )}
          {footer && (
            <p className={styles['footer']} dir="auto">
              {footer}
            </p>
          )}
          {buttons.length > 0 && (
            <div className={styles['buttons']}>
              <MessageButtons buttons={buttons} />
            </div>
          )}
        </div>
        {cards && (
          <div className={styles['cards']}>
            <CardRow
              cards={cards.map((card) => ({
                above: <HeaderMediaPreview headerMedia={card.headerMedia} />,
                text: card.body,
                buttons: card.buttons,
              }))}
            />
          </div>
        )}
      </div>
    </figure>
  )
}
