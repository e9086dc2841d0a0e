import type { ContactJob, ExportFormat } from '@parley/contracts/contact-jobs'
import type { Story } from '@parley/sample/story'

const jobs = new WeakMap<Story, ContactJob[]>()

const allJobs = (story: Story): ContactJob[] => jobs.get(story) ?? []

/** The jobs of a story over contacts, the newest first. */
export const jobsOf = (story: Story): ContactJob[] => allJobs(story).filter(({ task }) => task.kind !== 'chat_export')

/** Exports of one conversation, the newest first. */
export const chatExportsOf = (story: Story, id: string): ContactJob[] =>
  allJobs(story).filter(({ task }) => task.kind === 'chat_export' && task.conversationId === id)

type Done = Pick<ContactJob, 'task' | 'done'> & Partial<ContactJob>

/** Work is done as soon as it is asked for. */
export function addJob(story: Story, fields: Done): ContactJob {
  const before = allJobs(story)
  const now = new Date().toISOString()
  const job: ContactJob = {
    id: `contact-job-${before.length + 1}`,
    state: 'done',
    total: fields.done,
    changed: 0,
    kept: 0,
    canUndo: false,
    file: null,
    problem: null,
    startedBy: null,
    createdAt: now,
    expiresAt: now,
    ...fields,
  }
  jobs.set(story, [job, ...before])
  return job
}

/** The file that an export would have written. */
export const exportedFile = (format: ExportFormat, contacts: number): ContactJob['file'] => ({
  name: `contacts-${new Date().toISOString().slice(0, 10)}.${format}`,
  sizeBytes: contacts * 80,
})
