import { Button, Input } from 'antd'
import { useState } from 'react'
import styles from './test-chat.module.css'

/** Keeps what was tried out as a test, under a name. */
export function KeepTest({ onKeep }: { onKeep: (name: string) => Promise<boolean> }) {
  const [name, setName] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  if (name === undefined)
    return (
      <div className={styles['offers']}>
        <Button onClick={() => setName('')}>Keep as test</Button>
      </div>
    )
  const keep = async () => {
    setSaving(true)
    if (await onKeep(name.trim())) setName(undefined)
    setSaving(false)
  }
  return (
    <form
      className={styles['offers']}
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '' && !isSaving) void keep()
      }}
    >
      <Input
        className={styles['name'] ?? ''}
        aria-label="Name of the test"
        placeholder="What this test shows"
        value={name}
        maxLength={80}
        dir="auto"
        onChange={({ target }) => setName(target.value)}
      />
      <Button htmlType="submit" loading={isSaving} disabled={name.trim() === ''}>
        Keep
      </Button>
      <Button type="text" onClick={() => setName(undefined)}>
        Cancel
      </Button>
    </form>
  )
}
