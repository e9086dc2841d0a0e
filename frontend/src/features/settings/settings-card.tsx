import type { ReactNode } from 'react'
import { useEffect, useId, useRef } from 'react'
import { useLocation } from '../../lib/navigation.ts'
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
  const card = useScrollToAnchor(anchor)
  return (
    <section ref={card} className={styles['card']} aria-labelledby={id} {...(anchor && { id: anchor })}>
      <div className={styles['cardHead']}>
        <h2 id={id}>{title}</h2>
        {badge}
      </div>
      {lead && <p className={styles['lead']}>{lead}</p>}
      {children}
    </section>
  )
}

/** Leads here from the bell, also where the card is shown already. */
function useScrollToAnchor(anchor: string | undefined) {
  const { hash, key } = useLocation()
  const card = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same address can be opened again.
  useEffect(() => {
    if (anchor !== undefined && hash === `#${anchor}`) card.current?.scrollIntoView({ block: 'center' })
  }, [anchor, hash, key])
  return card
}
