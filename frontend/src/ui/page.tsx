import type { ReactNode } from 'react'
import styles from './page.module.css'

/**
 * The inside of a screen in the app's frame. The frame's header shows the title from the route table as the `h1`; here
 * stand one line about the screen, its actions, and the content.
 */
export function Page({
  description,
  actions,
  width = 'normal',
  children,
}: {
  description?: ReactNode
  actions?: ReactNode
  /** `full` for panes and canvases. */
  width?: 'normal' | 'full'
  children: ReactNode
}) {
  return (
    <div className={width === 'full' ? styles['full'] : styles['page']}>
      {(description || actions) && (
        <div className={styles['row']}>
          <p className={styles['description']}>{description}</p>
          {actions && <div className={styles['actions']}>{actions}</div>}
        </div>
      )}
      {children}
    </div>
  )
}
