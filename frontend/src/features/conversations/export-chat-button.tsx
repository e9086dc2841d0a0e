import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import type { Conversation } from '@parley/contracts/conversations'
import { defaultTimeZone } from '@parley/contracts/time-zones'
import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { download } from '../../lib/download.ts'
import { useUser } from '../../lib/user.ts'
import { toast } from '../../ui/toast.ts'
import { readWholeThread } from './api.ts'
import { exportedChat, exportFileName } from './export-chat.ts'

/** The whole conversation as a text file, as WhatsApp itself exports a chat. */
export function ExportChat({ conversation: { id, contact } }: { conversation: Conversation }) {
  const user = useUser().data
  const [share, setShare] = useState(0)
  const running = useRef<AbortController>(undefined)
  // Who has left the conversation no longer expects a file.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation ends the export of this one.
  useEffect(() => () => running.current?.abort(), [id])
  const exporting = useMutation({
    mutationFn: async () => {
      const controller = new AbortController()
      running.current = controller
      setShare(0)
      const messages = await readWholeThread(id, { onProgress: setShare, signal: controller.signal })
      controller.signal.throwIfAborted()
      const text = exportedChat(messages, {
        contactName: contact.name,
        ownName: user?.workspaceName || 'You',
        timeZone: user?.timezone || defaultTimeZone,
      })
      download(exportFileName(contact.name), [text], 'text/plain')
    },
    onError: () => {
      if (!running.current?.signal.aborted) toast.error('The chat could not be exported. Try again.')
    },
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
