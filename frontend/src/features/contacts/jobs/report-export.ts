import type { ContactJob } from '@parley/contracts/contacts/contact-jobs'
import { reportExport as report } from '../../../lib/contact-jobs.ts'
import { counted } from '../../../lib/format.ts'

/** Says how an export of contacts has ended, and hands its file to the browser's downloads. */
export const reportExport = (job: ContactJob): void => report(job, `${counted(job.done, 'contact')} exported.`)
