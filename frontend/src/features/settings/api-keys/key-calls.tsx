import type { ApiKey } from '@parley/contracts/account/api-keys'
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
                {data.map(({ at, operation, status, code, ms, requestId }) => (
                  <tr key={requestId}>
                    <td>{operation}</td>
                    <td>
                      <StatusBadge tone={toneOf(status)}>{String(status)}</StatusBadge>
                      {code && <div className={styles['quiet']}>{code}</div>}
                    </td>
                    <td className={table['number']}>{`${ms}\u00a0ms`}</td>
                    <td className={styles['when']}>
                      <time dateTime={at}>{timeOf(at, clock.timeZone)}</time>
                    </td>
                    <td>
                      <CopyButton what="request id" text={requestId} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      ) : error && !isFetching ? (
        <ErrorState message="The calls could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <SkeletonTable rows={4} height="48px" />
      )}
    </Drawer>
  )
}
