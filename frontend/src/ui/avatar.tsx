import { useState } from 'react'
import styles from './avatar.module.css'

/** A round picture, or the first letter of the name where there is none or it cannot be loaded. 40 px by default. */
export function Avatar({
  name,
  src,
  fallback = 'U',
  size = 40,
}: {
  name: string
  src?: string | undefined
  fallback?: string
  size?: number
}) {
  const [broken, setBroken] = useState<string>()
  const letter = [...name.trim()][0]?.toLocaleUpperCase() ?? fallback
  const style = { width: size, height: size, fontSize: Math.round(size * 0.4) }
  if (src && src !== broken)
    return (
      <img
        className={styles['avatar']}
        style={style}
        src={src}
        alt=""
        referrerPolicy="no-referrer"
        onError={() => setBroken(src)}
      />
    )
  return (
    <span className={styles['avatar']} style={style} aria-hidden="true">
      {letter}
    </span>
  )
}
