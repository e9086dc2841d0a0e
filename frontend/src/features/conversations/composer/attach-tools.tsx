import PaperClipOutlined from '@ant-design/icons/PaperClipOutlined'
import type { OutgoingCard } from '@parley/contracts/inbox/outgoing-content'
import { lazy, Suspense, useRef } from 'react'
import { IconButton } from '../../../ui/icon-button.tsx'
import styles from './composer.module.css'
import { fileLimits } from './use-attachments.ts'
import { VoiceRecorder } from './voice-recorder.tsx'

/** Menus are large, and not what one looks at first. */
const AddMenu = lazy(async () => ({ default: (await import('./add-menu.tsx')).AddMenu }))

/** Tools below the text that put something beside it: files, cards, a recording. */
export function AttachTools({
  isNote,
  onFiles,
  onCard,
  onVoice,
}: {
  isNote: boolean
  onFiles: (files: FileList | null) => void
  onCard: (card: OutgoingCard) => void
  onVoice: (recording: File) => void
}) {
  const filePicker = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={filePicker}
        type="file"
        multiple
        hidden
        aria-label={isNote ? 'Files for the team' : 'Files to send'}
        onChange={({ target }) => {
          onFiles(target.files)
          target.value = ''
        }}
      />
      <IconButton
        label="Attach files"
        title={`Attach files. ${fileLimits}`}
        onClick={() => filePicker.current?.click()}
      >
        <PaperClipOutlined aria-hidden />
      </IconButton>
      <Suspense fallback={<span className={styles['menuPlace']} />}>
        <AddMenu disabled={isNote} onAdd={onCard} />
      </Suspense>
      <VoiceRecorder onRecorded={onVoice} />
    </>
  )
}
