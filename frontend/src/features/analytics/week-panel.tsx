import type { DayTraffic } from '@parley/contracts/platform/analytics'
import { Switch } from 'antd'
import { lazy, Suspense, useId } from 'react'
import { formatCount } from '../../lib/format.ts'
import { Skeleton, SkeletonBar } from '../../ui/skeleton.tsx'
import table from '../../ui/table.module.css'
import styles from './analytics.module.css'
import { dayText } from './analytics-labels.ts'
import { FigureLink } from './figure-link.tsx'

/** The chart's library is heavy, and only this screen draws. */
const WeekChart = lazy(async () => ({ default: (await import('./week-chart.tsx')).WeekChart }))

/** Messages of the last seven days by day, as a chart or as the table of the same figures. */
export function WeekPanel({
  week,
  isPast,
  asTable,
  onTable,
}: {
  week: readonly DayTraffic[]
  isPast: boolean
  asTable: boolean
  onTable: (on: boolean) => void
}) {
  const id = useId()
  const sum = (name: 'sent' | 'received') => formatCount(week.reduce((total, day) => total + day[name], 0))
  return (
    <section className={styles['panel']} aria-labelledby={id}>
      <div className={styles['panelHead']}>
        <h2 id={id}>{isPast ? 'Messages of Seven Days' : 'Messages This Week'}</h2>
        <span className={styles['switch']}>
          <span id={`${id}-table`}>View as table</span>
          <Switch size="small" checked={asTable} onChange={onTable} aria-labelledby={`${id}-table`} />
        </span>
      </div>
      {asTable ? (
        <WeekTable week={week} />
      ) : (
        <>
          <ul className={styles['legend']} aria-label="Chart legend">
            <li data-series="sent">Sent: {sum('sent')}</li>
            <li data-series="received">Received: {sum('received')}</li>
          </ul>
          <div className={styles['chart']}>
            <Suspense
              fallback={
                <Skeleton>
                  <SkeletonBar height="280px" />
                </Skeleton>
              }
            >
              <WeekChart week={week} />
            </Suspense>
          </div>
        </>
      )}
    </section>
  )
}

function WeekTable({ week }: { week: readonly DayTraffic[] }) {
  return (
    <table className={`${table['table']} ${styles['plain']}`}>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col" className={table['number']}>
            Sent
          </th>
          <th scope="col" className={table['number']}>
            Received
          </th>
        </tr>
      </thead>
      <tbody>
        {week.map(({ date, sent, received }) => (
          <tr key={date}>
            <th scope="row">{dayText(date, 'long')}</th>
            <td className={table['number']}>
              <FigureLink metric="messagesSent" on={date} what={`sent on ${dayText(date, 'long')}`}>
                {formatCount(sent)}
              </FigureLink>
            </td>
            <td className={table['number']}>
              <FigureLink metric="received" on={date} what={`received on ${dayText(date, 'long')}`}>
                {formatCount(received)}
              </FigureLink>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
