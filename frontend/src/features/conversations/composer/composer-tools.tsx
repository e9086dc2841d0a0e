import FieldTimeOutlined from '@ant-design/icons/FieldTimeOutlined'
import IdcardOutlined from '@ant-design/icons/IdcardOutlined'
import OrderedListOutlined from '@ant-design/icons/OrderedListOutlined'
import SmileOutlined from '@ant-design/icons/SmileOutlined'
import ThunderboltOutlined from '@ant-design/icons/ThunderboltOutlined'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import { Switch } from 'antd'
import { lazy, type ReactNode, Suspense, useId, useRef, useState } from 'react'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Popover } from '../../../ui/popover.tsx'
import styles from './composer.module.css'

const EmojiChoices = lazy(async () => ({ default: (await import('../thread/emoji-choices.tsx')).EmojiChoices }))
const VariableChoices = lazy(async () => ({ default: (await import('./variable-choices.tsx')).VariableChoices }))
const TimeDialog = lazy(async () => ({ default: (await import('./time-dialog.tsx')).TimeDialog }))

/** Farthest that a message can be scheduled. */
const maxDays = 30

interface Props {
  isNote: boolean
  onNote: (isNote: boolean) => void
  contact: Conversation['contact']
  /** Puts words where the caret is. */
  onInsert: (words: string) => void
  /** Called once a menu is closed after a choice. */
  onInserted: () => void
  onReplies: () => void
  onMacros: () => void
  /** Absent while there is nothing to schedule. */
  onSchedule: ((at: Date) => void) | undefined
  /** Further content of the row. */
  children?: ReactNode
}

/** Tools below the text: emoji, variables of the contact, saved replies, a later time, and the switch to a note for the team. */
export function ComposerTools({
  isNote,
  onNote,
  contact,
  onInsert,
  onInserted,
  onReplies,
  onMacros,
  onSchedule,
  children,
}: Props) {
  const [picking, setPicking] = useState<'emoji' | 'variable'>()
  const hasPicked = useRef(false)
  const pick = (words: string) => {
    hasPicked.current = true
    setPicking(undefined)
    onInsert(words)
  }
  /** Leaves the focus in the text after a choice; otherwise it returns to the button. */
  const onCloseFocus = (event: Event) => {
    if (!hasPicked.current) return
    hasPicked.current = false
    event.preventDefault()
    onInserted()
  }
  const [scheduling, setScheduling] = useState(false)
  const noteId = useId()
  return (
    <div className={styles['tools']}>
      {children}
      <Popover
        label="Emoji"
        open={picking === 'emoji'}
        onOpenChange={(open) => setPicking(open ? 'emoji' : undefined)}
        onCloseFocus={onCloseFocus}
        align="start"
        button={
          <IconButton label="Emoji">
            <SmileOutlined aria-hidden />
          </IconButton>
        }
      >
        <Suspense>
          <EmojiChoices onChoose={pick} />
        </Suspense>
      </Popover>
      <Popover
        label="Variables of the contact"
        open={picking === 'variable'}
        onOpenChange={(open) => setPicking(open ? 'variable' : undefined)}
        onCloseFocus={onCloseFocus}
        align="start"
        button={
          <IconButton label="Insert a variable" title="Insert a variable of the contact">
            <IdcardOutlined aria-hidden />
          </IconButton>
        }
      >
        <Suspense>
          <VariableChoices contact={contact} onChoose={pick} />
        </Suspense>
      </Popover>
      <IconButton label="Saved replies" title="Saved replies (/)" onClick={onReplies}>
        <ThunderboltOutlined aria-hidden />
      </IconButton>
      <IconButton label="Run a macro" title="Run a macro (Ctrl K)" onClick={onMacros}>
        <OrderedListOutlined aria-hidden />
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
            lead="If the 24-hour window is closed at that time, you will be asked for a template."
            submitLabel="Schedule"
            maxDays={maxDays}
            presets
            contact={contact}
            onChoose={onSchedule}
            onClose={() => setScheduling(false)}
          />
        </Suspense>
      )}
    </div>
  )
}
