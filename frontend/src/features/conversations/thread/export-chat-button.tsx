import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useMay } from '../../../lib/choices/members.ts'
import { isWorking } from '../../../lib/contact-jobs.ts'
import { useChatExports } from './exports.ts'

const ExportChatDialog = lazy(async () => ({ default: (await import('./export-chat-dialog.tsx')).ExportChatDialog }))
const JobStrip = lazy(async () => ({ default: (await import('../../../ui/job-strip.tsx')).JobStrip }))

/** Exports the whole conversation to a file, and shows what is under way of it. */
export function ExportChat({ conversation }: { conversation: Conversation }) {
  const may = useMay('conversations:export')
  const [dialog, setDialog] = useState<'open' | 'closed'>()
  // Requests nothing that the member may not see.
  const exports = useChatExports(conversation.id, may === true || dialog !== undefined)
  if (may === false) return null
  const working = exports.jobs.filter(isWorking)
  return (
    <>
      <Button block icon={<DownloadOutlined aria-hidden />} aria-haspopup="dialog" onClick={() => setDialog('open')}>
        Export Chat
      </Button>
      <Suspense>
        {working.length > 0 && <JobStrip jobs={working} />}
        {dialog && (
          <ExportChatDialog
            conversation={conversation}
            exports={exports}
            open={dialog === 'open'}
            onClose={() => setDialog('closed')}
          />
        )}
      </Suspense>
    </>
  )
}
