import styles from './status-badge.module.css'

export type Tone = 'success' | 'warning' | 'danger' | 'info' | 'neutral'

/** A dot and a word: status is never colour alone. */
export function StatusBadge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={styles['badge']} data-tone={tone}>
      {children}
    </span>
  )
}
