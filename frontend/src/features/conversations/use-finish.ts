import type { Conversation } from '@parley/contracts/inbox/conversations'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { createDeviceSwitch } from '../../lib/device-switch.ts'
import { offerUndo } from '../../lib/undo.ts'
import { useOwnId } from '../../lib/user.ts'
import { conversationListOptions } from './api.ts'
import { type Change, useChangeConversation } from './changes.ts'
import { isListed } from './list/list-filter.ts'
import { type ChangeInboxUrl, type InboxUrl, listFilterOf } from './url.ts'

/** Tells whether this device opens the next conversation once one is closed or snoozed. */
const isNextOpened = createDeviceSwitch('opens_next')
export const { set: setOpensNext, use: useOpensNext } = isNextOpened

interface Where {
  url: InboxUrl
  change: ChangeInboxUrl
  /** Shows the list; set where it is not in view. */
  onBack: (() => void) | undefined
}

/** Returns the conversations before and after one, as the list has them. */
export function neighboursOf(client: QueryClient, url: InboxUrl, id: string) {
  const list = client.getQueryData(conversationListOptions(listFilterOf(url)).queryKey)
  const ids = list?.pages.flatMap(({ items }) => items.map((item) => item.id)) ?? []
  const at = ids.indexOf(id)
  return { previous: ids[at - 1], next: at === -1 ? undefined : ids[at + 1] }
}

/**
 * Closes, snoozes or reopens the conversation, with Undo. Where the list no longer shows it, the next one in the list opens, or the
 * list itself on a phone.
 */
export function useFinish(conversation: Conversation, { url, change, onBack }: Where) {
  const client = useQueryClient()
  const { mutateAsync } = useChangeConversation(conversation.id)
  const ownId = useOwnId() ?? ''
  return (update: Pick<Change, 'status' | 'snoozedUntil'>, text: string) => {
    const { id, status, snoozedUntil, owner } = conversation
    const leaves = isListed(listFilterOf(url), { ...conversation, ...update }, ownId) === false
    const { previous, next = previous } = neighboursOf(client, url, id)
    void mutateAsync(update).then(
      () =>
        offerUndo(text, async () => {
          await mutateAsync({
            status,
            ...(status === 'snoozed' && { snoozedUntil }),
            ...(owner.kind === 'member' && { owner }),
          })
          change({ id })
        }),
      () => undefined,
    )
    if (!leaves || !isNextOpened.get()) return
    if (onBack) onBack()
    else change({ id: next, message: undefined, find: undefined })
  }
}
