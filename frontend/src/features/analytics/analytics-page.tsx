import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import DownOutlined from '@ant-design/icons/DownOutlined'
import { type AnalyticsPeriod, analyticsPeriods } from '@parley/contracts/platform/analytics'
import { rowMetrics } from '@parley/contracts/platform/figure-rows'
import { figuresScopeSchema, lastDaySchema } from '@parley/contracts/platform/figures'
import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown, Select } from 'antd'
import { lazy, Suspense } from 'react'
import { z } from 'zod'
import { useBotName } from '../../lib/choices/bots.ts'
import { memberChoices, useMay, useMemberName } from '../../lib/choices/members.ts'
import { numberChoices } from '../../lib/choices/numbers.ts'
import { download } from '../../lib/download.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { useOwnId } from '../../lib/user.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Page } from '../../ui/page.tsx'
import { SkeletonTable } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import styles from './analytics.module.css'
import { daysText, periodLabels } from './analytics-labels.ts'
import { analyticsOptions, type Days, teamReportOptions } from './api.ts'
import { Overview, OverviewSkeleton } from './overview.tsx'
import { reportCsv, reportFileName, teamCsv, teamFileName } from './report.ts'

const address = {
  period: z.enum(analyticsPeriods).optional(),
  /** Last day; today where it is absent. */
  to: lastDaySchema,
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
/** Its code is large, and its place is kept until it is there. */
const Tabs = lazy(async () => ({ default: (await import('antd/es/tabs/index.js')).default }))
const TeamPanel = lazy(async () => ({ default: (await import('./team-panel.tsx')).TeamPanel }))
/** The list is wanted by few who look at figures. */
const RowsDrawer = lazy(async () => ({ default: (await import('./rows-drawer.tsx')).RowsDrawer }))

/** Figures of a period, and charts of its days. */
export function AnalyticsPage() {
  const [{ period = '30d', to, of = 'workspace', view, tab, rows, on, by }, change] = useUrlState(address)
  const days = { period, to }
  const { data, isLoadingError, isFetching, isPlaceholderData, refetch } = useQuery(
    analyticsOptions({ ...days, scope: of }),
  )
  const botName = useBotName()
  const team = useQuery({ ...teamReportOptions(days), enabled: tab === 'team' })
  const memberName = useMemberName()
  const scopes = useScopes(of)
  const shown = tab === 'team' ? team.data : data
  const isReady = tab === 'team' ? team.data && !team.isPlaceholderData : data && !isPlaceholderData
  const writeReport = async () => {
    if (tab === 'team' && team.data) return [teamFileName(team.data), await teamCsv(team.data, memberName)] as const
    if (!data) throw new Error('the figures are not there yet')
    return [reportFileName(data, scopes.name), await reportCsv(data, botName, scopes.name)] as const
  }
  return (
    <Page
      description="What was sent, who replied, and which campaigns and bots perform best."
      actions={
        <>
          {tab !== 'team' && (
            <Select
              className={styles['scope'] ?? ''}
              aria-label="Figures of"
              value={of}
              onChange={(next) => change({ of: next === 'workspace' ? undefined : next })}
              showSearch={{ optionFilterProp: 'label' }}
              popupMatchSelectWidth={false}
              options={scopes.options}
            />
          )}
          <PeriodMenu
            {...days}
            onChange={(next) => change({ period: next === '30d' ? undefined : next, to: undefined })}
          />
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
          <TeamPanel {...days} />
        </Suspense>
      ) : isLoadingError && !isFetching ? (
        <ErrorState
          title="The analytics could not be loaded"
          message="Nothing is lost. Check your connection and try again."
          onRetry={() => void refetch()}
        />
      ) : data ? (
        <Overview
          data={data}
          botName={botName}
          busy={isPlaceholderData}
          isPast={to !== undefined}
          asTable={view === 'table'}
          onTable={(on) => change({ view: on ? 'table' : undefined }, { replace: true })}
        />
      ) : (
        <OverviewSkeleton />
      )}
      {shown && rows && (
        <Suspense>
          <RowsDrawer
            of={{
              metric: rows,
              from: on ?? shown.from,
              to: on ?? shown.to,
              scope: by ?? (tab === 'team' ? 'workspace' : of),
            }}
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

function PeriodMenu({ period, to, onChange }: Days & { onChange: (period: AnalyticsPeriod) => void }) {
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        selectable: true,
        selectedKeys: to === undefined ? [period] : [],
        items: analyticsPeriods.map((key) => ({ key, label: periodLabels[key] })),
        onClick: ({ key }) => {
          const chosen = analyticsPeriods.find((other) => other === key)
          if (chosen) onChange(chosen)
        },
      }}
    >
      <Button aria-haspopup="menu">
        {to === undefined ? periodLabels[period] : daysText(period, to)}
        <DownOutlined aria-hidden />
      </Button>
    </Dropdown>
  )
}

/** Whose figures can be shown: the workspace's, a number's or a member's. @param scope the chosen one, which may be gone by now. */
function useScopes(scope: string) {
  const numbers = useQuery(numberChoices()).data ?? []
  const members = useQuery(memberChoices()).data ?? []
  const ownId = useOwnId()
  const seesTeam = useMay('workspace:write')
  // The server refuses a colleague's figures to those who do not see the team's.
  const seen = members.filter(({ userId }) => seesTeam || userId === ownId)
  const ofNumbers = numbers.map(({ id, displayName }) => ({ value: `number:${id}`, label: displayName }))
  const ofMembers = seen.map(({ userId, name }) => ({ value: `member:${userId}`, label: name }))
  const known = [{ value: 'workspace', label: 'Everything' }, ...ofNumbers, ...ofMembers]
  const name = (of: string) =>
    known.find(({ value }) => value === of)?.label ??
    (of.startsWith('member:') ? 'A former member' : 'A removed number')
  const isKnown = known.some(({ value }) => value === scope)
  return {
    name,
    options: [
      { value: 'workspace', label: name('workspace') },
      ...(isKnown ? [] : [{ value: scope, label: name(scope) }]),
      { label: 'Number', title: 'number', options: ofNumbers },
      { label: 'Member', title: 'member', options: ofMembers },
    ],
  }
}
