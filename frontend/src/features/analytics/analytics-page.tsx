import BarChartOutlined from '@ant-design/icons/BarChartOutlined'
import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import DownOutlined from '@ant-design/icons/DownOutlined'
import { type Analytics, type AnalyticsPeriod, analyticsPeriods } from '@parley/contracts/platform/analytics'
import { rowMetrics } from '@parley/contracts/platform/figure-rows'
import { figuresScopeSchema } from '@parley/contracts/platform/figures'
import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown } from 'antd'
import { lazy, Suspense } from 'react'
import { z } from 'zod'
import { useBotName } from '../../lib/choices/bots.ts'
import { useMemberName } from '../../lib/choices/members.ts'
import { download } from '../../lib/download.ts'
import { formatCount } from '../../lib/format.ts'
import { Link } from '../../lib/navigation.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { ActionLink } from '../../ui/action.tsx'
import { AsOf } from '../../ui/as-of.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Page } from '../../ui/page.tsx'
import { SkeletonTable } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import styles from './analytics.module.css'
import { formulas, periodLabels, rateText } from './analytics-labels.ts'
import { AnalyticsSkeleton } from './analytics-skeleton.tsx'
import { analyticsOptions, teamReportOptions } from './api.ts'
import { FigureLink } from './figure-link.tsx'
import { PerformancePanel } from './performance-panel.tsx'
import { reportCsv, reportFileName, teamCsv, teamFileName } from './report.ts'
import { ScopeSelect } from './scope-select.tsx'
import { StatCards } from './stat-cards.tsx'
import { WeekPanel } from './week-panel.tsx'

const address = {
  period: z.enum(analyticsPeriods).optional(),
  of: figuresScopeSchema.optional(),
  view: z.literal('table').optional(),
  tab: z.literal('team').optional(),
  /** Figure whose rows are open, of one day and of one bot or member where named. */
  rows: z.enum(rowMetrics).optional(),
  on: z.iso.date().optional(),
  by: z
    .string()
    .regex(/^(bot|member):[\w-]{1,64}$/)
    .optional(),
}
const maxShown = 5
/** Its code is large, and its place is kept until it is there. */
const Tabs = lazy(async () => ({ default: (await import('antd/es/tabs/index.js')).default }))
const TeamPanel = lazy(async () => ({ default: (await import('./team-panel.tsx')).TeamPanel }))
/** The list is wanted by few who look at figures. */
const RowsDrawer = lazy(async () => ({ default: (await import('./rows-drawer.tsx')).RowsDrawer }))

/** Figures of a period, and charts of its days. */
export function AnalyticsPage() {
  const [{ period = '30d', of = 'workspace', view, tab, rows, on, by }, change] = useUrlState(address)
  const query = { period, scope: of }
  const { data, isLoadingError, isFetching, isPlaceholderData, refetch } = useQuery(analyticsOptions(query))
  const botName = useBotName()
  const team = useQuery({ ...teamReportOptions(period), enabled: tab === 'team' })
  const memberName = useMemberName()
  const isReady = tab === 'team' ? team.data && !team.isPlaceholderData : data && !isPlaceholderData
  const writeReport = async () => {
    if (tab === 'team' && team.data) return [teamFileName(team.data), await teamCsv(team.data, memberName)] as const
    if (!data) throw new Error('the figures are not there yet')
    return [reportFileName(data), await reportCsv(data, botName)] as const
  }
  return (
    <Page
      description="What was sent, who replied, and which campaigns and bots perform best."
      actions={
        <>
          <ScopeSelect scope={of} onChange={(next) => change({ of: next === 'workspace' ? undefined : next })} />
          <PeriodMenu period={period} onChange={(next) => change({ period: next === '30d' ? undefined : next })} />
          <Button
            type="primary"
            icon={<DownloadOutlined aria-hidden />}
            disabled={!isReady}
            onClick={() => void exportReport(writeReport)}
          >
            Export Report
          </Button>
        </>
      }
    >
      <Suspense fallback={<div className={styles['tabs']} />}>
        <Tabs
          activeKey={tab ?? 'overview'}
          items={[
            { key: 'overview', label: 'Overview' },
            { key: 'team', label: 'Team' },
          ]}
          onChange={(key) => change({ tab: key === 'team' ? key : undefined, rows: undefined, by: undefined })}
        />
      </Suspense>
      {tab === 'team' ? (
        <Suspense fallback={<SkeletonTable rows={5} height="44px" />}>
          <TeamPanel period={period} />
        </Suspense>
      ) : isLoadingError && !isFetching ? (
        <ErrorState
          title="The analytics could not be loaded"
          message="Nothing is lost. Check your connection and try again."
          onRetry={() => void refetch()}
        />
      ) : data ? (
        <Content
          data={data}
          botName={botName}
          busy={isPlaceholderData}
          asTable={view === 'table'}
          onTable={(on) => change({ view: on ? 'table' : undefined }, { replace: true })}
        />
      ) : (
        <AnalyticsSkeleton />
      )}
      {data && rows && (
        <Suspense>
          <RowsDrawer
            of={{ metric: rows, from: on ?? data.from, to: on ?? data.to, scope: by ?? of }}
            onClose={() => change({ rows: undefined, on: undefined, by: undefined })}
          />
        </Suspense>
      )}
    </Page>
  )
}

/** @param write returns the name and the text of the file. */
async function exportReport(write: () => Promise<readonly [name: string, text: string]>): Promise<void> {
  try {
    const [name, text] = await write()
    download(name, [text])
    toast.success('The report was downloaded.')
  } catch {
    toast.error('The report could not be created. Try again.')
  }
}

function PeriodMenu({ period, onChange }: { period: AnalyticsPeriod; onChange: (period: AnalyticsPeriod) => void }) {
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        selectable: true,
        selectedKeys: [period],
        items: analyticsPeriods.map((key) => ({ key, label: periodLabels[key] })),
        onClick: ({ key }) => {
          const chosen = analyticsPeriods.find((other) => other === key)
          if (chosen) onChange(chosen)
        },
      }}
    >
      <Button aria-haspopup="menu">
        {periodLabels[period]}
        <DownOutlined aria-hidden />
      </Button>
    </Dropdown>
  )
}

function Content({
  data,
  botName,
  busy,
  asTable,
  onTable,
}: {
  data: Analytics
  botName: (id: string) => string
  busy: boolean
  asTable: boolean
  onTable: (on: boolean) => void
}) {
  const { asOf, timeZone, scope, stats, period, week, campaigns, bots } = data
  const isEmpty =
    scope === 'workspace' && stats.totalMessages.value === 0 && campaigns.length === 0 && bots.length === 0
  return (
    <div className={styles['content']} aria-busy={busy}>
      <StatCards stats={stats} period={period} />
      <AsOf at={asOf} timeZone={timeZone} />
      {isEmpty ? (
        <EmptyState
          icon={<BarChartOutlined />}
          title="No data yet"
          message="Once messages are sent and received, you will see them here, along with your campaigns and bots."
          action={<ActionLink to="/whatsapp-numbers?new=1">Connect a number</ActionLink>}
        />
      ) : (
        <>
          <WeekPanel week={week} asTable={asTable} onTable={onTable} />
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
