import { type ContactJob, chatLimits } from '@parley/contracts/contacts/contact-jobs'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import { formatConstant } from '../../../lib/format.ts'
import { formatBytes } from '../../../lib/format-bytes.ts'
import { ExportForm } from '../../../ui/export-dialog.tsx'
import { useExportChat } from './exports.ts'

const formats = [
  { value: 'text', name: 'Text', hint: 'One line per message, without photos or files' },
  {
    value: 'html',
    name: 'HTML with media',
    hint: 'A ZIP file with a web page, photos and files',
  },
] as const

/** Asks for the format and starts an export of the conversation; exports of before can be downloaded again. */
export function ExportChatDialog({
  conversation: { id, contact },
  exports,
  open,
  onClose,
}: {
  conversation: Conversation
  exports: { readonly jobs: readonly ContactJob[]; readonly readAt: number }
  open: boolean
  onClose: () => void
}) {
  const { start, isPending } = useExportChat(id)
  return (
    <ExportForm
      title="Export chat"
      lead={
        <>
          The conversation with <bdi>{contact.name}</bdi>: up to {formatConstant(chatLimits.messages)} messages and{' '}
          {formatBytes(chatLimits.fileBytes)} of files. Includes notes and activities.
        </>
      }
      formats={formats}
      open={open}
      pending={isPending}
      onStart={(format) => void start(format, onClose)}
      onClose={onClose}
      earlier={exports.jobs}
      readAt={exports.readAt}
      contentOf={({ file }) => formatBytes(file?.sizeBytes ?? 0)}
    />
  )
}
