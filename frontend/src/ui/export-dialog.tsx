import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import type { ContactJob } from '@parley/contracts/contacts/contact-jobs'
import { Radio } from 'antd'
import { type ReactNode, useState } from 'react'
import { exportFile } from '../lib/contact-jobs.ts'
import { useClock } from '../lib/use-clock.ts'
import { FormDialog } from './dialog.tsx'
import styles from './export-dialog.module.css'
import { Timestamp } from './timestamp.tsx'

interface Choice<F extends string> {
  readonly value: F
  readonly name: string
  readonly hint: string
}

interface Props<F extends string> {
  title: string
  lead: ReactNode
  /** The first one is chosen at the start. */
  formats: readonly [Choice<F>, ...Choice<F>[]]
  open: boolean
  pending: boolean
  onStart: (format: F) => void
  onClose: () => void
  /** Earlier exports, whose files can be downloaded again. */
  earlier: readonly ContactJob[]
  /** Time at which they were read. */
  readAt: number
  /** Returns the contents of an earlier file: `8 contacts`. */
  contentOf: (job: ContactJob) => string
}

/** Asks for the format and starts an export; exports of before can be downloaded again. */
export function ExportForm<F extends string>({
  title,
  lead,
  formats,
  open,
  pending,
  onStart,
  onClose,
  earlier,
  readAt,
  contentOf,
}: Props<F>) {
  const [format, setFormat] = useState(formats[0].value)
  const clock = useClock(readAt)
  const ready = earlier.filter(hasFile)
  return (
    <FormDialog
      open={open}
      title={title}
      lead={lead}
      submitLabel="Start export"
      width={440}
      pending={pending}
      onSubmit={() => onStart(format)}
      onClose={onClose}
    >
      <Radio.Group
        className={styles['formats'] ?? ''}
        aria-label="Format"
        value={format}
        onChange={({ target }) => setFormat(target.value)}
      >
        {formats.map(({ value, name, hint }) => (
          <Radio key={value} value={value} className={styles['format'] ?? ''}>
            <span className={styles['name']}>{name}</span>
            <span className={styles['quiet']}>{hint}</span>
          </Radio>
        ))}
      </Radio.Group>
      <p className={styles['quiet']}>The export continues in the background if you leave this page.</p>
      {ready.length > 0 && (
        <section aria-labelledby="earlier-exports" className={styles['earlier']}>
          <h2 id="earlier-exports" className={styles['title']}>
            Earlier exports
          </h2>
          <p className={styles['quiet']}>Files are kept for 7 days.</p>
          <ul className={styles['list']}>
            {ready.map((job) => (
              <li key={job.id} className={styles['file']}>
                <span className={styles['about']}>
                  <bdi className={styles['name']}>{job.file.name}</bdi>
                  <span className={styles['quiet']}>
                    {contentOf(job)}, <Timestamp at={job.createdAt} {...clock} />
                  </span>
                </span>
                <a
                  className={styles['download']}
                  href={exportFile(job.id)}
                  download={job.file.name}
                  aria-label={`Download ${job.file.name}, ${contentOf(job)}`}
                >
                  <DownloadOutlined aria-hidden />
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </FormDialog>
  )
}

const hasFile = (job: ContactJob): job is ContactJob & { file: NonNullable<ContactJob['file']> } => job.file !== null
