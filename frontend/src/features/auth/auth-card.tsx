import { type ReactNode, useEffect, useRef } from 'react'
import styles from './auth-card.module.css'

/** Layout shared by the sign-in pages: a heading, a line below it, the content, and a last line with the link elsewhere. */
export function AuthCard({
  title,
  lead,
  footer,
  focusTitle = false,
  children,
}: {
  title: string
  lead?: ReactNode
  footer?: ReactNode
  /** Moves the focus to the heading, for a card that replaces another one: the change is then read aloud. */
  focusTitle?: boolean
  children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (focusTitle) heading.current?.focus()
  }, [focusTitle])
  return (
    <>
      <div className={styles['card']}>
        <div className={styles['head']}>
          <h1 ref={heading} tabIndex={-1} className={styles['title']}>
            {title}
          </h1>
          {lead && <p className={styles['lead']}>{lead}</p>}
        </div>
        {children}
      </div>
      {footer && <p className={styles['footer']}>{footer}</p>}
    </>
  )
}
