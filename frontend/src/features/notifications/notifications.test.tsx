import type { RecordedEvent } from '@parley/contracts/platform/events'
import { notificationsApi } from '@parley/contracts/platform/notifications'
import { QueryClient } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { notificationKeys, userKey } from '../../lib/query-keys.ts'
import { openApp } from '../../testing/open-app.tsx'
import { errorOf, eventOf, signedInServer, stubEvents, stubServer, userOf } from '../../testing/stub-server.ts'
import { receive } from './events.ts'

const { path } = notificationsApi.list
const notification = (index: number) => ({
  id: `notification-${index}`,
  category: 'campaign',
  severity: 'warning',
  title: `Offer ${index} was paused`,
  body: 'Its start was missed by more than 15 minutes.',
  action: 'Resume it to send it now',
  object: { kind: 'campaign', id: `campaign-${index}` },
  at: new Date(Date.now() - index * 60_000).toISOString(),
  readAt: null,
})

/** Opens a bell with `count` entries, two on a page. */
async function openBell(count: number) {
  let all = Array.from({ length: count }, (_, index) => notification(index + 1))
  const page = () => ({ items: all.slice(0, 2), nextCursor: null, previousCursor: null, total: all.length })
  const events = stubEvents()
  const server = stubServer({
    ...signedInServer(),
    'GET /api/events': () => events.response(),
    [`GET ${path}`]: () => ({ json: { ...page(), unread: all.length } }),
  })
  await openApp('/profile')
  await screen.findByRole('button', { name: `Notifications, ${count} unread` })
  await waitFor(() => expect(events.readers()).toBe(1))
  return {
    events,
    server,
    change: (to: ReturnType<typeof notification>[]) => {
      all = to
    },
  }
}

test('what is raised shows by itself, with what to do; what is read elsewhere is read here', async () => {
  const { events, change } = await openBell(1)
  change([notification(0), notification(1)])
  events.send('record', eventOf('notification.raised', { notificationId: 'notification-0' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Notifications, 2 unread' }))
  const panel = within(await screen.findByRole('dialog', { name: 'Notifications' }))
  const link = await panel.findByRole('link', { name: /Offer 0 was paused.*Resume it to send it now/ })
  expect(link.getAttribute('href')).toBe('/broadcasts?id=campaign-0')

  change([])
  events.send('record', eventOf('notification.read', { userId: 'user-1' }))
  expect(await panel.findByText(/^You are all caught up/)).toBeTruthy()
})

test('what another member reads changes nothing here', () => {
  const client = new QueryClient()
  client.setQueryData(userKey, userOf())
  client.setQueryData(notificationKeys.all, [])
  const isOld = () => client.getQueryState(notificationKeys.all)?.isInvalidated
  const read = (userId: string) => receive(client, eventOf('notification.read', { userId }) as RecordedEvent)
  read('user-2')
  expect(isOld()).toBe(false)
  read('user-1')
  expect(isOld()).toBe(true)
})

test('all are read at once, before the server has said so; a failure takes it back', async () => {
  const { server } = await openBell(3)
  const answer = Promise.withResolvers<void>()
  server.answer('POST /api/notifications/read', async () => {
    await answer.promise
    return { status: 503, json: errorOf('service_unavailable', 'Try again.') }
  })
  await userEvent.click(screen.getByRole('button', { name: 'Notifications, 3 unread' }))
  const panel = within(await screen.findByRole('dialog', { name: 'Notifications' }))
  await userEvent.click(await panel.findByRole('button', { name: 'Mark all as read' }))
  // Notifications on later pages are among them.
  await waitFor(() => expect(screen.queryByRole('button', { name: /\d unread/ })).toBeNull())
  answer.resolve()
  expect(await screen.findByRole('button', { name: 'Notifications, 3 unread' })).toBeTruthy()
})

test('the report of a week opens exactly its days', async () => {
  const { events, change } = await openBell(1)
  const report = (id: string) => ({ ...notification(0), id, category: 'report', object: { kind: 'analytics', id } })
  // Those of earlier versions name no day.
  change([
    { ...report('2026-03-15'), title: 'Your week' },
    { ...report('week'), title: 'Your older week' },
  ])
  events.send('record', eventOf('notification.raised', { notificationId: '2026-03-15' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Notifications, 2 unread' }))
  const panel = within(await screen.findByRole('dialog', { name: 'Notifications' }))
  const week = await panel.findByRole('link', { name: /Your week/ })
  expect(week.getAttribute('href')).toBe('/analytics?period=7d&to=2026-03-15')
  expect(panel.getByRole('link', { name: /Your older week/ }).getAttribute('href')).toBe('/analytics?period=7d')
})

test('the first line leads to unread messages, which are no notifications', async () => {
  const summary = { total: 9, open: 4, unread: 3 }
  stubServer({
    ...signedInServer(),
    'GET /api/events': () => stubEvents().response(),
    [`GET ${path}`]: () => ({ json: { items: [], nextCursor: null, previousCursor: null, total: 0, unread: 0 } }),
    'GET /api/conversations/summary': () => ({ json: summary }),
  })
  await openApp('/profile')
  await userEvent.click(await screen.findByRole('button', { name: 'Notifications' }))
  const panel = within(await screen.findByRole('dialog', { name: 'Notifications' }))
  const link = await panel.findByRole('link', { name: '3 unread messages' })
  expect(link.getAttribute('href')).toBe('/conversations?show=unread')
  expect(panel.getByText(/^You are all caught up/)).toBeTruthy()
  await userEvent.click(link)
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Notifications' })).toBeNull())
})
