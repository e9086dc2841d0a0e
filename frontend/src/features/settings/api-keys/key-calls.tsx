import type { ApiKey, KeyCall } from '@parley/contracts/account/api-keys'
import { useQuery } from '@tanstack/react-query'
import { Button, Drawer } from 'antd'
import { dateTimeFormat } from '../../../lib/date-formats.ts'
import { useLast } from '../../../lib/use-last.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonTable } from '../../../ui/skeleton.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import table from '../../../ui/table.module.css'
import { useIsMobile } from '../../../ui/use-media.ts'
import styles from './api-keys.module.css'
import { keyCallsOptions } from './api-keys-api.ts'

const toneOf = (status: number) => (status < 400 ? 'success' : status < 500 ? 'warning' : 'danger')

/** With seconds: an integrator compares it with a log. */
const timeOf = (at: string, timeZone: string): string =>
  dateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium', timeZone }).format(new Date(at))

/** The last calls of a key: what was asked for, and what came of it. */
export function KeyCalls({
  apiKey,
  clock,
  onClose,
}: {
  apiKey: ApiKey | undefined
  clock: { readonly timeZone: string }
  onClose: () => void
}) {
  const shown = useLast(apiKey)
  const isOpen = apiKey !== undefined
  const { data, error, isFetching, refetch } = useQuery({
    ...keyCallsOptions(shown?.id ?? ''),
    enabled: isOpen,
  })
  if (!shown) return null
  return (
    <Drawer
      open={isOpen}
      onClose={onClose}
      size="min(720px, 100vw)"
      title={`Recent calls of ${shown.name}`}
      closable={{ 'aria-label': 'Close recent calls', placement: 'end' }}
      destroyOnHidden
      extra={
        <Button onClick={() => void refetch()} loading={isFetching}>
          Refresh
        </Button>
      }
    >
      <p className={styles['quiet']}>The last 500 calls of 7 days, without what was sent or answered.</p>
      {data ? (
        data.length === 0 ? (
          <EmptyState title="No calls yet" message="Calls appear here a moment after they are answered." />
        ) : (
          <Calls calls={data} timeZone={clock.timeZone} />
        )
      ) : error && !isFetching ? (
        <ErrorState message="The calls could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <SkeletonTable rows={4} height="48px" />
      )}
    </Drawer>
  )
}

/** A table above 768 px, rows of two lines below. */
function Calls({ calls, timeZone }: { calls: readonly KeyCall[]; timeZone: string }) {
  const isMobile = useIsMobile()
  if (isMobile)
    return (
      <ul className={styles['callRows']} aria-label="Calls">
        {calls.map((call) => (
          <li key={call.requestId}>
            <span className={styles['operation']}>{call.operation}</span>
            <Outcome call={call} />
            <span className={styles['quiet']}>
              <time dateTime={call.at}>{timeOf(call.at, timeZone)}</time> · {tookOf(call)}
            </span>
            <CopyButton what="request id" text={call.requestId} />
          </li>
        ))}
      </ul>
    )
  return (
    <div className={`${table['frame']} ${styles['calls']}`}>
      <table className={table['table']}>
        <thead>
          <tr>
            <th scope="col">Operation</th>
            <th scope="col">Status</th>
            <th scope="col" className={table['number']}>
              Took
            </th>
            <th scope="col">Time</th>
            <th scope="col">Request</th>
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <tr key={call.requestId}>
              <td>{call.operation}</td>
              <td>
                <Outcome call={call} />
              </td>
              <td className={table['number']}>{tookOf(call)}</td>
              <td className={styles['when']}>
                <time dateTime={call.at}>{timeOf(call.at, timeZone)}</time>
              </td>
              <td>
                <CopyButton what="request id" text={call.requestId} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const tookOf = ({ ms }: KeyCall): string => `${ms}\u00a0ms`

const Outcome = ({ call: { status, code } }: { call: KeyCall }) => (
  <div className={styles['outcome']}>
    <StatusBadge tone={toneOf(status)}>{String(status)}</StatusBadge>
    {code && <div className={styles['quiet']}>{code}</div>}
  </div>
)
