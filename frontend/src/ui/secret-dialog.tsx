import { Alert, Button, Modal } from 'antd'
import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import styles from './secret-dialog.module.css'

/** Shows a secret that the server cannot show again: neither Escape nor a press beside the dialog closes it. */
export function SecretDialog({
  open,
  title,
  width = 560,
  what,
  secret,
  advice = '',
  onClose,
  children,
}: {
  open: boolean
  title: string
  width?: number
  /** Its kind in a word or two: `signing key`. */
  what: string
  secret: string
  /** Sentence on where to keep it. */
  advice?: string
  onClose: () => void
  children?: ReactNode
}) {
  return (
    <Modal
      open={open}
      centered
      width={width}
      title={title}
      destroyOnHidden
      mask={{ closable: false }}
      keyboard={false}
      closable={false}
      footer={
        <Button type="primary" onClick={onClose}>
          I Have Copied It
        </Button>
      }
    >
      <Alert
        type="warning"
        showIcon
        role="note"
        title={`Copy the key now: it is not shown again.${advice && ` ${advice}`}`}
      />
      <div className={styles['secret']}>
        <code>{secret}</code>
        <CopyButton what={what} text={secret} />
      </div>
      {children}
    </Modal>
  )
}
