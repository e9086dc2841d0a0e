import CloseCircleOutlined from '@ant-design/icons/CloseCircleOutlined'
import InfoCircleOutlined from '@ant-design/icons/InfoCircleOutlined'
import { editBudget, type Uneditable, uneditable } from '@parley/contracts/template-edits'
import type { Template } from '@parley/contracts/templates'
import type { ReactNode } from 'react'
import { fullTime } from '../../../lib/relative-time.ts'
import { useClock } from '../../../lib/use-clock.ts'
import styles from './editor.module.css'

const notes: Record<Exclude<Uneditable, 'unsupported' | 'budget'>, { title: string; text: string }> = {
  pending: {
    title: 'WhatsApp is reviewing this template',
    text: 'It can be changed once there is a verdict, which takes up to 24 hours.',
  },
  disabled: {
    title: 'WhatsApp has disabled this template',
    text: 'It cannot be changed. Duplicate it and send the copy for review instead.',
  },
}

/** What a person must know before they change a template: why it was rejected, what a change does to it, or why it cannot be. */
export function ReviewNote({ stored }: { stored: Template | undefined }) {
  const { now, timeZone } = useClock(0)
  if (!stored) return null
  const reason = uneditable(stored, now)
  const { left, nextAt } = editBudget(stored.editedAt ?? [], now)
  if (reason === 'unsupported')
    return (
      <Note title="Written elsewhere">
        It also has: {stored.unsupported?.join(', ')}. Parley can neither change nor send that; WhatsApp Manager can.
      </Note>
    )
  if (stored.status === 'rejected')
    return (
      <Note title="WhatsApp rejected this template" isDanger>
        {stored.rejectionReason ?? 'WhatsApp gave no reason.'}
      </Note>
    )
  if (reason === 'budget')
    return (
      <Note title={`It can be changed again on ${nextAt ? fullTime(nextAt, timeZone) : ''}`}>
        WhatsApp takes one change of an approved template in 24 hours, and ten in 30 days. A copy can be sent now.
      </Note>
    )
  if (reason) return <Note title={notes[reason].title}>{notes[reason].text}</Note>
  if (stored.status !== 'approved') return null
  return (
    <Note title="Changes are reviewed again">
      This template is approved. If you change it, it becomes pending again and cannot be sent until WhatsApp approves
      the new text. WhatsApp takes one change in 24 hours, and {left === 10 ? 'ten' : `${left} more`} in 30 days.
    </Note>
  )
}

function Note({ title, isDanger = false, children }: { title: string; isDanger?: boolean; children: ReactNode }) {
  return (
    <div className={styles['note']} data-tone={isDanger ? 'danger' : 'info'} role="note">
      {isDanger ? <CloseCircleOutlined aria-hidden /> : <InfoCircleOutlined aria-hidden />}
      <div>
        <h2 className={styles['noteTitle']}>{title}</h2>
        <p dir="auto">{children}</p>
      </div>
    </div>
  )
}
