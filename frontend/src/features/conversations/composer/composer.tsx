import SendOutlined from '@ant-design/icons/SendOutlined'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import { type Message, maxCaptionLength, maxMessageLength } from '@parley/contracts/inbox/messages'
import type { OutgoingCard } from '@parley/contracts/inbox/outgoing-content'
import { Button, Input } from 'antd'
import { type KeyboardEvent, lazy, type Ref, Suspense, useEffect, useId, useImperativeHandle, useState } from 'react'
import { useSending } from '../outbox/sending.ts'
import { useTellPresence } from '../presence/presence.ts'
import { AttachTools } from './attach-tools.tsx'
import styles from './composer.module.css'
import { AnsweredLine, ClosedComposer, LengthLine } from './composer-lines.tsx'
import { ComposerTools } from './composer-tools.tsx'
import { contactValues } from './contact-variables.ts'
import { draftOf, followDraft, storeCampaignDraft } from './drafts.ts'
import { contentOf, maxFiles, useAttachments } from './use-attachments.ts'
import { useComposerText } from './use-composer-text.ts'
import { useMentionSuggestions } from './use-mention-suggestions.ts'
import { useReplySuggestions } from './use-reply-suggestions.ts'
import { useTyping } from './use-typing.ts'

/** Lists are not what one looks at first. */
const AttachmentList = lazy(async () => ({ default: (await import('./attachment-list.tsx')).AttachmentList }))
const MentionSuggestions = lazy(async () => ({
  default: (await import('./mention-suggestions.tsx')).MentionSuggestions,
}))
const ReplySuggestions = lazy(async () => ({ default: (await import('./reply-suggestions.tsx')).ReplySuggestions }))

/** Length from which it is shown. */
const countedFrom = maxMessageLength - 500

export interface ComposerHandle {
  focus: () => void
  /** Switches to a note for the team. */
  startNote: () => void
  /** Takes files that were dropped on the conversation. */
  addFiles: (files: FileList) => void
}

interface Props {
  ref: Ref<ComposerHandle>
  conversation: Conversation
  /** True where only templates may be sent now, and notes for the team. */
  isClosed: boolean
  /** The message that is being answered. */
  answered: Message | undefined
  onAnswer: (message: Message | undefined) => void
  onTemplate: () => void
  onManageReplies: () => void
  onMacros: () => void
  onSent: () => void
}

/**
 * Writes and sends: Enter sends, Shift+Enter breaks the line, and Enter that ends an input method's word does neither. What
 * is typed stays with its conversation. `/` at the beginning finds saved replies, `@` in a note a
 * colleague.
 */
export function Composer({
  ref,
  conversation,
  isClosed,
  answered,
  onAnswer,
  onTemplate,
  onManageReplies,
  onMacros,
  onSent,
}: Props) {
  const { id } = conversation
  const [isNote, setNote] = useState(false)
  const countId = useId()
  const send = useSending(id)
  const typing = useTyping()
  const { contact } = conversation
  const words = useComposerText(() => draftOf(id), contactValues(contact))
  const { text, setText, field, focus, focusCaret, insert, type, onCaret } = words
  const files = useAttachments(id)
  useTellPresence(id, typing.isTyping)
  // A note is for the team: in another tab it would stand in the field for the customer.
  useEffect(() => storeCampaignDraft(id, text, { shared: !isNote }), [id, text, isNote])
  useEffect(() => (isNote ? undefined : followDraft(id, setText)), [id, isNote, setText])
  const suggestions = useReplySuggestions(text, conversation, ({ text: saved, file }) => {
    // A recording has no words of its own: those follow it.
    const hasRoom = files.attachments.length < maxFiles
    const isCaption = file && hasRoom && file.kind !== 'audio' && saved.length <= maxCaptionLength
    setText(isCaption ? '' : saved)
    if (file) files.addStored(file, isCaption ? saved : '')
    focus()
  })
  const mentions = useMentionSuggestions({ isNote, words, files }, conversation)

  const trimmed = text.trim()
  const tooLong = trimmed.length > maxMessageLength
  const hasFiles = files.attachments.length > 0
  const isSendable = (trimmed !== '' || hasFiles) && !tooLong && (!hasFiles || files.isReady)
  const submit = (sendAt?: Date) => {
    if (!isSendable) return
    setText('')
    typing.stop()
    const options = { replyTo: answered?.id, sendAt: sendAt?.toISOString() }
    const sent = hasFiles ? files.attachments.flatMap((file) => [contentOf(file) ?? []]) : []
    for (const [content, shown] of sent) {
      if (isNote) send.noteFile(content, shown, mentions.mentioned('caption' in content ? (content.caption ?? '') : ''))
      else send.content(content, shown, options)
    }
    if (hasFiles) files.clear()
    const content = { type: 'text', text: trimmed } as const
    if (isNote && trimmed !== '') send.note(trimmed, mentions.mentioned(trimmed))
    else if (trimmed !== '') send.content(content, content, options)
    onAnswer(undefined)
    onSent()
  }
  /** Sends what has no words beside it: a place, a contact card, a question. */
  const sendCard = (content: OutgoingCard) => {
    send.content(content, content, { replyTo: answered?.id })
    onAnswer(undefined)
    onSent()
  }
  const addFiles = (chosenFiles: FileList | undefined | null) => {
    if (!chosenFiles || chosenFiles.length === 0 || (!isNote && (isClosed || contact.blocked))) return false
    files.add(chosenFiles)
    focus()
    return true
  }
  const startNote = () => {
    setNote(true)
    requestAnimationFrame(focus)
  }
  useImperativeHandle(ref, () => ({ focus, startNote, addFiles }))
  const onKeyDown = (event: KeyboardEvent) => {
    // 229 is what Safari reports for the Enter that ends a word of an input method.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (mentions.onKeyDown(event) || suggestions.onKeyDown(event)) return
    if (event.key === 'Escape' && answered) {
      event.preventDefault()
      onAnswer(undefined)
    }
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    submit()
  }
  if (!isNote && (contact.blocked || isClosed))
    return <ClosedComposer contact={contact} onNote={() => setNote(true)} onTemplate={onTemplate} onMacros={onMacros} />
  return (
    <form
      className={`${styles['composer']} ${isNote ? styles['note'] : ''}`}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
        field.current?.focus()
      }}
    >
      {suggestions.open && (
        <Suspense>
          <ReplySuggestions {...suggestions} onManage={onManageReplies} />
        </Suspense>
      )}
      {mentions.open && (
        <Suspense>
          <MentionSuggestions {...mentions} />
        </Suspense>
      )}
      {answered && !isNote && (
        <AnsweredLine message={answered} customer={contact.name} onClose={() => onAnswer(undefined)} />
      )}
      {hasFiles && (
        <Suspense>
          <AttachmentList
            attachments={files.attachments}
            leftOut={files.leftOut}
            onCaption={files.caption}
            captionField={mentions.captionField}
            onRemove={files.remove}
            canBeSticker={(file) => !isNote && files.canBeSticker(file)}
            onSticker={files.asSticker}
          />
        </Suspense>
      )}
      <div className={styles['row']}>
        <Input.TextArea
          ref={field}
          className={styles['field'] ?? ''}
          aria-label={isNote ? 'Note for the team' : 'Message'}
          placeholder={isNote ? 'Write a note that only your team sees, @ to mention somebody' : 'Write a message'}
          dir="auto"
          enterKeyHint="send"
          autoSize={{ minRows: 1, maxRows: 6 }}
          value={text}
          status={tooLong ? 'error' : ''}
          aria-invalid={tooLong || undefined}
          aria-describedby={trimmed.length >= countedFrom ? countId : undefined}
          {...suggestions.field}
          {...mentions.field}
          onSelect={onCaret}
          onChange={(event) => {
            onCaret(event)
            type(event.target.value)
            if (!isNote) typing.typed()
          }}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            if (addFiles(event.clipboardData.files)) event.preventDefault()
          }}
        />
        <Button
          type="primary"
          htmlType="submit"
          aria-label={isNote ? 'Save note' : 'Send message'}
          title={isNote ? 'Save note (Enter)' : 'Send message (Enter)'}
          icon={<SendOutlined aria-hidden />}
          disabled={!isSendable}
        />
      </div>
      <ComposerTools
        isNote={isNote}
        onNote={setNote}
        contact={contact}
        onInsert={insert}
        onInserted={focusCaret}
        onReplies={() => {
          setText((typed) => (typed.startsWith('/') ? typed : `/${typed}`))
          focus()
        }}
        onMacros={onMacros}
        onSchedule={isSendable && !isNote ? submit : undefined}
      >
        <AttachTools isNote={isNote} onFiles={addFiles} onCard={sendCard} onVoice={files.addVoice} />
      </ComposerTools>
      {trimmed.length >= countedFrom && <LengthLine id={countId} length={trimmed.length} />}
    </form>
  )
}
