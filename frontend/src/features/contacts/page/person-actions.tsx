import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import type { Contact } from '@parley/contracts/contacts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { explain } from '../../../lib/explain.ts'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { toast } from '../../../ui/toast.ts'
import { useExportPerson } from '../jobs/api.ts'
import { reportExport } from '../jobs/report-export.ts'
import { whenEnded } from '../jobs/use-contact-jobs.ts'
import { EraseDialog } from './erase-dialog.tsx'

/** What only admins do with one person's data: give it out, and erase it. */
export function PersonActions({ contact }: { contact: Contact }) {
  const client = useQueryClient()
  const { mutateAsync: start } = useExportPerson()
  const [isErasing, setErasing] = useState(false)
  if (useIsRefused('contacts:erase')) return null

  async function exportData(): Promise<void> {
    try {
      const job = await start(contact.id)
      toast.note('The file is being written. It is downloaded when it is ready.')
      const ended = await whenEnded(client, job)
      if (ended) reportExport(ended)
    } catch (error) {
      toast.error(explain(error, 'The export could not be started. Try again.'))
    }
  }

  return (
    <>
      <RowMenu
        label={`More actions for ${contact.name}`}
        actions={[
          {
            key: 'export',
            label: 'Export data',
            icon: <DownloadOutlined aria-hidden />,
            onSelect: () => void exportData(),
          },
          {
            key: 'erase',
            label: 'Erase for good',
            icon: <DeleteOutlined aria-hidden />,
            danger: true,
            onSelect: () => setErasing(true),
          },
        ]}
      />
      <EraseDialog open={isErasing} contact={contact} onClose={() => setErasing(false)} />
    </>
  )
}
