import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import type { Conversation } from '@parley/contracts/conversations'
import { defaultTimeZone } from '@parley/contracts/time-zones'
import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { download } from '../../lib/download.ts'
import { useUser } from '../../lib/user.ts'
import { toast } from '../../ui/toast.ts'
import { readWholeThread } from './api.ts'
import { exportedChat, exportFileName } from './export-chat.ts'

/** The whole conversation as a text file, as WhatsApp itself exports a chat. */
export function ExportChat({ conversation: { id, contact } }: { conversation: Conversation }) {
  const user = useUser().data
  const [share, setShare] = useState(0)
  const exporting = useMutation({
    mutationFn: async () => {
      setShare(0)
      const messages = await readWholeThread(id, setShare)
      const text = exportedChat(messages, {
        contactName: contact.name,
        ownName: user?.workspaceName || 'You',
        timeZone: user?.timezone || defaultTimeZone,
      })
      download(exportFileName(contact.name), [text], 'text/plain')
    },
    onError: () => toast.error('The chat could not be exported. Try again.'),
  })
  return (
    <Button
      block
      icon={<DownloadOutlined aria-hidden />}
      loading={exporting.isPending}
      onClick={() => {
        if (!exporting.isPending) exporting.mutate()
      }}
    >
      {exporting.isPending && share > 0 && share < 1 ? `Export Chat (${Math.round(share * 100)}%)` : 'Export Chat'}
    </Button>
  )
}
