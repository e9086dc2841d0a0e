import type { DayTraffic } from '@parley/contracts/platform/analytics'
import { useId } from 'react'
import { Bar, BarChart, CartesianGrid, LabelList, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { formatCount } from '../../lib/format.ts'
import { useIsMobile } from '../../ui/use-media.ts'
import styles from './analytics.module.css'
import { dayText } from './analytics-labels.ts'

/** Sent and received by day. Sent is plain and received is hatched, so that colour is not needed to tell them apart. */
export function WeekChart({ week }: { week: readonly DayTraffic[] }) {
  const hatch = useId()
  const phone = useIsMobile()
  const data = week.map((day) => ({ ...day, name: dayText(day.date, 'short') }))
  const label = { position: 'top', fill: 'var(--text-secondary)', fontSize: 'var(--font-13)' } as const
  const labels = (name: 'sent' | 'received') =>
    !phone && <LabelList dataKey={name} {...label} formatter={(value) => formatCount(Number(value))} />
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart
        data={data}
        margin={{ top: 24, right: 0, bottom: 0, left: 0 }}
        barGap={2}
        barCategoryGap={phone ? '18%' : '26%'}
        title="Messages by day: use the left and right arrow keys to move between days"
      >
        <defs>
          <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="6" height="6" fill="var(--surface)" />
            <rect width="3" height="6" fill="var(--info)" />
          </pattern>
        </defs>
        <CartesianGrid vertical={false} stroke="var(--border)" />
        <XAxis dataKey="name" tickLine={false} axisLine={{ stroke: 'var(--border-strong)' }} tick={tick} interval={0} />
        <YAxis
          hide={phone}
          width="auto"
          tickLine={false}
          axisLine={false}
          tick={tick}
          tickFormatter={formatCount}
          allowDecimals={false}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ fill: 'color-mix(in srgb, var(--text) 5%, transparent)' }}
          content={({ active, payload }) => <Day shown={active} day={payload?.[0]?.payload} />}
        />
        <Bar dataKey="sent" name="Sent" fill="var(--accent)" radius={[3, 3, 0, 0]} isAnimationActive={false}>
          {labels('sent')}
        </Bar>
        <Bar
          dataKey="received"
          name="Received"
          fill={`url(#${hatch})`}
          stroke="var(--info)"
          radius={[3, 3, 0, 0]}
          isAnimationActive={false}
        >
          {labels('received')}
        </Bar>
      </BarChart>
    </ResponsiveContainer>
  )
}

const tick = { fill: 'var(--text-secondary)', fontSize: 'var(--font-13)' }

function Day({ shown, day }: { shown: boolean; day: DayTraffic | undefined }) {
  if (!shown || !day) return null
  return (
    <div className={styles['tip']}>
      <b>{dayText(day.date, 'long')}</b>
      <span>Sent: {formatCount(day.sent)}</span>
      <span>Received: {formatCount(day.received)}</span>
    </div>
  )
}
