import GiftOutlined from '@ant-design/icons/GiftOutlined'
import { dateTimeFormat } from '../lib/date-formats.ts'
import { useClock } from '../lib/use-clock.ts'
import styles from './offer-strip.module.css'

/** An offer for a limited time with its end, as WhatsApp shows it above a message's text. */
export function OfferStrip({
  offer: { text, endsAt },
}: {
  offer: { readonly text: string; readonly endsAt?: string | undefined }
}) {
  const { now, timeZone } = useClock(0)
  const end = endsAt === undefined ? undefined : new Date(endsAt)
  return (
    <p className={styles['offer']}>
      <GiftOutlined aria-hidden />
      <span className={styles['words']}>
        <strong dir="auto">{text || 'Offer'}</strong>
        {end && (
          <span>
            {end <= now ? 'Ended ' : 'Ends '}
            <time dateTime={endsAt}>
              {dateTimeFormat(undefined, { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(end)}
            </time>
          </span>
        )}
      </span>
    </p>
  )
}
