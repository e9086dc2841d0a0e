import { useState } from 'react'
import styles from './avatar.module.css'

/** Returns the first letters of the first and the last word of a name, at most two. */
export function initialsOf(name: string, most: 1 | 2 = 2): string {
  const words = name.trim().split(/\s+/)
  const chosen = most === 2 && words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return chosen
    .map((word) => [...(word ?? '')].find((letter) => /[\p{L}\p{N}]/u.test(letter)) ?? '')
    .join('')
    .toLocaleUpperCase()
}

/** A round picture, or the name's initials where there is none or it cannot be loaded. 40 px by default. */
export function Avatar({
  name,
  src,
  fallback = 'U',
  size = 40,
  letters = 1,
}: {
  name: string
  src?: string | undefined
  fallback?: string
  size?: number
  letters?: 1 | 2
}) {
  const [broken, setBroken] = useState<string>()
  const initials = initialsOf(name, letters) || fallback
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
      {initials}
    </span>
  )
}
