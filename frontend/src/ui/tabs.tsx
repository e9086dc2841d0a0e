import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import styles from './tabs.module.css'

export interface Tab<K extends string> {
  readonly key: K
  readonly label: string
  readonly panel: ReactNode
}

/**
 * Parts of a screen, one at a time. Arrow keys, Home and End move between them (ARIA, Tabs pattern); on a phone the row
 * scrolls by itself. Panels stay as they were while another is shown.
 */
export function Tabs<K extends string>({
  label,
  tabs,
  active,
  onChange,
}: {
  label: string
  tabs: readonly Tab<K>[]
  active: K
  onChange: (key: K) => void
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  function onKeyDown(event: KeyboardEvent) {
    const last = tabs.length - 1
    // The tab that has the focus, since a second press may come before the first has been rendered.
    const focused = event.target instanceof HTMLElement ? event.target.dataset['key'] : active
    const place = tabs.findIndex(({ key }) => key === focused)
    const next = {
      ArrowRight: place === last ? 0 : place + 1,
      ArrowLeft: place === 0 ? last : place - 1,
      Home: 0,
      End: last,
    }
    const tab = event.key in next ? tabs[next[event.key as keyof typeof next]] : undefined
    if (!tab) return
    event.preventDefault()
    onChange(tab.key)
    list.current?.querySelector<HTMLElement>(`[data-key="${tab.key}"]`)?.focus()
  }
  return (
    <div className={styles['tabs']}>
      <div ref={list} role="tablist" aria-label={label} className={styles['list']} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-tab-${tab.key}`}
            data-key={tab.key}
            aria-selected={tab.key === active}
            aria-controls={`${id}-panel-${tab.key}`}
            tabIndex={tab.key === active ? 0 : -1}
            onClick={() => onChange(tab.key)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.key}
          role="tabpanel"
          id={`${id}-panel-${tab.key}`}
          aria-labelledby={`${id}-tab-${tab.key}`}
          hidden={tab.key !== active}
        >
          {tab.panel}
        </div>
      ))}
    </div>
  )
}
