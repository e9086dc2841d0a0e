import styles from './inbox-demo.module.css'

/** Round avatar with at most two letters. The name itself stands beside it. */
export function Initials({ name, small = false }: { name: string; small?: boolean }) {
  const letters = name
    .split(' ')
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
  return (
    <span className={styles['avatar']} data-small={small || undefined} aria-hidden="true">
      {letters}
    </span>
  )
}
