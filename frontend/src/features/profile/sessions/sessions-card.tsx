import { useQuery } from '@tanstack/react-query'
import { Button, Modal } from 'antd'
import { useRef, useState } from 'react'
import { useNow } from '../../../lib/use-now.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { toast } from '../../../ui/toast.ts'
import { sessionsOptions, useEndSessions } from './api.ts'
import { SessionRow } from './session-row.tsx'
import styles from './sessions-card.module.css'

/** Lists the account's sessions, and signs them out. */
export function SessionsCard({ timeZone }: { timeZone: string }) {
  const { data, dataUpdatedAt, isLoadingError, isFetching, refetch } = useQuery(sessionsOptions())
  const now = useNow(dataUpdatedAt)
  const heading = useRef<HTMLHeadingElement>(null)
  const [asking, setAsking] = useState(false)
  const end = useEndSessions({
    ended: () => {
      toast.success('Signed out on that device.')
      // The button that was pressed is gone.
      heading.current?.focus()
    },
    failed: toast.error,
  })
  const others = data?.sessions.filter(({ current }) => !current) ?? []

  return (
    <section className={styles['card']} aria-labelledby="sessions-title">
      <div className={styles['head']}>
        <div>
          <h2 id="sessions-title" ref={heading} tabIndex={-1}>
            Where you’re signed in
          </h2>
          <p className={styles['lead']}>
            {data && others.length === 0
              ? 'You are not signed in anywhere else.'
              : 'Sign out of any device that you do not recognise or no longer use.'}
          </p>
        </div>
        {others.length > 0 && (
          <Button onClick={() => setAsking(true)} loading={end.isPending && end.input === 'others'}>
            Sign out everywhere else
          </Button>
        )}
      </div>
      {isLoadingError && !isFetching ? (
        <ErrorState
          title="The list could not be loaded"
          message="You stay signed in. Check your connection and try again."
          onRetry={() => void refetch()}
        />
      ) : data ? (
        <ul className={styles['list']}>
          {data.sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              now={now}
              timeZone={timeZone}
              ending={end.isPending && (end.input === session.id || end.input === 'others')}
              onEnd={() => end.mutate(session.id)}
            />
          ))}
        </ul>
      ) : (
        <div className={styles['list']} role="status" aria-label="Loading...">
          <div className={styles['skeleton']} />
        </div>
      )}
      <Modal
        centered
        open={asking}
        title="Sign out everywhere else?"
        okText="Sign out"
        okButtonProps={{ danger: true }}
        cancelText="Cancel"
        onOk={() => {
          setAsking(false)
          end.mutate('others')
        }}
        onCancel={() => setAsking(false)}
      >
        {others.length === 1 ? 'One other session ends' : `${others.length} other sessions end`} at once. You stay
        signed in here.
      </Modal>
    </section>
  )
}
