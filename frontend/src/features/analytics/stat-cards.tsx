import ArrowDownOutlined from '@ant-design/icons/ArrowDownOutlined'
import ArrowUpOutlined from '@ant-design/icons/ArrowUpOutlined'
import MinusOutlined from '@ant-design/icons/MinusOutlined'
import type { Analytics } from '@parley/contracts/platform/analytics'
import { formatCount } from '../../lib/format.ts'
import { Counters } from '../../ui/counters.tsx'
import styles from './analytics.module.css'
import { changeText } from './analytics-labels.ts'

const cards = [
  { name: 'totalMessages', label: 'Total Messages' },
  { name: 'messagesSent', label: 'Messages Sent' },
  { name: 'activeContacts', label: 'Active Contacts' },
  { name: 'botInteractions', label: 'Bot Interactions' },
] as const

/** The four stat cards with their change. */
export function StatCards({ stats, period }: Pick<Analytics, 'stats' | 'period'>) {
  return (
    <Counters
      items={cards.map(({ name, label }) => ({
        label,
        value: formatCount(stats[name].value),
        hint: <Change percent={stats[name].changePercent} period={period} />,
      }))}
    />
  )
}

function Change({ percent, period }: { percent: number; period: Analytics['period'] }) {
  const [Icon, tone] =
    percent === 0 ? [MinusOutlined, 'same'] : percent > 0 ? [ArrowUpOutlined, 'more'] : [ArrowDownOutlined, 'less']
  return (
    <span className={styles['change']} data-tone={tone}>
      <Icon aria-hidden />
      <span>{changeText(percent, period)}</span>
    </span>
  )
}
