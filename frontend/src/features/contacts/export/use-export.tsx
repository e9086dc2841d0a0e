import { Button, Modal, Progress } from 'antd'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { download } from '../../../lib/download.ts'
import { counted, formatCount } from '../../../lib/format.ts'
import { toast } from '../../../ui/toast.ts'
import { callsOf, readExportPage, type Selection } from '../api.ts'
import { createContactLines, exportFileName } from './contact-lines.ts'

interface Progressing {
  readonly done: number
  readonly total: number | undefined
}

/** Exports a selection page by page, with progress and a way to stop. */
export function useExport(timeZone: string): { start: (selection: Selection) => void; dialog: ReactNode } {
  const [progress, setProgress] = useState<Progressing>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function run(selection: Selection, signal: AbortSignal): Promise<void> {
    const lines = createContactLines(timeZone)
    let done = 0
    for (const part of callsOf(selection)) {
      let cursor: string | undefined
      do {
        const page = await readExportPage(part, cursor, signal)
        lines.add(page.items)
        done += page.items.length
        setProgress({ done, total: 'ids' in selection ? selection.ids.length : page.total })
        cursor = page.nextCursor ?? undefined
      } while (cursor)
    }
    download(exportFileName(new Date(), timeZone), lines.parts())
    toast.success(`${counted(done, 'contact')} exported.`)
  }

  function start(selection: Selection): void {
    const controller = new AbortController()
    running.current = controller
    setProgress({ done: 0, total: undefined })
    run(selection, controller.signal)
      .catch(() => {
        if (!controller.signal.aborted) toast.error('The export did not finish, so no file was made. Try again.')
      })
      .finally(() => setProgress(undefined))
  }

  const percent = progress?.total ? Math.round((progress.done / progress.total) * 100) : 0
  const cancel = () => running.current?.abort()
  return {
    start,
    dialog: (
      <Modal
        open={progress !== undefined}
        centered
        width={400}
        title="Exporting contacts"
        closable={false}
        mask={{ closable: false }}
        onCancel={cancel}
        footer={<Button onClick={cancel}>Cancel</Button>}
      >
        <p>
          {formatCount(progress?.done ?? 0)}
          {progress?.total !== undefined && ` of ${formatCount(progress.total)}`} written
        </p>
        <Progress percent={percent} aria-label="Export" />
      </Modal>
    ),
  }
}
