import type { ContactJob } from '@parley/contracts/contact-jobs'
import { counted } from '../../../lib/format.ts'
import { toast } from '../../../ui/toast.ts'
import { exportFile } from './api.ts'

/** Says how an export has ended, and hands its file to the browser's downloads. */
export function reportExport({ id, state, file, problem, done }: ContactJob): void {
  if (state === 'cancelled') return
  if (!file) {
    toast.error(problem ?? 'The export did not finish, so no file was made. Try again.')
    return
  }
  const link = document.createElement('a')
  link.href = exportFile(id)
  link.download = file.name
  link.click()
  toast.success(`${counted(done, 'contact')} exported.`)
}
