import styles from './loading.module.css'

/** The spinner with 'Loading...'. `page` fills the window, else the room it is given. */
export function Loading({ page = false, note }: { page?: boolean; note?: string }) {
  return (
    <div className={page ? styles['page'] : styles['part']} role="status">
      <span className={styles['spinner']} aria-hidden="true" />
      <span>Loading...</span>
      {note && <span className={styles['note']}>{note}</span>}
    </div>
  )
}
