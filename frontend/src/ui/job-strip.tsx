import type { ContactJob } from '@parley/contracts/contacts/contact-jobs'
import { Button, Progress } from 'antd'
import { useCancelJob } from '../lib/contact-jobs.ts'
import { formatCount } from '../lib/format.ts'
import styles from './job-strip.module.css'

/** Shows running jobs over contacts, or of a conversation, with a way to stop each. */
export function JobStrip({ jobs }: { jobs: readonly ContactJob[] }) {
  return (
    <ul className={styles['jobs']} aria-label="Under way">
      {jobs.map((job) => (
        <WorkingJob key={job.id} job={job} />
      ))}
    </ul>
  )
}

const words = {
  add_tags: 'Adding tags',
  remove_tags: 'Removing tags',
  rename_tag: 'Renaming a tag',
  delete: 'Deleting contacts',
} as const

function wordsFor({ task }: ContactJob): string {
  if (task.kind === 'export') return 'Exporting contacts'
  if (task.kind === 'person_export') return 'Exporting one contact'
  if (task.kind === 'chat_export') return 'Exporting the chat'
  if (task.kind === 'rows_export') return 'Exporting rows of a figure'
  if (task.kind === 'erase') return 'Erasing a contact'
  if (task.kind === 'merge') return 'Merging contacts'
  if (task.kind === 'merge_undo') return 'Separating merged contacts'
  return task.kind === 'undo' ? 'Undoing a change' : words[task.action.kind]
}

function WorkingJob({ job }: { job: ContactJob }) {
  const { mutate, isPending } = useCancelJob()
  const stop = job.task.kind === 'erase' ? undefined : () => mutate(job.id)
  return <JobBar what={wordsFor(job)} job={job} stopping={isPending} onStop={stop} />
}

/** One job under way, as an item of a list. @param onStop absent: it cannot be stopped. */
export function JobBar({
  what,
  job: { total, done },
  stopping,
  onStop,
}: {
  what: string
  job: { readonly total: number; readonly done: number }
  stopping: boolean
  onStop: (() => void) | undefined
}) {
  const percent = total > 0 ? Math.min(100, Math.floor((done / total) * 100)) : 0
  return (
    <li className={styles['job']}>
      <span className={styles['what']}>{what}</span>
      <Progress
        className={styles['progress'] ?? ''}
        percent={percent}
        showInfo={false}
        size="small"
        aria-label={what}
      />
      <span className={styles['count']}>
        {total > 0 ? `${formatCount(done)} of ${formatCount(total)}` : 'Starting'}
      </span>
      {onStop && (
        <Button size="small" loading={stopping} onClick={onStop}>
          Cancel
        </Button>
      )}
    </li>
  )
}
