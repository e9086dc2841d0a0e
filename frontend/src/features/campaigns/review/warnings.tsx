import WarningOutlined from '@ant-design/icons/WarningOutlined'
import { Checkbox } from 'antd'
import { useEffect, useId } from 'react'
import styles from './review.module.css'
import type { Review } from './use-review.ts'

/** Lists warnings to be confirmed one by one before it is sent. */
export function Warnings({ state: { warnings, asked, confirm } }: { state: Review }) {
  const id = useId()
  const open = warnings.find(({ isConfirmed }) => !isConfirmed)?.code
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a press moves the focus.
  useEffect(() => {
    if (asked > 0) document.getElementById(`${id}-${open}-box`)?.focus()
  }, [asked])
  if (warnings.length === 0) return null
  return (
    <ul className={styles['notes']} aria-label="To confirm before it is sent">
      {warnings.map((warning) => {
        const { code, message, isConfirmed } = warning
        const isMissing = asked > 0 && !isConfirmed
        return (
          <li key={code} className={styles['note']} data-tone="warning">
            <p id={`${id}-${code}`}>
              <WarningOutlined aria-hidden /> {message}
            </p>
            <Checkbox
              id={`${id}-${code}-box`}
              checked={isConfirmed}
              aria-describedby={isMissing ? `${id}-${code} ${id}-${code}-missing` : `${id}-${code}`}
              onChange={({ target }) => confirm(warning, target.checked)}
            >
              Send anyway
            </Checkbox>
            {isMissing && (
              <p id={`${id}-${code}-missing`} className={styles['missing']}>
                Tick this to send it.
              </p>
            )}
          </li>
        )
      })}
    </ul>
  )
}
