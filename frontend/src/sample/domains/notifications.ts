import { notificationsApi } from '@parley/contracts/platform/notifications'
import { answer } from '../answer.ts'
import { pageOf } from '../page-of.ts'

export const answers = [
  answer(notificationsApi.list, ({ query }, sampleDataset) => {
    const items = [...sampleDataset.notifications.values()]
    return { ...pageOf(items, query), unread: items.filter(({ readAt }) => !readAt).length }
  }),
  answer(notificationsApi.markRead, ({ body }, sampleDataset) => {
    const ids = 'ids' in body ? body.ids : sampleDataset.notifications.keys()
    for (const id of ids) {
      const notification = sampleDataset.notifications.get(id)
      if (notification && !notification.readAt)
        sampleDataset.notifications.set(id, { ...notification, readAt: new Date().toISOString() })
    }
    return undefined
  }),
]
