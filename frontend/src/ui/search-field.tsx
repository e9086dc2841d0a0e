import CloseCircleFilled from '@ant-design/icons/CloseCircleFilled'
import SearchOutlined from '@ant-design/icons/SearchOutlined'
import { Input, type InputRef } from 'antd'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { areCharacterKeysOn, useCharacterKeys } from '../lib/character-keys.ts'
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
  const [shown, setShown] = useState(value)
  /** Searches that have not come back as `value` yet, oldest first. */
  const [pending, setPending] = useState<readonly string[]>([])
  const field = useRef<InputRef>(null)
  const hasCharacterKeys = useCharacterKeys()
  if (value !== shown) {
    setShown(value)
    const matchIndex = pending.lastIndexOf(value)
    setPending(matchIndex === -1 ? [] : pending.slice(matchIndex + 1))
    // The address changed by itself: the back button, or filters cleared. Otherwise the person may have typed on meanwhile.
    if (matchIndex === -1) setTyped(value)
  }
  const search = (text: string) => {
    if (text !== (pending.at(-1) ?? value)) setPending([...pending, text])
    onSearch(text)
  }
  const searchTyped = useEffectEvent(() => search(typed.trim()))
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(searchTyped, pauseMs)
    return () => clearTimeout(timer)
  }, [typed, value])
  useSlashShortcut(field)
  const clear = () => {
    setTyped('')
    search('')
  }
  return (
    <search className={styles['search']}>
      <Input
        ref={field}
        type="search"
        prefix={<SearchOutlined aria-hidden />}
        allowClear={{ clearIcon: <CloseCircleFilled aria-label="Clear search" /> }}
        onClear={clear}
        aria-label={label}
        placeholder={placeholder}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        aria-keyshortcuts={hasCharacterKeys ? '/' : undefined}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Enter') search(typed.trim())
          if (event.key === 'Escape' && typed !== '') {
            event.stopPropagation()
            event.preventDefault()
            clear()
          }
        }}
      />
    </search>
  )
}

function useSlashShortcut(field: React.RefObject<InputRef | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target instanceof HTMLElement ? event.target : null
      const isTyping = target?.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target?.tagName ?? '')
      if (event.key !== '/' || !areCharacterKeysOn() || isTyping || event.ctrlKey || event.metaKey || event.altKey)
        return
      if (document.querySelector('dialog[open], [aria-modal="true"]')) return
      event.preventDefault()
      field.current?.focus()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [field])
}
