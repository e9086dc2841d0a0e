import { CopyButton } from './copy-button.tsx'
import styles from './copyable.module.css'

/** A value that people take elsewhere: cut off where it is long, whole on hover and when copied. `what` as in {@link CopyButton}. */
export function Copyable({ what, text, shown = text }: { what: string; text: string; shown?: string }) {
  return (
    <span className={styles['copyable']}>
      <span className={styles['text']} title={shown}>
        {shown}
      </span>
      <CopyButton what={what} text={text} />
    </span>
  )
}
