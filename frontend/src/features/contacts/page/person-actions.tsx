import CheckCircleOutlined from '@ant-design/icons/CheckCircleOutlined'
import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import MergeCellsOutlined from '@ant-design/icons/MergeCellsOutlined'
import PlayCircleOutlined from '@ant-design/icons/PlayCircleOutlined'
import StopOutlined from '@ant-design/icons/StopOutlined'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { whenEnded } from '../../../lib/contact-jobs.ts'
import { explain } from '../../../lib/explain.ts'
import { useBlockContact } from '../../../lib/use-block-contact.ts'
import { useHistoryAction } from '../../../ui/history-link.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { toast } from '../../../ui/toast.ts'
import { useExportPerson } from '../jobs/api.ts'
import { reportExport } from '../jobs/report-export.ts'
import { EraseDialog } from './erase-dialog.tsx'

const MergeDialog = lazy(async () => ({ default: (await import('../merge/merge-dialog.tsx')).MergeDialog }))
const StartWorkflowDialog = lazy(async () => ({
  default: (await import('./start-workflow-dialog.tsx')).StartWorkflowDialog,
}))

/** Starting a workflow, merging and blocking, and what only admins do with one person's data: give it out, and erase it. */
export function PersonActions({ contact }: { contact: Contact }) {
  const exportData = useExportData(contact)
  const [isErasing, setErasing] = useState(false)
  const [merging, setMerging] = useState<'open' | 'closed'>()
  const { setBlocked } = useBlockContact()
  const mayNotWrite = useIsRefused('contacts:write')
  const mayNotErase = useIsRefused('contacts:erase')
  const historyOf = useHistoryAction()
  const [starting, setStarting] = useState<'open' | 'closed'>()
  const mayNotStart = useIsRefused('conversations:assign')
  if (mayNotWrite && mayNotErase && mayNotStart) return null

  const start = {
    key: 'start',
    label: 'Start a workflow…',
    icon: <PlayCircleOutlined aria-hidden />,
    onSelect: () => setStarting('open'),
  }

  const changes = [
    {
      key: 'merge',
      label: 'Merge with…',
      icon: <MergeCellsOutlined aria-hidden />,
      onSelect: () => setMerging('open'),
    },
    {
      key: 'block',
      label: contact.blocked ? 'Unblock' : 'Block',
      icon: contact.blocked ? <CheckCircleOutlined aria-hidden /> : <StopOutlined aria-hidden />,
      onSelect: () => void setBlocked(contact, !contact.blocked),
    },
  ]
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
          ...(mayNotStart ? [] : [start]),
          ...(mayNotWrite ? [] : changes),
          ...historyOf(contact.id),
          ...(mayNotErase ? [] : personal),
        ]}
      />
      <EraseDialog open={isErasing} contact={contact} onClose={() => setErasing(false)} />
      <Suspense>
        {starting && (
          <StartWorkflowDialog contact={contact} open={starting === 'open'} onClose={() => setStarting('closed')} />
        )}
        {merging && <MergeDialog open={merging === 'open'} keptId={contact.id} onClose={() => setMerging('closed')} />}
      </Suspense>
    </>
  )
}

/** Writes everything that is stored of a contact to a file, and downloads it. */
export function useExportData({ id }: Pick<Contact, 'id'>): () => Promise<void> {
  const client = useQueryClient()
  const { mutateAsync: start } = useExportPerson()
  return async () => {
    try {
      const job = await start(id)
      toast.note('The file is being prepared. It will download when it is ready.')
      const ended = await whenEnded(client, job)
      if (ended) reportExport(ended)
    } catch (error) {
      toast.error(explain(error, 'The export could not be started. Try again.'))
    }
  }
}
