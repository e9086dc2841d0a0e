import BarChartOutlined from '@ant-design/icons/BarChartOutlined'
import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import DownOutlined from '@ant-design/icons/DownOutlined'
import { type Analytics, type AnalyticsPeriod, analyticsPeriods } from '@parley/contracts/platform/analytics'
import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown } from 'antd'
import { z } from 'zod'
import { download } from '../../lib/download.ts'
import { formatCount } from '../../lib/format.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { ActionLink } from '../../ui/action.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Examples } from '../../ui/examples.tsx'
import { Page } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.ts'
import styles from './analytics.module.css'
import { periodLabels, rateText } from './analytics-labels.ts'
import { AnalyticsSkeleton } from './analytics-skeleton.tsx'
import { analyticsOptions } from './api.ts'
import { PerformancePanel } from './performance-panel.tsx'
import { reportCsv, reportFileName } from './report.ts'
import { StatCards } from './stat-cards.tsx'
import { WeekPanel } from './week-panel.tsx'

const address = { period: z.enum(analyticsPeriods).optional(), view: z.literal('table').optional() }
const maxShown = 5

export const AnalyticsPage = () => (
  <Examples of="analytics" what="figures" icon={<BarChartOutlined />}>
    <MessagingMetrics />
  </Examples>
)

/** Figures of a period, and charts of its days. */
function MessagingMetrics() {
  const [{ period = '30d', view }, change] = useUrlState(address)
  const { data, isLoadingError, isFetching, isPlaceholderData, refetch } = useQuery(analyticsOptions(period))
  return (
    <Page
      description="What was sent, who replied, and which campaigns and bots perform best."
      actions={
        <>
          <PeriodMenu period={period} onChange={(next) => change({ period: next === '30d' ? undefined : next })} />
          <Button
            type="primary"
            icon={<DownloadOutlined aria-hidden />}
            disabled={!data || isPlaceholderData}
            onClick={() => data && void exportReport(data)}
          >
            Export Report
          </Button>
        </>
      }
    >
      {isLoadingError && !isFetching ? (
        <ErrorState
          title="The analytics could not be loaded"
          message="Nothing is lost. Check your connection and try again."
          onRetry={() => void refetch()}
        />
      ) : data ? (
        <Content
          data={data}
          busy={isPlaceholderData}
          asTable={view === 'table'}
          onTable={(on) => change({ view: on ? 'table' : undefined }, { replace: true })}
        />
      ) : (
        <AnalyticsSkeleton />
      )}
    </Page>
  )
}

async function exportReport(data: Analytics): Promise<void> {
  try {
    download(reportFileName(data), [await reportCsv(data)])
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
  busy,
  asTable,
  onTable,
}: {
  data: Analytics
  busy: boolean
  asTable: boolean
  onTable: (on: boolean) => void
}) {
  const { stats, period, week, campaigns, bots } = data
  const isEmpty = stats.totalMessages.value === 0 && campaigns.length === 0 && bots.length === 0
  return (
    <div className={styles['content']} aria-busy={busy}>
      <StatCards stats={stats} period={period} />
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
          <div className={styles['columns']}>
            <PerformancePanel
              title="Top Performing Campaigns"
              nameColumn="Campaign"
              columns={['Delivered', 'Opened', 'Clicked', 'Open rate']}
              rows={campaigns.slice(0, maxShown).map(({ id, name, delivered, opened, clicked, openRate }) => ({
                id,
                name,
                to: `/broadcasts?id=${id}`,
                cells: [formatCount(delivered), formatCount(opened), formatCount(clicked), rateText(openRate)],
              }))}
              all={{ to: '/broadcasts', what: 'campaigns' }}
              nothing="No campaigns were sent in this period."
            />
            <PerformancePanel
              title="Bot Performance"
              nameColumn="Bot"
              columns={['Conversations', 'Resolved', 'Rate']}
              rows={bots.slice(0, maxShown).map(({ id, name, conversations, resolved, rate }) => ({
                id,
                name,
                // By its name: a figure of the sample has another id than the workspace's own record.
                to: `/bots?q=${encodeURIComponent(name)}`,
                cells: [formatCount(conversations), formatCount(resolved), rateText(rate)],
              }))}
              all={{ to: '/bots', what: 'bots' }}
              nothing="No bot has replied to anyone yet."
            />
          </div>
        </>
      )}
    </div>
  )
}
