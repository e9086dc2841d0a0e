import { ActionButton } from './action.tsx'
import styles from './error-state.module.css'

/** Shows what happened, what to do, and a retry button. `page` fills the window. */
export function ErrorState({
  title = 'Something went wrong',
  message,
  onRetry,
  retryLabel = 'Retry',
  page = false,
}: {
  title?: string
  message: string
  onRetry: () => void
  retryLabel?: string
  page?: boolean
}) {
  return (
    <div className={page ? styles['page'] : styles['part']} role="alert">
      <h2 className={styles['title']}>{title}</h2>
      <p className={styles['message']}>{message}</p>
      <ActionButton onClick={onRetry}>{retryLabel}</ActionButton>
    </div>
  )
}
