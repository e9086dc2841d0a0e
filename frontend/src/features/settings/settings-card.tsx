import type { ReactNode } from 'react'
import { useId } from 'react'
import styles from './settings.module.css'

/** One thing of the settings with a title; it saves by itself. */
export function SettingsCard({
  title,
  anchor,
  badge,
  lead,
  children,
}: {
  title: string
  /** Id by which an address leads here. */
  anchor?: string
  badge?: ReactNode
  lead?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className={styles['card']} aria-labelledby={id} {...(anchor && { id: anchor })}>
      <div className={styles['cardHead']}>
        <h2 id={id}>{title}</h2>
        {badge}
      </div>
      {lead && <p className={styles['lead']}>{lead}</p>}
      {children}
    </section>
  )
}
