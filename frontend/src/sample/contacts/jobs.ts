import type { ContactJob, ExportFormat } from '@parley/contracts/contacts/contact-jobs'
import type { SampleDataset } from '@parley/sample/sample-dataset'

const jobs = new WeakMap<SampleDataset, ContactJob[]>()

const allJobs = (sampleDataset: SampleDataset): ContactJob[] => jobs.get(sampleDataset) ?? []

/** The jobs of a story over contacts, the newest first. */
export const jobsOf = (sampleDataset: SampleDataset): ContactJob[] =>
  allJobs(sampleDataset).filter(({ task }) => task.kind !== 'chat_export')

/** Exports of one conversation, the newest first. */
export const chatExportsOf = (sampleDataset: SampleDataset, id: string): ContactJob[] =>
  allJobs(sampleDataset).filter(({ task }) => task.kind === 'chat_export' && task.conversationId === id)

type Done = Pick<ContactJob, 'task' | 'done'> & Partial<ContactJob>

/** Work is done as soon as it is asked for. */
export function addJob(sampleDataset: SampleDataset, fields: Done): ContactJob {
  const before = allJobs(sampleDataset)
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
  jobs.set(sampleDataset, [job, ...before])
  return job
}

/** The file that an export would have written. */
export const exportedFile = (format: ExportFormat, contacts: number): ContactJob['file'] => ({
  name: `contacts-${new Date().toISOString().slice(0, 10)}.${format}`,
  sizeBytes: contacts * 80,
})
