import FileTextOutlined from '@ant-design/icons/FileTextOutlined'
import { Button, Input, Progress } from 'antd'
import { type DragEvent, useId, useRef, useState } from 'react'
import styles from './choose-step.module.css'

const maxPasted = 5_000_000

/** Step to drop a file, choose one, or paste rows. */
export function ChooseStep({
  problem,
  percent,
  onFile,
}: {
  problem: string | undefined
  /** Progress while a file is sent. */
  percent: number | undefined
  onFile: (file: File) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const [pasting, setPasting] = useState(false)

  function onDrop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    const [file] = event.dataTransfer.files
    if (file) onFile(file)
  }

  return (
    <div className={styles['step']}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is the mouse's way to do what the button does. */}
      <div
        className={styles['drop']}
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={onDrop}
      >
        <FileTextOutlined aria-hidden className={styles['icon'] ?? ''} />
        <p>Drop a CSV file, an Excel workbook or contact cards (vCard) here</p>
        <Button type="primary" loading={percent !== undefined} onClick={() => input.current?.click()}>
          Choose a file
        </Button>
        <p className={styles['hint']}>
          Up to 50 MB and 1,000,000 rows. Each row needs a name and a phone number or WhatsApp user id; other columns
          become tags or details.
        </p>
        <input
          ref={input}
          type="file"
          hidden
          aria-label="CSV file, workbook or contact cards"
          accept=".csv,.tsv,.tab,.txt,.xlsx,.vcf,text/csv,text/vcard"
          onChange={({ target }) => {
            const file = target.files?.[0]
            // The same file may be chosen again after it has been put right.
            target.value = ''
            if (file) onFile(file)
          }}
        />
      </div>
      {percent !== undefined && <Progress percent={percent} aria-label="Upload" />}
      {problem && (
        <p className={styles['problem']} role="alert">
          {problem}
        </p>
      )}
      {pasting ? (
        <Paste onFile={onFile} />
      ) : (
        <Button type="link" className={styles['paste'] ?? ''} onClick={() => setPasting(true)}>
          Paste rows instead
        </Button>
      )}
    </div>
  )
}

function Paste({ onFile }: { onFile: (file: File) => void }) {
  const id = useId()
  const [text, setText] = useState('')
  return (
    <div className={styles['pasted']}>
      <label htmlFor={id}>Rows</label>
      <Input.TextArea
        id={id}
        autoFocus
        rows={8}
        maxLength={maxPasted}
        dir="auto"
        placeholder={'Name, Phone, Tags\nAsha Rao, +91 98765 43210, vip'}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button disabled={text.trim() === ''} onClick={() => onFile(new File([text], 'Pasted rows.csv'))}>
        Continue
      </Button>
    </div>
  )
}
