import { type Connection, useConnection } from '../lib/connection.ts'
import styles from './connection-banner.module.css'

const words: Readonly<Record<Exclude<Connection, 'online'>, string>> = {
  offline: 'You are offline. Parley will continue as soon as you are back online.',
  unreachable: 'Parley cannot be reached right now. Trying again…',
  interrupted: 'The connection was lost. New activity will appear once you are reconnected.',
}

/** Says calmly that the connection is gone; it goes by itself when the connection is back. */
export function ConnectionBanner() {
  const connection = useConnection()
  return <div role="status">{connection !== 'online' && <p className={styles['banner']}>{words[connection]}</p>}</div>
}
