import { Button } from 'antd'
import { type ClipboardEvent, type DragEvent, lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { Avatar } from '../../ui/avatar.tsx'
import styles from './avatar-field.module.css'
import { usePhotoPicker } from './use-photo-picker.ts'

const CropDialog = lazy(async () => ({ default: (await import('./crop-dialog.tsx')).CropDialog }))

const imageIn = (transfer: DataTransfer | null): File | undefined => transfer?.files[0]

interface Props {
  /** Name whose first letter is shown while there is no photo. */
  name: string
  value: string
  error: string | undefined
  disabled: boolean
  onChange: (value: string) => void
  onProblem: (message: string) => void
}

/** The photo: chosen by click or keyboard, dropped or pasted here; cropped, shrunk, and removable. */
export function AvatarField({ name, value, error, disabled, onChange, onProblem }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const chooser = useRef<HTMLButtonElement>(null)
  const hintId = useId()
  const [over, setOver] = useState(false)
  const { picture, busy, pick, crop, cancel } = usePhotoPicker(onChange, onProblem)

  // The focus returns to where the dialog was opened, once it is gone.
  useEffect(() => {
    if (picture) return () => chooser.current?.focus()
  }, [picture])

  function onPaste(event: ClipboardEvent) {
    const file = imageIn(event.clipboardData)
    if (!file || disabled || picture) return
    event.preventDefault()
    void pick(file)
  }

  function onDrop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    const file = imageIn(event.dataTransfer)
    if (file && !disabled) void pick(file)
  }

  return (
    // Dropping and pasting are short cuts; the button does the same for everyone.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div
      className={styles['zone']}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
      onPaste={onPaste}
    >
      <Avatar name={name} src={value} size={80} />
      <div className={styles['side']}>
        <div className={styles['actions']}>
          <Button
            ref={chooser}
            onClick={() => input.current?.click()}
            loading={busy}
            disabled={disabled}
            aria-describedby={error ? `${hintId} ${hintId}-error` : hintId}
          >
            {value ? 'Change photo' : 'Upload photo'}
          </Button>
          {value && (
            <Button type="text" disabled={disabled || busy} onClick={() => onChange('')}>
              Remove photo
            </Button>
          )}
        </div>
        <p id={hintId} className={styles['hint']}>
          You can also drop or paste a picture here. It is cropped to a square and made smaller on this device.
        </p>
        {error && (
          <p id={`${hintId}-error`} className={styles['error']} role="alert">
            {error}
          </p>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label="Photo"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // The same file may be chosen again.
          currentTarget.value = ''
          if (file) void pick(file)
        }}
      />
      {picture && (
        <Suspense>
          <CropDialog picture={picture} onCrop={(area) => void crop(area)} onCancel={cancel} />
        </Suspense>
      )}
    </div>
  )
}
