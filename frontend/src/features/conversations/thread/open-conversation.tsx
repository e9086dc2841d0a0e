import type { Conversation } from '@parley/contracts/inbox/conversations'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, type RefObject, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { useUser } from '../../../lib/user.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { conversationOptions, knownConversation, messagesOptions } from '../api.ts'
import { useMarkRead } from '../changes.ts'
import { draftOf, storeCampaignDraft } from '../composer/drafts.ts'
import { useMacroCommands } from '../composer/macros-api.ts'
import { DetailsPanel } from '../details/details-panel.tsx'
import type { ChangeInboxUrl, InboxUrl } from '../url.ts'
import type { Unread } from './day-groups.ts'
import { readUpTo, useLiveThread } from './live-thread.ts'
import styles from './open-conversation.module.css'
import { ThreadPane, type ThreadPaneHandle } from './thread-pane.tsx'
import { ConversationSkeleton } from './thread-skeleton.tsx'

// Dialogs that open on demand are loaded on demand.
const PassportDialog = lazy(async () => ({ default: (await import('./passport-dialog.tsx')).PassportDialog }))
const RepliesDialog = lazy(async () => ({ default: (await import('../composer/replies-dialog.tsx')).RepliesDialog }))
const MacroDialog = lazy(async () => ({ default: (await import('../composer/macro-dialog.tsx')).MacroDialog }))
const RenameDialog = lazy(async () => ({ default: (await import('../details/rename-dialog.tsx')).RenameDialog }))
const TagDialog = lazy(async () => ({ default: (await import('../details/tag-dialog.tsx')).TagDialog }))
const TemplateDialog = lazy(async () => ({ default: (await import('../composer/template-dialog.tsx')).TemplateDialog }))

interface Props {
  id: string
  url: InboxUrl
  change: ChangeInboxUrl
  /** The conversation that a person has just chosen, so that they can write at once. */
  takesFocus: RefObject<string | undefined>
  /** Counts how often a person chose a conversation, this one again included. */
  openings: number
  onBack: (() => void) | undefined
  /** True where there is room for the right panel beside the thread. */
  roomy: boolean
}

/** The thread and the panel of one conversation, with the dialogs that change it. */
export function OpenConversation({ id, url, change, takesFocus, openings, onBack, roomy }: Props) {
  const client = useQueryClient()
  const {
    data: conversation,
    error,
    dataUpdatedAt,
    isFetching,
    refetch,
  } = useQuery({
    ...conversationOptions(id),
    placeholderData: () => knownConversation(client, id),
  })
  const pane = useRef<ThreadPaneHandle>(null)
  const unread = useUnreadAtOpening(conversation)
  useMacroCommands(useCallback((about: string) => change({ dialog: 'macro', about }), [change]))
  const movedTo = conversation && conversation.id !== id ? conversation.id : undefined
  useReading(id, movedTo ? undefined : conversation)
  useMoving(id, movedTo, change)
  const isLoaded = conversation !== undefined
  useEffect(() => {
    if (openings === 0 || !isLoaded || takesFocus.current !== id) return
    takesFocus.current = undefined
    pane.current?.focusComposer()
  }, [id, isLoaded, openings, takesFocus])

  if (error && !conversation && !isFetching)
    return (
      <div className={styles['state']}>
        {error instanceof ApiError && error.status === 404 ? (
          <NotFound onBack={() => change({ id: undefined, panel: undefined, dialog: undefined }, { replace: true })} />
        ) : (
          <ErrorState
            title="The conversation could not be loaded"
            message="Nothing is lost. Check your connection and try again."
            onRetry={() => void refetch()}
          />
        )}
      </div>
    )
  if (!conversation || movedTo) return <ConversationSkeleton roomy={roomy} />

  const closeDialog = () => change({ dialog: undefined, about: undefined }, { replace: true })
  const closePanel = roomy ? undefined : () => change({ panel: undefined }, { replace: true })
  return (
    <>
      <ThreadPane
        ref={pane}
        conversation={conversation}
        readAt={dataUpdatedAt}
        unread={unread}
        url={url}
        change={change}
        onBack={onBack}
        onLeave={onBack ?? focusSelectedRow}
        onDetails={roomy ? undefined : () => change({ panel: 'details' })}
      />
      {(roomy || url.panel === 'details') && (
        <div className={roomy ? styles['panel'] : styles['over']}>
          <DetailsPanel
            conversation={conversation}
            readAt={dataUpdatedAt}
            onAddTag={() => change({ dialog: 'tag' })}
            onAddNote={() => {
              closePanel?.()
              pane.current?.startNote()
            }}
            onShowNote={({ conversationId, id: message }) =>
              change({ id: conversationId, message, find: undefined, panel: undefined })
            }
            onClose={closePanel}
          />
        </div>
      )}
      <Suspense>
        {url.dialog === 'rename' && <RenameDialog conversation={conversation} onClose={closeDialog} />}
        {url.dialog === 'template' && <TemplateDialog conversation={conversation} onClose={closeDialog} />}
        {url.dialog === 'macro' && (
          <MacroDialog
            conversation={conversation}
            chosen={url.about}
            onChoose={(about) => change({ about }, { replace: true })}
            onRun={closeDialog}
            onClose={closeDialog}
          />
        )}
        {url.dialog === 'replies' && <RepliesDialog onClose={closeDialog} />}
        {url.dialog === 'passport' && url.about && (
          <PassportDialog
            conversation={conversation}
            messageId={url.about}
            onTemplate={() => change({ dialog: 'template', about: undefined }, { replace: true })}
            onClose={closeDialog}
          />
        )}
        {url.dialog === 'tag' && <TagDialog conversation={conversation} onClose={closeDialog} />}
      </Suspense>
    </>
  )
}

/** Redirects to the conversation that its messages were merged into, with the text that is being typed. */
function useMoving(id: string, movedTo: string | undefined, change: ChangeInboxUrl): void {
  useEffect(() => {
    if (movedTo === undefined) return
    if (draftOf(movedTo) === '') storeCampaignDraft(movedTo, draftOf(id), { shared: false })
    change({ id: movedTo }, { replace: true })
  }, [id, movedTo, change])
}

/** Returns the number of unread messages when the conversation was opened: it is marked as read at once. */
function useUnreadAtOpening(conversation: Conversation | undefined): Unread | undefined {
  const [unread, setUnread] = useState<Unread>()
  if (conversation && unread === undefined)
    setUnread({ count: conversation.unreadCount, until: conversation.lastMessage.at })
  return unread
}

/**
 * Marks a conversation as read while it is open in a visible window, as far as its thread goes. Tries once for new messages, and
 * once more when the thread has caught up; if that fails, the next try is for something new, or when the window comes into view
 * again.
 */
function useReading(id: string, conversation: Conversation | undefined): void {
  const { mutate } = useMarkRead(id)
  // A look at the workspace as another role marks nothing as read.
  const isViewing = useUser().data?.viewing === true
  const unread = (conversation?.unreadCount ?? 0) > 0
  const live = useLiveThread(id)
  // The thread's pane reads them.
  const { data } = useInfiniteQuery({ ...messagesOptions(id), enabled: false })
  const upTo = useMemo(() => data && readUpTo(data, live), [data, live])
  const tried = useRef<string>(undefined)
  useEffect(() => {
    if (!unread || upTo === undefined || isViewing) return
    const seen = `${upTo} ${live.arrived}`
    const read = () => {
      if (document.visibilityState !== 'visible') return
      tried.current = seen
      mutate(upTo)
    }
    if (tried.current !== seen) read()
    document.addEventListener('visibilitychange', read)
    return () => document.removeEventListener('visibilitychange', read)
  }, [unread, upTo, live.arrived, isViewing, mutate])
}

/** Returns the focus to the row from which the conversation was opened. */
function focusSelectedRow(): void {
  const rows = document.querySelectorAll<HTMLElement>('[aria-label="Conversations"] a')
  const selected = [...rows].find((row) => row.getAttribute('aria-current') === 'true')
  ;(selected ?? rows[0])?.focus()
}

function NotFound({ onBack }: { onBack: () => void }) {
  return (
    <div className={styles['missing']}>
      <h2>This conversation could not be found</h2>
      <p>It may have been deleted together with its contact, or the link may be wrong.</p>
      <Button onClick={onBack}>Show all conversations</Button>
    </div>
  )
}
