import { useConnection } from '../lib/connection.ts'
import styles from './connection-banner.module.css'

/** Says calmly that the connection is gone; it goes by itself when the connection is back. */
export function ConnectionBanner() {
  const connection = useConnection()
  return (
    <div role="status">
      {connection !== 'online' && (
        <p className={styles['banner']}>
          {connection === 'offline'
            ? 'You are offline. Parley will continue as soon as you are back online.'
            : 'Parley cannot be reached right now. Trying again…'}
        </p>
      )}
    </div>
  )
}
