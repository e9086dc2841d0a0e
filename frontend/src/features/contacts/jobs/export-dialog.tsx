import { useQuery, useQueryClient } from '@tanstack/react-query'
import { offerApproval } from '../../../lib/approvals.ts'
import { contactJobsOptions, whenEnded } from '../../../lib/contact-jobs.ts'
import { explain } from '../../../lib/explain.ts'
import { counted, formatConstant } from '../../../lib/format.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { ExportForm } from '../../../ui/export-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import type { Selection } from '../api.ts'
import { useStartExport } from './api.ts'
import { reportExport } from './report-export.ts'

const formats = [
  { value: 'csv', name: 'CSV', hint: 'Text that every spreadsheet and system reads' },
  { value: 'xlsx', name: 'Excel workbook', hint: 'XLSX, up to 1,048,575 contacts' },
] as const

export interface ExportRequest {
  readonly selection: Selection
  readonly count: number
}

/** Asks for the format and starts an export; exports of before can be downloaded again. */
export function ExportDialog({
  request,
  open,
  onClose,
}: {
  request: ExportRequest
  open: boolean
  onClose: () => void
}) {
  const client = useQueryClient()
  const { timeZone } = useClock(0)
  const { data = [], dataUpdatedAt } = useQuery(contactJobsOptions())
  const { mutate, isPending } = useStartExport()
  const start = (format: (typeof formats)[number]['value']) =>
    mutate(
      { selection: request.selection, format, timeZone },
      {
        onSuccess: async (job) => {
          onClose()
          const ended = await whenEnded(client, job)
          if (ended) reportExport(ended)
        },
        onError: (error) => {
          if (offerApproval(error, { kind: 'contact_export', selection: request.selection, format })) onClose()
          else toast.error(explain(error, 'The export could not be started. Try again.'))
        },
      },
    )
  return (
    <ExportForm
      title="Export contacts"
      lead={`${request.count === 1 ? '1 contact' : `${formatConstant(request.count)} contacts`}, with tags and attributes.`}
      formats={formats}
      open={open}
      pending={isPending}
      onStart={start}
      onClose={onClose}
      earlier={data}
      readAt={dataUpdatedAt}
      contentOf={({ done }) => counted(done, 'contact')}
    />
  )
}
