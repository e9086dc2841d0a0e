import type { IssuedKey } from '@parley/contracts/account/api-keys'
import { Alert, Button, Modal } from 'antd'
import { useLast } from '../../../lib/use-last.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import styles from './api-keys.module.css'

/** Shows a new key, which the server cannot show again. A press beside it does not close it. */
export function SecretDialog({ issued, onClose }: { issued: IssuedKey | undefined; onClose: () => void }) {
  const shown = useLast(issued)
  if (!shown) return null
  return (
    <Modal
      open={issued !== undefined}
      centered
      width={560}
      title={`Your key for ${shown.key.name}`}
      destroyOnHidden
      mask={{ closable: false }}
      closable={false}
      onCancel={onClose}
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
        title="Copy the key now: it is not shown again. Keep it where your program's other secrets are, not in its code."
      />
      <div className={styles['secret']}>
        <code>{shown.secret}</code>
        <CopyButton what="API key" text={shown.secret} />
      </div>
    </Modal>
  )
}
