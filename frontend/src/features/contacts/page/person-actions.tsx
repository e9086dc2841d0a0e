import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import MergeCellsOutlined from '@ant-design/icons/MergeCellsOutlined'
import type { Contact } from '@parley/contracts/contacts'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { explain } from '../../../lib/explain.ts'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { toast } from '../../../ui/toast.ts'
import { useExportPerson } from '../jobs/api.ts'
import { reportExport } from '../jobs/report-export.ts'
import { whenEnded } from '../jobs/use-contact-jobs.ts'
import { EraseDialog } from './erase-dialog.tsx'

const MergeDialog = lazy(async () => ({ default: (await import('../merge/merge-dialog.tsx')).MergeDialog }))

/** Merging, and what only admins do with one person's data: give it out, and erase it. */
export function PersonActions({ contact }: { contact: Contact }) {
  const client = useQueryClient()
  const { mutateAsync: start } = useExportPerson()
  const [isErasing, setErasing] = useState(false)
  const [merging, setMerging] = useState<'open' | 'closed'>()
  const mayNotMerge = useIsRefused('contacts:write')
  const mayNotErase = useIsRefused('contacts:erase')
  if (mayNotMerge && mayNotErase) return null

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

  const personal = [
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
  ]

  return (
    <>
      <RowMenu
        label={`More actions for ${contact.name}`}
        actions={[
          ...(mayNotMerge
            ? []
            : [
                {
                  key: 'merge',
                  label: 'Merge with…',
                  icon: <MergeCellsOutlined aria-hidden />,
                  onSelect: () => setMerging('open'),
                },
              ]),
          ...(mayNotErase ? [] : personal),
        ]}
      />
      <EraseDialog open={isErasing} contact={contact} onClose={() => setErasing(false)} />
      <Suspense>
        {merging && <MergeDialog open={merging === 'open'} keptId={contact.id} onClose={() => setMerging('closed')} />}
      </Suspense>
    </>
  )
}
