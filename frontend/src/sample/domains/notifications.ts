import { notificationsApi } from '@parley/contracts/notifications'
import { answer } from '../answer.ts'
import { pageOf } from '../page-of.ts'

export const answers = [
  answer(notificationsApi.list, ({ query }, story) => {
    const items = [...story.notifications.values()]
    return { ...pageOf(items, query), unread: items.filter(({ readAt }) => !readAt).length }
  }),
  answer(notificationsApi.markRead, ({ body }, story) => {
    const ids = 'ids' in body ? body.ids : story.notifications.keys()
    for (const id of ids) {
      const notification = story.notifications.get(id)
      if (notification && !notification.readAt)
        story.notifications.set(id, { ...notification, readAt: new Date().toISOString() })
    }
    return undefined
  }),
]
