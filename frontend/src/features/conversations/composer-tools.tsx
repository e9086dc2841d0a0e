import FieldTimeOutlined from '@ant-design/icons/FieldTimeOutlined'
import SmileOutlined from '@ant-design/icons/SmileOutlined'
import ThunderboltOutlined from '@ant-design/icons/ThunderboltOutlined'
import { Switch } from 'antd'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { Popover } from '../../ui/popover.tsx'
import styles from './composer.module.css'

const EmojiChoices = lazy(async () => ({ default: (await import('./emoji-choices.tsx')).EmojiChoices }))
const TimeDialog = lazy(async () => ({ default: (await import('./time-dialog.tsx')).TimeDialog }))

/** Farthest that a message can be scheduled. */
const mostDays = 30

interface Props {
  isNote: boolean
  onNote: (isNote: boolean) => void
  onEmoji: (emoji: string) => void
  onReplies: () => void
  /** Absent while there is nothing to schedule. */
  onSchedule: ((at: Date) => void) | undefined
  /** What else stands in the row. */
  children?: ReactNode
}

/** Below the text: emoji, saved replies, a later time, and whether it is a note for the team. */
export function ComposerTools({ isNote, onNote, onEmoji, onReplies, onSchedule, children }: Props) {
  const [picking, setPicking] = useState(false)
  const [scheduling, setScheduling] = useState(false)
  const noteId = useId()
  return (
    <div className={styles['tools']}>
      {children}
      <Popover
        label="Emoji"
        open={picking}
        onOpenChange={setPicking}
        align="start"
        button={
          <IconButton label="Emoji">
            <SmileOutlined aria-hidden />
          </IconButton>
        }
      >
        <Suspense>
          <EmojiChoices
            onChoose={(emoji) => {
              setPicking(false)
              onEmoji(emoji)
            }}
          />
        </Suspense>
      </Popover>
      <IconButton label="Saved replies" title="Saved replies (/)" onClick={onReplies}>
        <ThunderboltOutlined aria-hidden />
      </IconButton>
      <IconButton label="Send later" title="Send later" disabled={!onSchedule} onClick={() => setScheduling(true)}>
        <FieldTimeOutlined aria-hidden />
      </IconButton>
      <span className={styles['switch']}>
        <label htmlFor={noteId}>Note for the team</label>
        <Switch id={noteId} size="small" checked={isNote} onChange={onNote} />
      </span>
      {scheduling && onSchedule && (
        <Suspense>
          <TimeDialog
            title="Send later"
            lead="The window of 24 hours is judged at that time: if it is closed then, you are asked for a template."
            submitLabel="Schedule"
            mostDays={mostDays}
            onChoose={onSchedule}
            onClose={() => setScheduling(false)}
          />
        </Suspense>
      )}
    </div>
  )
}
