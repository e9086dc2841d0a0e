import { Tag } from 'antd'
import type { ReactElement } from 'react'
import styles from './status-badge.module.css'

const colours = {
  success: 'success',
  warning: 'warning',
  danger: 'error',
  info: 'processing',
  neutral: 'default',
} as const

/** The dot has the colour of the status; its word must be legible on the same ground. */
const legible = { content: { color: 'var(--text)' } }

export type Tone = keyof typeof colours

/** A dot, or an icon of its own, and a word: status is never colour alone. */
export function StatusBadge({ tone, icon, children }: { tone: Tone; icon?: ReactElement; children: string }) {
  return (
    <Tag variant="outlined" color={colours[tone]} icon={icon ?? <span className={styles['dot']} />} styles={legible}>
      {children}
    </Tag>
  )
}
