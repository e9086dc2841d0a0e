import HistoryOutlined from '@ant-design/icons/HistoryOutlined'
import { Button } from 'antd'
import styles from './notes.module.css'

/** The form begins with a draft, not with what WhatsApp has. */
export function DraftNote({
  from,
  isPending,
  onDiscard,
}: {
  /** Version that its text comes from, unless a member has written it. */
  from: number | undefined
  isPending: boolean
  onDiscard: () => void
}) {
  return (
    <div className={styles['note']} data-tone="info" role="note">
      <HistoryOutlined aria-hidden />
      <div>
        <h2 className={styles['noteTitle']}>
          {from === undefined ? 'A draft is waiting' : `Draft with the text of version ${from}`}
        </h2>
        <p>WhatsApp still has the previous text. Send the draft for review to replace it.</p>
        <Button size="small" className={styles['noteAction'] ?? ''} loading={isPending} onClick={onDiscard}>
          Discard draft
        </Button>
      </div>
    </div>
  )
}
