import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link } from '../lib/navigation.ts'
import styles from './action.module.css'

interface Look {
  /** One primary action a view. */
  primary?: boolean
  large?: boolean
  /** Fills the width of its parent. */
  block?: boolean
}

const classOf = ({ primary, large, block }: Look) =>
  [styles['action'], primary && styles['primary'], large && styles['large'], block && styles['block']]
    .filter(Boolean)
    .join(' ')

/** A button that looks like antd's, for pages that ship without antd. */
export function ActionButton({
  primary = false,
  large = false,
  block = false,
  ...button
}: Look & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'>) {
  return <button type="button" {...button} className={classOf({ primary, large, block })} />
}

/** A link to a screen that looks like a button. */
export function ActionLink({ to, children, ...look }: Look & { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={classOf(look)}>
      {children}
    </Link>
  )
}
