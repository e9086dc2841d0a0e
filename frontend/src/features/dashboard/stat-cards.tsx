import ArrowDownOutlined from '@ant-design/icons/ArrowDownOutlined'
import ArrowUpOutlined from '@ant-design/icons/ArrowUpOutlined'
import MinusOutlined from '@ant-design/icons/MinusOutlined'
import type { Dashboard, Stat, Trend } from '@parley/contracts/platform/dashboard'
import { Link } from '../../lib/navigation.ts'
import { Hint } from '../../ui/hint.tsx'
import styles from './stat-cards.module.css'

type Stats = Dashboard['stats'] & { readonly creditsRemaining: Stat }
type StatName = keyof Stats

interface Card {
  readonly name: StatName
  readonly label: string
  /** Explains how it is counted. */
  readonly formula: string
  /** Address of what it is the sum of. */
  readonly rows: string
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
  {
    name: 'totalMessages',
    label: 'Total Messages',
    formula: 'Messages that WhatsApp took from you and messages from customers, in the last 30 days with today.',
    rows: '/analytics?rows=totalMessages',
    better: 'up',
    format: count,
  },
  {
    name: 'activeCampaigns',
    label: 'Active Campaigns',
    formula: 'Campaigns that are sending now.',
    rows: '/broadcasts?status=active',
    better: 'up',
    format: count,
  },
  {
    name: 'creditsRemaining',
    label: 'Credits Remaining',
    formula: 'Credits of your plan less those used and those that campaigns hold.',
    rows: '/settings?tab=billing',
    better: 'neither',
    format: credits,
    from: 0,
  },
  {
    name: 'responseRate',
    label: 'Response Rate',
    formula:
      'Times in the last 30 days that a customer wrote and had an answer within 24 hours. Conversations closed without an answer, and those who wrote less than 24 hours ago and still wait, do not count.',
    rows: '/analytics?rows=waits',
    better: 'up',
    format: percent,
  },
]

/** The four stat cards. */
export function StatCards({ stats, hasCreditLimit }: { stats: Stats; hasCreditLimit: boolean }) {
  return (
    <dl className={styles['grid']}>
      {cards.map((card) => {
        const stat = stats[card.name]
        const hasLimit = card.name !== 'creditsRemaining' || hasCreditLimit
        return <StatCard key={card.name} card={card} stat={stat} hasLimit={hasLimit} />
      })}
    </dl>
  )
}

function StatCard({
  card: { name, label, formula, rows, better, format, from },
  stat,
  hasLimit,
}: {
  card: Card
  stat: Stat
  hasLimit: boolean
}) {
  const { value, trend } = stat
  const change = trend.change ?? 0
  const Arrow = change === 0 ? MinusOutlined : change > 0 ? ArrowUpOutlined : ArrowDownOutlined
  const tone = better === 'neither' || change === 0 ? 'neutral' : change > 0 ? 'good' : 'bad'
  const shown = value === null ? '–' : format.format(name === 'responseRate' ? value / 100 : value)
  const said = value === null ? 'No customer has waited for an answer' : trendText(trend)
  return (
    <div className={styles['card']}>
      <dt>
        <Hint text={formula}>{label}</Hint>
      </dt>
      <dd className={styles['value']}>
        <Link to={rows} aria-label={`${hasLimit ? shown : 'No limit'}: what ${label} is made of`}>
          {hasLimit ? shown : 'No limit'}
        </Link>
      </dd>
      <dd className={styles['trend']}>
        <Arrow className={styles[tone] ?? ''} aria-hidden="true" />
        <span>{hasLimit ? said : `${format.format(-change)} used today`}</span>
      </dd>
      <dd className={styles['chart']}>
        <Sparkline values={stat.series.points.map(({ value }) => value)} from={from} />
      </dd>
    </div>
  )
}

const width = 120
const height = 36

/** The course of a value as a line. The card's number and trend say the same in words. */
function Sparkline({ values, from }: { values: readonly number[]; from?: number | undefined }) {
  const { line, area } = sparklinePath(values, { width, height, from })
  return (
    <svg
      className={styles['sparkline']}
      viewBox={`0 -2 ${width} ${height + 4}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={styles['area']} d={area} />
      <path className={styles['line']} d={line} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}

/**
 * Paths of a sparkline in a box of the given size: the line, and the area below it. Empty below two values.
 * @param from what the bottom of the box stands for; the lowest value unless told.
 */
export function sparklinePath(
  values: readonly number[],
  { width, height, from }: { width: number; height: number; from?: number | undefined },
): { line: string; area: string } {
  if (values.length < 2) return { line: '', area: '' }
  const low = from ?? Math.min(...values)
  const range = Math.max(...values) - low
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * width
    const y = range === 0 ? height / 2 : height - ((value - low) / range) * height
    return `${round(x)} ${round(y)}`
  })
  const line = `M${points.join('L')}`
  return { line, area: `${line}L${width} ${height}L0 ${height}Z` }
}

const round = (value: number) => Math.round(value * 100) / 100

const since = { yesterday: 'yesterday', last_week: 'last week', last_month: 'last month' } as const

/** Describes a stat card's change: `12.5% more than last month`. */
export function trendText({ change, unit, since: period }: Trend, locale?: string): string {
  if (change === null) return `New: nothing to compare with ${since[period]}`
  if (change === 0) return `Same as ${since[period]}`
  const amount = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(Math.abs(change))
  const direction = change > 0 ? 'more' : 'fewer'
  if (unit === 'points') return `${amount} points ${change > 0 ? 'above' : 'below'} ${since[period]}`
  if (unit === 'percent') return `${amount}% ${change > 0 ? 'more' : 'less'} than ${since[period]}`
  return `${amount} ${direction} than ${since[period]}`
}
