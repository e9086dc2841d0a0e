import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import type { ContactJob, ExportFormat } from '@parley/contracts/contact-jobs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Radio } from 'antd'
import { useState } from 'react'
import { explain } from '../../../lib/explain.ts'
import { counted, formatConstant } from '../../../lib/format.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { When } from '../../../ui/when.tsx'
import type { Selection } from '../api.ts'
import { contactJobsOptions, exportFile, useStartExport } from './api.ts'
import styles from './export-dialog.module.css'
import { reportExport } from './report-export.ts'
import { whenEnded } from './use-contact-jobs.ts'

const formats: Record<ExportFormat, { name: string; hint: string }> = {
  csv: { name: 'CSV', hint: 'Text that every spreadsheet and system reads' },
  xlsx: { name: 'Excel workbook', hint: 'XLSX, up to 1,048,575 contacts' },
}

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
  const [format, setFormat] = useState<ExportFormat>('csv')
  const { mutate, isPending } = useStartExport()
  const start = () =>
    mutate(
      { selection: request.selection, format, timeZone },
      {
        onSuccess: async (job) => {
          onClose()
          const ended = await whenEnded(client, job)
          if (ended) reportExport(ended)
        },
        onError: (error) => void toast.error(explain(error, 'The export could not be started. Try again.')),
      },
    )
  return (
    <FormDialog
      open={open}
      title="Export contacts"
      lead={`${request.count === 1 ? '1 contact' : `${formatConstant(request.count)} contacts`}, with tags and attributes.`}
      submitLabel="Start export"
      width={440}
      pending={isPending}
      onSubmit={start}
      onClose={onClose}
    >
      <Radio.Group
        className={styles['formats'] ?? ''}
        aria-label="Format"
        value={format}
        onChange={({ target }) => setFormat(target.value)}
      >
        {(['csv', 'xlsx'] as const).map((value) => (
          <Radio key={value} value={value} className={styles['format'] ?? ''}>
            <span className={styles['name']}>{formats[value].name}</span>
            <span className={styles['quiet']}>{formats[value].hint}</span>
          </Radio>
        ))}
      </Radio.Group>
      <p className={styles['quiet']}>It is written in the background, also when you leave this page.</p>
      <EarlierExports />
    </FormDialog>
  )
}

const hasFile = (job: ContactJob): job is ContactJob & { file: NonNullable<ContactJob['file']> } => job.file !== null

function EarlierExports() {
  const { data = [], dataUpdatedAt } = useQuery(contactJobsOptions())
  const clock = useClock(dataUpdatedAt)
  const ready = data.filter(hasFile)
  if (ready.length === 0) return null
  return (
    <section aria-labelledby="earlier-exports" className={styles['earlier']}>
      <h2 id="earlier-exports" className={styles['title']}>
        Earlier exports
      </h2>
      <p className={styles['quiet']}>Files are kept for 7 days.</p>
      <ul className={styles['list']}>
        {ready.map(({ id, file, done, createdAt }) => (
          <li key={id} className={styles['file']}>
            <span className={styles['about']}>
              <bdi className={styles['name']}>{file.name}</bdi>
              <span className={styles['quiet']}>
                {counted(done, 'contact')}, <When at={createdAt} {...clock} />
              </span>
            </span>
            <a
              className={styles['download']}
              href={exportFile(id)}
              download={file.name}
              aria-label={`Download ${file.name}, ${counted(done, 'contact')}`}
            >
              <DownloadOutlined aria-hidden />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
