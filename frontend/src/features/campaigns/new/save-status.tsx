import CheckOutlined from '@ant-design/icons/CheckOutlined'
import { Button } from 'antd'
import styles from './new-broadcast.module.css'
import type { useDraftSaves } from './use-draft-saves.ts'

/**
 * Shows whether the contents of the steps have reached the server. It has its own place, so that nothing moves when it changes.
 */
export function SaveStatus({ saves }: { saves: ReturnType<typeof useDraftSaves> }) {
  const { phase, problem, stored, again } = saves
  return (
    <div className={styles['saving']}>
      {/* Only what needs somebody is announced: each pause in typing would be too often. */}
      <span role="status" className={styles['unsaved']}>
        {phase === 'held' ? 'Not saved yet' : problem !== undefined && 'Not saved'}
      </span>
      {phase === 'held' ? null : problem !== undefined ? (
        <Button type="link" className={styles['again'] ?? ''} title={problem} onClick={again}>
          Try again
        </Button>
      ) : phase === 'saving' || phase === 'waiting' ? (
        <span>Saving…</span>
      ) : (
        stored && (
          <span>
            <CheckOutlined aria-hidden /> Saved
          </span>
        )
      )}
    </div>
  )
}
