import ArrowDownOutlined from '@ant-design/icons/ArrowDownOutlined'
import ArrowUpOutlined from '@ant-design/icons/ArrowUpOutlined'
import MinusOutlined from '@ant-design/icons/MinusOutlined'
import type { Dashboard, Stat } from '@parley/contracts/platform/dashboard'
import { Sparkline } from './sparkline.tsx'
import styles from './stat-cards.module.css'
import { trendText } from './trend.ts'

type StatName = keyof Dashboard['stats']

interface Card {
  readonly name: StatName
  readonly label: string
  /** Better direction; neither for credits, which are there to be used. */
  readonly better: 'up' | 'neither'
  readonly format: Intl.NumberFormat
  /** Start of the sparkline, if not its lowest value: remaining credits must not look like nothing. */
  readonly from?: number
}

const count = new Intl.NumberFormat()
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })
/** Credits are grouped as in '25,000' in every locale, as in the bar below. */
const credits = new Intl.NumberFormat('en-US')

export const cards: readonly Card[] = [
  { name: 'totalMessages', label: 'Total Messages', better: 'up', format: count },
  { name: 'activeCampaigns', label: 'Active Campaigns', better: 'up', format: count },
  { name: 'creditsRemaining', label: 'Credits Remaining', better: 'neither', format: credits, from: 0 },
  { name: 'responseRate', label: 'Response Rate', better: 'up', format: percent },
]

/** The stat cards of what is counted: four, or fewer. */
export function StatCards({ stats, hasCreditLimit }: { stats: Partial<Dashboard['stats']>; hasCreditLimit: boolean }) {
  return (
    <dl className={styles['grid']}>
      {cards.map((card) => {
        const stat = stats[card.name]
        const hasLimit = card.name !== 'creditsRemaining' || hasCreditLimit
        return stat && <StatCard key={card.name} card={card} stat={stat} hasLimit={hasLimit} />
      })}
    </dl>
  )
}

function StatCard({
  card: { name, label, better, format, from },
  stat,
  hasLimit,
}: {
  card: Card
  stat: Stat
  hasLimit: boolean
}) {
  const { change } = stat.trend
  const Arrow = change === 0 ? MinusOutlined : change > 0 ? ArrowUpOutlined : ArrowDownOutlined
  const tone = better === 'neither' || change === 0 ? 'neutral' : change > 0 ? 'good' : 'bad'
  return (
    <div className={styles['card']}>
      <dt>{label}</dt>
      <dd className={styles['value']}>
        {hasLimit ? format.format(name === 'responseRate' ? stat.value / 100 : stat.value) : 'No limit'}
      </dd>
      <dd className={styles['trend']}>
        <Arrow className={styles[tone] ?? ''} aria-hidden="true" />
        <span>{hasLimit ? trendText(stat.trend) : `${format.format(-change)} used today`}</span>
      </dd>
      <dd className={styles['chart']}>
        <Sparkline values={stat.series.points.map(({ value }) => value)} from={from} />
      </dd>
    </div>
  )
}
