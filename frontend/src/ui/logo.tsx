import styles from './logo.module.css'

/** The mark, and beside it the name unless `markOnly`. */
export function Logo({ markOnly = false }: { markOnly?: boolean }) {
  return (
    <span className={styles['logo']}>
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="8" fill="var(--accent)" />
        <path
          d="M8 10.5A2.5 2.5 0 0 1 10.5 8h11a2.5 2.5 0 0 1 2.5 2.5v7a2.5 2.5 0 0 1-2.5 2.5H15l-4.2 3.7a.5.5 0 0 1-.8-.4V20A2.5 2.5 0 0 1 8 17.5z"
          fill="var(--on-accent)"
        />
        <path d="M12 12.7h8M12 15.7h5" stroke="var(--accent)" strokeWidth="1.8" strokeLinecap="round" />
      </svg>
      {markOnly ? <span className="visually-hidden">Parley</span> : 'Parley'}
    </span>
  )
}
