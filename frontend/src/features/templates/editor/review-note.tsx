import CloseCircleOutlined from '@ant-design/icons/CloseCircleOutlined'
import InfoCircleOutlined from '@ant-design/icons/InfoCircleOutlined'
import { editBudget, type Uneditable, uneditable } from '@parley/contracts/templates/template-edits'
import type { TemplateUse } from '@parley/contracts/templates/template-endpoints'
import type { Template } from '@parley/contracts/templates/templates'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { fullTime } from '../../../lib/relative-time.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { templateUsesOptions } from '../api.ts'
import styles from './notes.module.css'

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

/** Shows what to know before changing a template: why it was rejected, what a change does to it, or why it cannot be changed. */
export function ReviewNote({ stored }: { stored: Template | undefined }) {
  const { now, timeZone } = useClock(0)
  const uses = useQuery({ ...templateUsesOptions(stored?.id ?? ''), enabled: stored !== undefined }).data ?? []
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
        WhatsApp allows one change to an approved template every 24 hours, and ten in 30 days. You can send a copy now.
      </Note>
    )
  const sending = uses.filter(({ status }) => status === 'active')
  if (sending.length > 0)
    return (
      <Note title={sending.length === 1 ? 'A campaign is sending it' : 'Campaigns are sending it'}>
        {namesOf(sending)}: it can be changed once {sending.length === 1 ? 'that is' : 'those are'} done, paused or
        cancelled. A copy can be sent now.
      </Note>
    )
  if (reason) return <Note title={notes[reason].title}>{notes[reason].text}</Note>
  if (stored.status !== 'approved') return null
  return (
    <Note title="Changes are reviewed again">
      This template is approved. If you change it, it becomes pending again and cannot be sent until WhatsApp approves
      the new text. WhatsApp allows one change every 24 hours, and {left === 10 ? 'ten' : `${left} more`} in 30 days.
      {uses.length > 0 && ` Until then these campaigns cannot send it: ${namesOf(uses)}.`}
    </Note>
  )
}

const namesOf = (uses: readonly TemplateUse[]): string => uses.map(({ name }) => name).join(', ')

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
