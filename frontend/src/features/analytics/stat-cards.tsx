import ArrowDownOutlined from '@ant-design/icons/ArrowDownOutlined'
import ArrowUpOutlined from '@ant-design/icons/ArrowUpOutlined'
import MinusOutlined from '@ant-design/icons/MinusOutlined'
import type { Analytics, ChangedValue } from '@parley/contracts/platform/analytics'
import { formatCount } from '../../lib/format.ts'
import { Link } from '../../lib/navigation.ts'
import { Counters } from '../../ui/counters.tsx'
import { Hint } from '../../ui/hint.tsx'
import styles from './analytics.module.css'
import { changeText, formulas } from './analytics-labels.ts'
import { FigureLink } from './figure-link.tsx'

const cards = [
  { name: 'totalMessages', label: 'Total Messages' },
  { name: 'messagesSent', label: 'Messages Sent' },
  { name: 'activeContacts', label: 'Active Contacts' },
  { name: 'botInteractions', label: 'Bot Interactions' },
] as const

/** The four stat cards with their change. */
export function StatCards({ stats, ...of }: Pick<Analytics, 'stats' | 'period' | 'scope'> & { isPast: boolean }) {
  return (
    <Counters
      items={cards.map(({ name, label }) => {
        const stat = stats[name]
        return {
          label: <Hint text={formulas[name]}>{label}</Hint>,
          key: name,
          value: stat === null ? '–' : <Figure name={name} label={label} stat={stat} {...of} />,
          hint:
            stat === null ? (
              of.scope === 'workspace' ? (
                'Not counted for these days'
              ) : (
                'Counted for the whole workspace only'
              )
            ) : (
              <Change percent={stat.changePercent} {...of} />
            ),
        }
      })}
    />
  )
}

/** Value of a card, which leads to its rows. */
function Figure({
  name,
  label,
  stat,
  period,
  isPast,
}: {
  name: (typeof cards)[number]['name']
  label: string
  stat: ChangedValue
  period: Analytics['period']
  isPast: boolean
}) {
  const text = `${stat.approximate ? '≈ ' : ''}${formatCount(stat.value)}`
  if (name !== 'activeContacts')
    return (
      <FigureLink metric={name} what={label}>
        {text}
      </FigureLink>
    )
  // The list has who was in touch until today.
  if (isPast) return text
  return (
    <Link to={`/contacts?last=${period}`} className={styles['figure']}>
      {text}
      <span className="visually-hidden">: contacts of these days</span>
    </Link>
  )
}

function Change({ percent, ...of }: { percent: number | null; period: Analytics['period']; isPast: boolean }) {
  const [Icon, tone] = !percent
    ? [MinusOutlined, 'same']
    : percent > 0
      ? [ArrowUpOutlined, 'more']
      : [ArrowDownOutlined, 'less']
  return (
    <span className={styles['change']} data-tone={tone}>
      <Icon aria-hidden />
      <span>{changeText(percent, of)}</span>
    </span>
  )
}
