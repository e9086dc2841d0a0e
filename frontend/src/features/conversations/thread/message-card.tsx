import type { ReactNode } from 'react'
import styles from './message-content.module.css'

/** A file, place or person. Without `url` there is nothing to open. */
export function MessageCard({
  icon,
  title,
  detail,
  url = '',
  fileName,
}: {
  icon: ReactNode
  title: string
  detail: ReactNode
  url?: string
  fileName?: string
}) {
  const inside = (
    <>
      <span className={styles['icon']} aria-hidden="true">
        {icon}
      </span>
      <span className={styles['about']}>
        <span className={styles['title']} dir="auto">
          {title}
        </span>
        <span className={styles['detail']} dir="auto">
          {detail}
        </span>
      </span>
    </>
  )
  if (url === '') return <div className={styles['card']}>{inside}</div>
  const how = fileName ? { download: fileName } : { target: '_blank', rel: 'noreferrer' }
  return (
    <a className={styles['card']} href={url} {...how}>
      {inside}
    </a>
  )
}
