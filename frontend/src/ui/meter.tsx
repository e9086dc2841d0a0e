import styles from './meter.module.css'

/** A bar: how much of a limit is used, or how far something has come. */
export function Meter({
  label,
  value,
  max,
  text,
  tone = 'normal',
}: {
  label: string
  value: number
  max: number
  /** What a screen reader says: `6,580 of 25,000`. */
  text: string
  tone?: 'normal' | 'warning' | 'danger' | 'quiet'
}) {
  const percent = max <= 0 ? 0 : Math.min(100, (value / max) * 100)
  return (
    <div
      className={styles['meter']}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      aria-valuetext={text}
    >
      <span data-tone={tone} style={{ width: `${percent}%` }} />
    </div>
  )
}
