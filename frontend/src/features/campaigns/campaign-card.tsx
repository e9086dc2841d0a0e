import CalendarOutlined from '@ant-design/icons/CalendarOutlined'
import ClockCircleOutlined from '@ant-design/icons/ClockCircleOutlined'
import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import { Button } from 'antd'
import { formatCount } from '../../lib/format.ts'
import cards from '../../ui/cards.module.css'
import { Meter } from '../../ui/meter.tsx'
import styles from './campaigns.module.css'
import { CardHead } from './card-head.tsx'
import { deliveryRate, startTime } from './labels.ts'

export function CampaignCard({
  campaign: { name, status, scheduledFor, waitsUntil, counts, audienceName },
  timeZone,
  onOpen,
}: {
  campaign: Campaign
  timeZone: string
  onOpen: () => void
}) {
  const progress = `${formatCount(counts.sent)} of ${formatCount(counts.audience)} sent`
  return (
    <li className={cards['card']}>
      <CardHead name={name} sub={audienceName} status={status} />
      <div className={styles['progress']}>
        <div className={styles['words']}>
          {status === 'scheduled' && scheduledFor && (
            <span className={styles['when']}>
              <CalendarOutlined aria-hidden />
              <time dateTime={scheduledFor}>{startTime(scheduledFor, timeZone)}</time>
            </span>
          )}
          {waitsUntil && (
            <span className={styles['when']}>
              <ClockCircleOutlined aria-hidden />
              <span>
                Waits until <time dateTime={waitsUntil}>{startTime(waitsUntil, timeZone)}</time>
              </span>
            </span>
          )}
          <span>{progress}</span>
        </div>
        <Meter
          label={`Progress of ${name}`}
          value={counts.sent}
          max={counts.audience}
          text={progress}
          tone={status === 'active' || status === 'completed' ? 'normal' : 'quiet'}
        />
      </div>
      <dl className={cards['facts']}>
        <div>
          <dt>Audience</dt>
          <dd>{formatCount(counts.audience)}</dd>
        </div>
        <div>
          <dt>Delivery</dt>
          <dd>{deliveryRate(counts)}</dd>
        </div>
      </dl>
      <div className={cards['foot']}>
        <Button onClick={onOpen} aria-label={`View Details of ${name}`} aria-haspopup="dialog">
          View Details
        </Button>
      </div>
    </li>
  )
}
