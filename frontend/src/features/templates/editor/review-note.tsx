import CloseCircleOutlined from '@ant-design/icons/CloseCircleOutlined'
import InfoCircleOutlined from '@ant-design/icons/InfoCircleOutlined'
import type { Template } from '@parley/contracts/templates'
import styles from './editor.module.css'

/** What a person must know before they change a template: why it was rejected, or what a change does to it. */
export function ReviewNote({ stored }: { stored: Template | undefined }) {
  if (stored?.status === 'rejected')
    return (
      <div className={styles['note']} data-tone="danger" role="note">
        <CloseCircleOutlined aria-hidden />
        <div>
          <h2 className={styles['noteTitle']}>WhatsApp rejected this template</h2>
          <p dir="auto">{stored.rejectionReason ?? 'WhatsApp gave no reason.'}</p>
        </div>
      </div>
    )
  if (stored?.unsupported)
    return (
      <div className={styles['note']} data-tone="info" role="note">
        <InfoCircleOutlined aria-hidden />
        <div>
          <h2 className={styles['noteTitle']}>Written elsewhere</h2>
          <p>
            It also has: {stored.unsupported.join(', ')}. Parley can neither change nor send that; WhatsApp Manager can.
          </p>
        </div>
      </div>
    )
  if (stored?.status !== 'approved') return null
  return (
    <div className={styles['note']} data-tone="info" role="note">
      <InfoCircleOutlined aria-hidden />
      <div>
        <h2 className={styles['noteTitle']}>Changes are reviewed again</h2>
        <p>
          This template is approved. If you change it, it becomes pending again and cannot be sent until WhatsApp
          approves the new text.
        </p>
      </div>
    </div>
  )
}
