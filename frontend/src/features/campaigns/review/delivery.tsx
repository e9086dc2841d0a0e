import WarningOutlined from '@ant-design/icons/WarningOutlined'
import type { DeliveryPlan } from '@parley/contracts/campaigns/delivery-plan'
import { dateTimeFormat } from '../../../lib/date-formats.ts'
import { counted, formatCount } from '../../../lib/format.ts'
import { startTime } from '../labels.ts'
import shared from '../new/new-broadcast.module.css'
import styles from './review.module.css'

const limitLabels: Record<DeliveryPlan['days'][number]['limitedBy'], string> = {
  number: 'as fast as the number sends',
  hours: 'within sending hours',
  portfolio: 'WhatsApp’s limit for 24 hours',
}

const shownDays = 4

/** Times at which the messages leave: until when, and how many on which day. */
export function Delivery({ plan: { finishAt, days, beyond }, timeZone }: { plan: DeliveryPlan; timeZone: string }) {
  if (days.length === 0 && beyond === 0) return null
  const [first, rest] = days.length > shownDays + 1 ? [days.slice(0, shownDays), days.slice(shownDays)] : [days, []]
  return (
    <section className={shared['part']} aria-label="Delivery">
      <h3>Delivery</h3>
      <p>
        {finishAt === null
          ? 'It does not finish within 30 days'
          : `The last message will be sent on ${startTime(finishAt, timeZone)}`}
      </p>
      <Days days={first} />
      {rest.length > 0 && (
        <details className={styles['more']}>
          <summary>{counted(rest.length, 'more day')}</summary>
          <Days days={rest} />
        </details>
      )}
      {beyond > 0 && (
        <p className={shared['warning']}>
          <WarningOutlined role="img" aria-label="Warning" /> {counted(beyond, 'message')} will not be sent within 30
          days. Choose fewer contacts, or a number with a higher limit.
        </p>
      )}
      {days.some(({ limitedBy }) => limitedBy === 'hours') && (
        <p className={styles['small']}>Sending hours are those of each recipient’s time zone.</p>
      )}
      <p className={`${styles['small']} ${styles['forecast']}`}>A forecast. Pauses and other campaigns change it.</p>
    </section>
  )
}

const Days = ({ days }: Pick<DeliveryPlan, 'days'>) => (
  <dl className={shared['lines']}>
    {days.map(({ date, count, limitedBy }) => (
      <div key={date}>
        <dt>
          {dayLabels(date)}
          <span className={styles['limit']}>{limitLabels[limitedBy]}</span>
        </dt>
        <dd>{formatCount(count)}</dd>
      </div>
    ))}
  </dl>
)

/** `Wed, 25 Nov`. */
const dayLabels = (date: string): string =>
  dateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(date),
  )
