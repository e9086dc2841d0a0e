import CloseCircleFilled from '@ant-design/icons/CloseCircleFilled'
import SearchOutlined from '@ant-design/icons/SearchOutlined'
import { useEffect, useRef, useState } from 'react'
import styles from './search-field.module.css'

const pauseMs = 250

/**
 * Searches while the person types, a moment after the last key; Enter searches at once and Escape clears.
 * `/` anywhere on the screen goes to the field.
 */
export function SearchField({
  label,
  placeholder = label,
  value,
  onSearch,
}: {
  /** Name of the field: `Search contacts`. */
  label: string
  placeholder?: string
  value: string
  onSearch: (text: string) => void
}) {
  const [typed, setTyped] = useState(value)
  const [searched, setSearched] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  // The address changed by itself: the back button, or filters cleared.
  if (value !== searched) {
    setSearched(value)
    if (value !== typed.trim()) setTyped(value)
  }
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => onSearch(typed.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [typed, value, onSearch])
  useSlashShortcut(field)
  const clear = () => {
    setTyped('')
    onSearch('')
  }
  return (
    <search className={styles['search']}>
      <SearchOutlined className={styles['icon'] ?? ''} aria-hidden />
      <input
        ref={field}
        type="search"
        className={styles['field']}
        aria-label={label}
        placeholder={placeholder}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        aria-keyshortcuts="/"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Enter') onSearch(typed.trim())
          if (event.key === 'Escape' && typed !== '') {
            event.stopPropagation()
            event.preventDefault()
            clear()
          }
        }}
      />
      {typed !== '' && (
        <button
          type="button"
          className={styles['clear']}
          aria-label="Clear search"
          onClick={() => {
            clear()
            field.current?.focus()
          }}
        >
          <CloseCircleFilled aria-hidden />
        </button>
      )}
    </search>
  )
}

function useSlashShortcut(field: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target instanceof HTMLElement ? event.target : null
      const isTyping = target?.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target?.tagName ?? '')
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      if (document.querySelector('dialog[open], [aria-modal="true"]')) return
      event.preventDefault()
      field.current?.focus()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [field])
}
