import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { AppLink } from '../lib/navigation.ts'
import styles from './action.module.css'

interface Look {
  /** One primary action a view. */
  primary?: boolean
  large?: boolean
}

const classOf = (primary = false, large = false) =>
  [styles['action'], primary && styles['primary'], large && styles['large']].filter(Boolean).join(' ')

/** A button that looks like antd's, for pages that ship without antd. */
export function ActionButton({
  primary,
  large,
  ...button
}: Look & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'>) {
  return <button type="button" {...button} className={classOf(primary, large)} />
}

/** A link to a screen that looks like a button. */
export function ActionLink({ primary, large, to, children }: Look & { to: string; children: ReactNode }) {
  return (
    <AppLink to={to} className={classOf(primary, large)}>
      {children}
    </AppLink>
  )
}
