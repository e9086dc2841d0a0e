import { Input } from 'antd'
import { useId } from 'react'

/** Field for what the asking person tells whoever decides. */
export function ApprovalNote({ note, onChange }: { note: string; onChange: (note: string) => void }) {
  const id = useId()
  return (
    <>
      <label htmlFor={id}>Message to whoever decides (optional)</label>
      <Input.TextArea
        id={id}
        value={note}
        onChange={({ target }) => onChange(target.value)}
        autoSize={{ minRows: 2, maxRows: 4 }}
        maxLength={500}
        dir="auto"
      />
    </>
  )
}
