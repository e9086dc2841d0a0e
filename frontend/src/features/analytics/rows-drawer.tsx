import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import type { FigureRow, RowMetric } from '@parley/contracts/platform/figure-rows'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Button, Drawer } from 'antd'
import { useBotName } from '../../lib/choices/bots.ts'
import { useMay, useMemberName } from '../../lib/choices/members.ts'
import { dateTimeFormat } from '../../lib/date-formats.ts'
import { formatCount } from '../../lib/format.ts'
import { Link } from '../../lib/navigation.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonTable } from '../../ui/skeleton.tsx'
import { secondsText } from './analytics-labels.ts'
import { type RowsOf, rowsOptions, useExportRows } from './rows-api.ts'
import styles from './rows-drawer.module.css'

const titles: Readonly<Record<RowMetric, string>> = {
  totalMessages: 'Total Messages',
  messagesSent: 'Messages Sent',
  received: 'Messages received',
  waits: 'Customers who waited for an answer',
  botInteractions: 'Bot Interactions',
  resolved: 'Resolved by bots',
  replied: 'Customers answered',
  missed: 'Answered after the target',
  ratings: 'Ratings by customers',
  closed: 'Conversations closed',
}

/** Lists the rows that a figure is the sum of, each with the way to its conversation. */
export function RowsDrawer({ of, onClose }: { of: RowsOf; onClose: () => void }) {
  const rows = useInfiniteQuery(rowsOptions(of))
  const mayExport = useMay('analytics:export')
  const { start, isPending } = useExportRows()
  const first = rows.data?.pages[0]
  return (
    <Drawer
      open
      onClose={onClose}
      size="min(560px, 100vw)"
      title={titles[of.metric]}
      closable={{ 'aria-label': 'Close rows', placement: 'end' }}
      extra={
        mayExport && (
          <Button icon={<DownloadOutlined aria-hidden />} loading={isPending} onClick={() => void start(of)}>
            Export rows
          </Button>
        )
      }
    >
      {rows.isLoadingError && !rows.isFetching ? (
        <ErrorState
          title="The rows could not be loaded"
          message="Nothing is lost. Check your connection and try again."
          onRetry={() => void rows.refetch()}
        />
      ) : !first ? (
        <SkeletonTable rows={8} height="48px" />
      ) : (
        <>
          <p className={styles['about']}>
            {formatCount(first.figure)} from {daysText(of)}, by days of {first.timeZone}.
            {first.sample > 0 && ` ${partText(first.sample, first.figure)} are figures of the sample data.`}
            {first.erased > 0 && ` ${partText(first.erased, first.figure)} were erased with their person.`}
          </p>
          <ul className={styles['rows']} aria-label="Rows">
            {rows.data?.pages.flatMap(({ items }) =>
              items.map((row) => <Row key={row.id} row={row} timeZone={first.timeZone} />),
            )}
          </ul>
          {first.items.length === 0 && <p className={styles['about']}>No row is stored for these days.</p>}
          {rows.hasNextPage && (
            <Button block loading={rows.isFetchingNextPage} onClick={() => void rows.fetchNextPage()}>
              Show more
            </Button>
          )}
        </>
      )}
    </Drawer>
  )
}

/** `1 – 30 Nov 2026`. */
const daysText = ({ from, to }: RowsOf): string =>
  dateTimeFormat(undefined, { timeZone: 'UTC', dateStyle: 'medium' }).formatRange(new Date(from), new Date(to))
const partText = (count: number, all: number): string =>
  count === all ? 'All of them' : `${formatCount(count)} of them`

function Row({ row, timeZone }: { row: FigureRow; timeZone: string }) {
  const memberName = useMemberName()
  const botName = useBotName()
  const time = dateTimeFormat(undefined, { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(new Date(row.at))
  const name = row.contactName ?? (row.hidden ? 'Customer of a colleague' : 'Erased person')
  const by = row.kind === 'bot' ? { kind: 'bot', id: row.botId } : row.by
  const author =
    by?.kind === 'member' ? memberName(by.id) : by?.kind === 'bot' ? botName(by.id) : by && (causes[by.kind] ?? by.kind)
  return (
    <li className={styles['row']}>
      <span className={styles['name']}>
        {row.conversationId === null ? name : <Link to={`/conversations?id=${row.conversationId}`}>{name}</Link>}
      </span>
      <time dateTime={row.at}>{time}</time>
      <span className={styles['state']}>
        {stateOf(row)}
        {author && ` · ${author}`}
        {row.kind === 'message' && row.sample && ' · sample data'}
      </span>
    </li>
  )
}

const causes: Readonly<Record<string, string>> = {
  campaign: 'campaign',
  phone_app: 'phone app',
  api: 'API',
  workflow: 'workflow',
}
const waits = {
  answered: 'Answered within 24 hours',
  late: 'Answered after 24 hours',
  waiting: 'Not answered',
  young: 'Waiting for less than 24 hours',
} as const

function stateOf(row: FigureRow): string {
  if (row.kind === 'wait')
    return row.openSeconds === undefined
      ? waits[row.state]
      : `Answered after ${secondsText(row.openSeconds)}${row.missed ? ', target missed' : ''}`
  if (row.kind === 'rating') return `${row.score} of 5${row.comment === null ? '' : `: ${row.comment}`}`
  if (row.kind === 'closure')
    return row.openSeconds === undefined ? 'Closed' : `Closed after ${secondsText(row.openSeconds)}`
  if (row.kind === 'bot') return row.resolved ? 'Resolved' : row.endedAt ? 'Went to a person' : 'Under way'
  if (row.direction === 'inbound') return 'Received'
  return row.status === null ? 'Sent' : `${row.status.slice(0, 1).toUpperCase()}${row.status.slice(1)}`
}
