import { numbersApi } from '@parley/contracts/channel/number-endpoints'
import { contactJobsApi } from '@parley/contracts/contacts/contact-job-endpoints'
import { type Approval, approvalsApi } from '@parley/contracts/platform/approvals'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { useMay, useMemberName } from '../../lib/choices/members.ts'
import { receiveJob, reportExport, whenEnded } from '../../lib/contact-jobs.ts'
import { dateTimeFormat } from '../../lib/date-formats.ts'
import { explain } from '../../lib/explain.ts'
import { counted, formatMicros } from '../../lib/format.ts'
import { Link } from '../../lib/navigation.ts'
import { approvalKeys, contactKeys, numberKeys } from '../../lib/query-keys.ts'
import { offerUndo } from '../../lib/undo.ts'
import { useChange } from '../../lib/use-change.ts'
import { useClock } from '../../lib/use-clock.ts'
import { useUser } from '../../lib/user.ts'
import { Decision } from '../../ui/approval/decision.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import styles from './settings.module.css'

/** Lists requests that wait for a decision, and what was approved for oneself and can be done now. */
export function ApprovalRequests() {
  const mayRead = useMay('approvals:read') === true
  const { data } = useQuery({
    queryKey: approvalKeys.waiting,
    queryFn: async ({ signal }) => (await call(approvalsApi.list, { signal })).items,
    enabled: mayRead,
  })
  if (!data || data.length === 0) return null
  return (
    <div>
      <p id="approvals-waiting">Requests</p>
      <ul aria-labelledby="approvals-waiting" className={styles['requests']}>
        {data.map((request) => (
          <li key={request.id} dir="auto">
            <Request request={request} />
          </li>
        ))}
      </ul>
    </div>
  )
}

type CampaignSubject = Extract<Approval['subject'], { kind: 'campaign' }>

function Request({ request }: { request: Approval }) {
  const nameOf = useMemberName()
  const userId = useUser().data?.id
  const mayDecide = useMay('approvals:decide') === true
  const { timeZone } = useClock(0)
  const { id, subject, state, askedBy, askedAt, decidedBy, expiresAt, note } = request
  const time = (at: string) =>
    dateTimeFormat(undefined, { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at))
  return (
    <>
      <p>
        <What subject={subject} />
      </p>
      <p className={styles['requestFacts']}>
        {state === 'approved'
          ? `${nameOf(decidedBy) ?? '…'} has approved it. It can be done until ${time(expiresAt)}, as long as nothing changes.`
          : `${nameOf(askedBy) ?? '…'} asked on ${time(askedAt)}. It can be decided until ${time(expiresAt)}.`}
        {note && ` “${note}”`}
      </p>
      {subject.kind !== 'campaign' && state === 'approved' && <DoApproved subject={subject} />}
      {subject.kind !== 'campaign' && state === 'pending' && mayDecide && askedBy !== userId && <Decision id={id} />}
    </>
  )
}

/** ` for $12.50, and 3 messages have no price`. */
const costText = ({ micros, currency, unpriced }: NonNullable<CampaignSubject['cost']>): string =>
  ` for ${formatMicros(micros, currency)}${unpriced > 0 ? `, and ${counted(unpriced, 'message has', 'messages have')} no price` : ''}`

function What({ subject }: { subject: Approval['subject'] }) {
  if (subject.kind === 'number_removal') return `Delete the number ${subject.name}`
  if (subject.kind === 'campaign')
    return (
      <>
        Send{' '}
        <Link to={`/broadcasts?draft=${subject.campaignId}&step=review`}>{subject.name || 'Untitled campaign'}</Link> to{' '}
        {counted(subject.recipients, 'recipient')}
        {subject.cost && costText(subject.cost)}
      </>
    )
  const verb = subject.kind === 'contact_export' ? 'Export' : 'Delete'
  return `${verb} ${counted(subject.contacts, 'contact')}: ${subject.filter}`
}

type Action = Exclude<Approval['subject'], { kind: 'campaign' }>

/** Does what was approved; a deletion is confirmed once more. */
function DoApproved({ subject }: { subject: Action }) {
  const client = useQueryClient()
  const { timeZone } = useClock(0)
  const [isAsking, setIsAsking] = useState(false)
  const perform = useChange({
    run: async (action: Action, intent) => {
      if (action.kind === 'number_removal') {
        await call(numbersApi.remove, { params: { id: action.numberId }, ...intent })
        return undefined
      }
      const { selection } = action
      return action.kind === 'contact_export'
        ? call(contactJobsApi.export, { body: { selection, format: action.format, timeZone }, ...intent })
        : call(contactJobsApi.change, { body: { selection, action: { kind: 'delete' } }, ...intent })
    },
    onSuccess: async (job) => {
      setIsAsking(false)
      void client.invalidateQueries({ queryKey: approvalKeys.waiting })
      if (!job) {
        toast.success('The number is deleted.')
        return client.invalidateQueries({ queryKey: numberKeys.all })
      }
      receiveJob(client, job)
      const ended = await whenEnded(client, job)
      if (!ended) return
      if (ended.task.kind === 'export') reportExport(ended, `${counted(ended.done, 'contact')} exported.`)
      else if (ended.canUndo)
        offerUndo(`${counted(ended.changed, 'contact')} deleted.`, async () => {
          await call(contactJobsApi.undo, { params: { id: ended.id } })
        })
      else toast.error(ended.problem ?? 'The deletion did not finish. Try again.')
      await client.invalidateQueries({ queryKey: contactKeys.all })
    },
    onError: (error) => {
      setIsAsking(false)
      toast.error(explain(error, 'That could not be started. Try again.'))
      void client.invalidateQueries({ queryKey: approvalKeys.waiting })
    },
  })
  if (subject.kind === 'contact_export')
    return (
      <div>
        <Button type="primary" loading={perform.isPending} onClick={() => perform.mutate(subject)}>
          Export Now
        </Button>
      </div>
    )
  const what = subject.kind === 'number_removal' ? subject.name : counted(subject.contacts, 'contact')
  return (
    <div>
      <Button danger onClick={() => setIsAsking(true)}>
        Delete Now
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={`Delete ${what}?`}
        confirmLabel="Delete"
        pending={perform.isPending}
        onConfirm={() => perform.mutate(subject)}
        onClose={() => setIsAsking(false)}
      >
        {subject.kind === 'number_removal'
          ? 'The number will be disconnected. Its conversations can still be read.'
          : 'They can be restored for 30 days.'}
      </ConfirmDialog>
    </div>
  )
}
