import BarChartOutlined from '@ant-design/icons/BarChartOutlined'
import type { Analytics } from '@parley/contracts/platform/analytics'
import { formatCount } from '../../lib/format.ts'
import { Link } from '../../lib/navigation.ts'
import { ActionLink } from '../../ui/action.tsx'
import { AsOf } from '../../ui/as-of.tsx'
import { Counters } from '../../ui/counters.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeleton, SkeletonBar, SkeletonTable } from '../../ui/skeleton.tsx'
import styles from './analytics.module.css'
import { changeText, formulas, rateText } from './analytics-labels.ts'
import { FigureLink } from './figure-link.tsx'
import { PerformancePanel } from './performance-panel.tsx'
import { StatCards } from './stat-cards.tsx'
import { WeekPanel } from './week-panel.tsx'

const maxShown = 5

/** Figures of a period with its days, its best campaigns and its bots. */
export function Overview({
  data,
  botName,
  busy,
  isPast,
  asTable,
  onTable,
}: {
  data: Analytics
  botName: (id: string) => string
  busy: boolean
  /** Set where the days end before today. */
  isPast: boolean
  asTable: boolean
  onTable: (on: boolean) => void
}) {
  const { scope, stats, period, week, campaigns, bots } = data
  const isEmpty =
    scope === 'workspace' && stats.totalMessages.value === 0 && campaigns.length === 0 && bots.length === 0
  return (
    <div className={styles['content']} aria-busy={busy}>
      <StatCards stats={stats} period={period} scope={scope} isPast={isPast} />
      <AsOf {...data} />
      {isEmpty ? (
        <EmptyState
          icon={<BarChartOutlined />}
          title="No data yet"
          message="Once messages are sent and received, you will see them here, along with your campaigns and bots."
          action={<ActionLink to="/whatsapp-numbers?new=1">Connect a number</ActionLink>}
        />
      ) : (
        <>
          <WeekPanel week={week} isPast={isPast} asTable={asTable} onTable={onTable} />
          {!scope.startsWith('member:') && (
            <div className={styles['columns']}>
              <PerformancePanel
                title="Top Performing Campaigns"
                formula={formulas.campaigns}
                nameColumn="Campaign"
                columns={['Delivered', 'Opened', 'Clicked', 'Open rate']}
                rows={campaigns.slice(0, maxShown).map(({ id, name, delivered, opened, clicked, openRate }) => ({
                  id,
                  name,
                  to: `/broadcasts?id=${id}`,
                  cells: [
                    <RecipientsLink key="delivered" id={id} outcome="delivered" count={delivered} of={name} />,
                    <RecipientsLink key="read" id={id} outcome="read" count={opened} of={name} />,
                    clicked === null ? (
                      '–'
                    ) : (
                      <RecipientsLink key="clicked" id={id} outcome="clicked" count={clicked} of={name} />
                    ),
                    openRate === null ? '–' : rateText(openRate),
                  ],
                }))}
                all={{ to: '/broadcasts', what: 'campaigns' }}
                nothing="No campaigns were sent in this period."
              />
              {scope === 'workspace' && (
                <PerformancePanel
                  title="Bot Performance"
                  formula={formulas.bots}
                  nameColumn="Bot"
                  columns={['Conversations', 'Resolved', 'Rate']}
                  rows={bots.slice(0, maxShown).map(({ id, conversations, resolved, rate }) => ({
                    id,
                    name: botName(id),
                    to: `/bots?bot=${id}`,
                    cells: [
                      <FigureLink
                        key="taken"
                        metric="botInteractions"
                        by={`bot:${id}`}
                        what={`conversations of ${botName(id)}`}
                      >
                        {formatCount(conversations)}
                      </FigureLink>,
                      <FigureLink key="resolved" metric="resolved" by={`bot:${id}`} what={`resolved by ${botName(id)}`}>
                        {formatCount(resolved)}
                      </FigureLink>,
                      rateText(rate),
                    ],
                  }))}
                  all={{ to: '/bots', what: 'bots' }}
                  nothing="No bot has replied to anyone yet."
                />
              )}
            </div>
          )}
        </>
      )}
    </div>
  )
}

/** Count of recipients of a campaign, which leads to them. */
function RecipientsLink({ id, outcome, count, of }: { id: string; outcome: string; count: number; of: string }) {
  return (
    <Link to={`/broadcasts?id=${id}&recipients=${outcome}`} className={styles['figure']}>
      {formatCount(count)}
      <span className="visually-hidden">
        : recipients of {of}, {outcome}
      </span>
    </Link>
  )
}

const labels = ['Total Messages', 'Messages Sent', 'Active Contacts', 'Bot Interactions']

const heights = ['46%', '62%', '58%', '70%', '66%', '40%', '52%']

/** The layout of the analytics while they are read. */
export function OverviewSkeleton() {
  return (
    <div className={styles['content']}>
      <Counters items={labels.map((label) => ({ label, value: undefined, hint: <UnreadChange /> }))} />
      <Skeleton className={styles['panel']}>
        <SkeletonBar width="220px" height="24px" />
        <div className={styles['bars']}>
          {heights.map((height) => (
            <SkeletonBar key={height} height={height} />
          ))}
        </div>
      </Skeleton>
      <div className={styles['columns']}>
        <SkeletonTable rows={5} height="48px" />
        <SkeletonTable rows={5} height="48px" />
      </div>
    </div>
  )
}

/** Breaks into as many lines as the real one, which is about as long. */
const UnreadChange = () => (
  <span className={styles['unread']}>
    <span>{changeText(12.5, { period: '30d' })}</span>
    <SkeletonBar width="80%" height="calc(100% - 4px)" />
  </span>
)
