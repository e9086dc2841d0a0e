import SendOutlined from '@ant-design/icons/SendOutlined'
import { maxMessageLength } from '@parley/contracts/conversations'
import { Button, Input } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { type KeyboardEvent, type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import styles from './composer.module.css'
import { draftOf, keepDraft } from './drafts.ts'

/** From here on the length is told. */
const countedFrom = maxMessageLength - 500

export interface ComposerHandle {
  focus: () => void
}

/**
 * Writes and sends: Enter sends, Shift+Enter breaks the line, and Enter that ends an input method's word does neither. What
 * is typed stays with its conversation.
 */
export function Composer({
  ref,
  conversationId,
  onSend,
}: {
  ref: Ref<ComposerHandle>
  conversationId: string
  onSend: (text: string) => void
}) {
  const [text, setText] = useState(() => draftOf(conversationId))
  const field = useRef<TextAreaRef>(null)
  const countId = useId()
  useEffect(() => keepDraft(conversationId, text), [conversationId, text])
  useImperativeHandle(ref, () => ({ focus: () => field.current?.focus({ cursor: 'end' }) }))

  const trimmed = text.trim()
  const tooLong = trimmed.length > maxMessageLength
  const send = () => {
    if (trimmed === '' || tooLong) return
    setText('')
    onSend(trimmed)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // 229 is what Safari reports for the Enter that ends a word of an input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className={styles['composer']}
      onSubmit={(event) => {
        event.preventDefault()
        send()
        field.current?.focus()
      }}
    >
      <div className={styles['row']}>
        <Input.TextArea
          ref={field}
          className={styles['field'] ?? ''}
          aria-label="Message"
          placeholder="Write a message"
          dir="auto"
          enterKeyHint="send"
          autoSize={{ minRows: 1, maxRows: 6 }}
          value={text}
          status={tooLong ? 'error' : ''}
          aria-invalid={tooLong || undefined}
          aria-describedby={trimmed.length >= countedFrom ? countId : undefined}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <Button
          type="primary"
          htmlType="submit"
          aria-label="Send message"
          title="Send message (Enter)"
          icon={<SendOutlined aria-hidden />}
          disabled={trimmed === '' || tooLong}
        />
      </div>
      {trimmed.length >= countedFrom && (
        <p id={countId} className={styles['count']} data-over={tooLong || undefined} role="status">
          {formatCount(trimmed.length)} of {formatCount(maxMessageLength)} characters
          {tooLong &&
            `: ${formatCount(trimmed.length - maxMessageLength)} too many. Shorten the text or send it in parts.`}
        </p>
      )}
    </form>
  )
}
