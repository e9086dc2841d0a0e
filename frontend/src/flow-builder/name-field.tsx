import EditOutlined from '@ant-design/icons/EditOutlined'
import { Input } from 'antd'
import { useRef, useState } from 'react'
import styles from './flow-editor.module.css'

/** The name, which becomes a field when it is pressed: Enter or leaving it renames, Escape leaves it as it was. */
export function NameField({ name, onRename }: { name: string; onRename: (name: string) => Promise<unknown> }) {
  const [typed, setTyped] = useState<string>()
  const left = useRef(false)
  if (typed === undefined)
    return (
      <button
        type="button"
        className={styles['name']}
        aria-label={`Rename ${name}`}
        onClick={() => {
          left.current = false
          setTyped(name)
        }}
      >
        <span dir="auto">{name}</span>
        <EditOutlined aria-hidden />
      </button>
    )
  const done = async (next: string) => {
    // Enter and Escape take the field away, which leaves it too.
    if (left.current) return
    left.current = true
    setTyped(undefined)
    const trimmed = next.trim()
    // The caller reports a failure of the rename; the old name is shown then.
    if (trimmed !== '' && trimmed !== name) await onRename(trimmed).catch(() => undefined)
  }
  return (
    <Input
      autoFocus
      aria-label="Name"
      className={styles['nameInput'] ?? ''}
      value={typed}
      maxLength={80}
      dir="auto"
      onFocus={({ target }) => target.select()}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={() => void done(typed)}
      onPressEnter={() => void done(typed)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') void done(name)
      }}
    />
  )
}
