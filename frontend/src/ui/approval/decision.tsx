import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { useApprovalChanges } from '../../lib/approvals.ts'
import styles from './approval.module.css'

/** Approves or declines a request of another member; who declines says why. */
export function Decision({ id, draftId }: { id: string; draftId?: string }) {
  const fieldId = useId()
  const [reason, setReason] = useState<string>()
  const [isMissing, setIsMissing] = useState(false)
  const { decide } = useApprovalChanges(draftId)
  if (reason === undefined)
    return (
      <div className={styles['buttons']}>
        <Button type="primary" loading={decide.isPending} onClick={() => decide.mutate({ id, decision: 'approve' })}>
          Approve
        </Button>
        <Button disabled={decide.isPending} onClick={() => setReason('')}>
          Decline…
        </Button>
      </div>
    )
  const send = () => {
    setIsMissing(reason.trim() === '')
    if (reason.trim() !== '') decide.mutate({ id, decision: 'decline', reason })
  }
  return (
    <>
      <label htmlFor={fieldId}>Reason</label>
      <Input.TextArea
        id={fieldId}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        autoSize={{ minRows: 2, maxRows: 4 }}
        maxLength={500}
        dir="auto"
        autoFocus
        {...(isMissing && { status: 'error' as const, 'aria-invalid': true, 'aria-describedby': `${fieldId}-error` })}
      />
      {isMissing && (
        <p id={`${fieldId}-error`} className={styles['missing']}>
          Say why.
        </p>
      )}
      <div className={styles['buttons']}>
        <Button danger loading={decide.isPending} onClick={send}>
          Decline
        </Button>
        <Button disabled={decide.isPending} onClick={() => setReason(undefined)}>
          Back
        </Button>
      </div>
    </>
  )
}
