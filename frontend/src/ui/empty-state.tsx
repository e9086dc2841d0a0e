import { Button, Empty } from 'antd'
import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

/** A list without records: what it is for, and the first step. Also for a search that finds nothing. */
export function EmptyState({
  icon,
  title,
  message,
  action,
}: {
  icon?: ReactNode
  title: string
  message: ReactNode
  action?: ReactNode
}) {
  return (
    <Empty
      className={styles['empty'] ?? ''}
      image={
        icon ? (
          <span className={styles['icon']} aria-hidden="true">
            {icon}
          </span>
        ) : null
      }
      styles={{ root: { margin: 0 }, image: { height: 'auto', margin: 0 }, footer: { margin: 0 } }}
      description={
        <>
          <h2 className={styles['title']}>{title}</h2>
          <p className={styles['message']}>{message}</p>
        </>
      }
    >
      {action && <div className={styles['action']}>{action}</div>}
    </Empty>
  )
}

/** A link to a record that is not there, and the way back. `what` is one of its list: `contact`; its plural has an s. */
export function NotHere({ what, onLeave }: { what: string; onLeave: () => void }) {
  return (
    <EmptyState
      title={`This ${what} could not be found`}
      message="It may have been deleted, or the link may be wrong."
      action={<Button onClick={onLeave}>Show all {what}s</Button>}
    />
  )
}
