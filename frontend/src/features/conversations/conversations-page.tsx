import MessageOutlined from '@ant-design/icons/MessageOutlined'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { inboxSummaryOptions } from '../../lib/inbox-summary.ts'
import { ActionLink } from '../../ui/action.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadSampleData } from '../../ui/load-sample-data.tsx'
import { Page } from '../../ui/page.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { useOpenConversation } from './changes.ts'
import styles from './conversations-page.module.css'
import { ListPane } from './list/list-pane.tsx'
import { restoreOutbox } from './outbox/outbox.ts'
import { useInboxShortcuts } from './shortcuts.ts'
import { OpenConversation } from './thread/open-conversation.tsx'
import { useInboxUrl } from './url.ts'

const NewConversationDialog = lazy(async () => ({
  default: (await import('./new-conversation-dialog.tsx')).NewConversationDialog,
}))

/** The inbox in three panes: conversations, one thread, whom it is with. */
export function ConversationsPage() {
  const [url, change] = useInboxUrl()
  const wide = useMedia('(min-width: 1024px)')
  const roomy = useMedia('(min-width: 1280px)')
  const summary = useQuery(inboxSummaryOptions())
  const client = useQueryClient()
  useEffect(() => restoreOutbox(client), [client])
  const openedHere = useRef(false)
  const takesFocus = useRef<string>(undefined)
  const [openings, setOpenings] = useState(0)
  useContactParameter(url.contact, (id) => change({ contact: undefined, id }, { replace: true }))
  useInboxShortcuts()

  const onOpen = useCallback((id: string) => {
    openedHere.current = true
    takesFocus.current = id
    setOpenings((count) => count + 1)
  }, [])
  const back = () => {
    // Goes back in the history where the list is the previous entry.
    if (openedHere.current) window.history.back()
    else change({ id: undefined, panel: undefined }, { replace: true })
    openedHere.current = false
  }
  const newDialog = url.new && (
    <Suspense>
      <NewConversationDialog change={change} onClose={() => change({ new: undefined }, { replace: true })} />
    </Suspense>
  )
  if (summary.data?.total === 0 && !url.id)
    return (
      <Page description="Messages from your customers, and your replies.">
        {newDialog}
        <EmptyState
          icon={<MessageOutlined />}
          title="No conversations yet"
          message="When a customer messages one of your WhatsApp numbers, the conversation appears here."
          action={
            <>
              <ActionLink to="/whatsapp-numbers">Connect a number</ActionLink>
              <LoadSampleData />
            </>
          }
        />
      </Page>
    )
  const showsList = wide || !url.id
  return (
    <div className={styles['panes']} data-panel={url.panel} data-wide={wide || undefined}>
      {showsList && <ListPane url={url} change={change} selectedId={url.id} onOpen={onOpen} />}
      {url.id ? (
        <OpenConversation
          key={url.id}
          id={url.id}
          url={url}
          change={change}
          takesFocus={takesFocus}
          openings={openings}
          onBack={wide ? undefined : back}
          roomy={roomy}
        />
      ) : (
        // None opens by itself: a conversation that the person has not chosen stays unread.
        wide && <p className={styles['nothing']}>Choose a conversation to open it here.</p>
      )}
      {newDialog}
    </div>
  )
}

/** `?contact=` of a link from another screen becomes the conversation with that contact. */
function useContactParameter(contactId: string | undefined, show: (id: string) => void): void {
  const { mutate } = useOpenConversation()
  const latest = useRef(show)
  useEffect(() => {
    latest.current = show
  })
  useEffect(() => {
    if (!contactId) return
    mutate(
      { contactId },
      {
        onSuccess: ({ id }) => latest.current(id),
        // The id of a conversation that does not exist says so by itself.
        onError: () => latest.current(`with-${contactId}`),
      },
    )
  }, [contactId, mutate])
}
