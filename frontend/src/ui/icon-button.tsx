import type { ButtonHTMLAttributes } from 'react'
import styles from './icon-button.module.css'

/** A button that is only an icon; `label` is its name. */
export function IconButton({
  label,
  ...button
}: { label: string } & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'aria-label'>) {
  return <button type="button" {...button} aria-label={label} className={styles['button']} />
}
