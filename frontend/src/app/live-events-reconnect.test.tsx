import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openLiveInbox, receive, rows, thread } from '../testing/live-inbox.tsx'
import { openApp } from '../testing/open-app.tsx'
import { errorOf, eventOf, signedInServer, stubEvents, stubServer } from '../testing/stub-server.ts'
import { withWindowSize } from '../testing/window-size.ts'

withWindowSize()

test('a stream that breaks continues after the last event; a reset reads everything again', async () => {
  const { events, server } = await openLiveInbox()
  const first = receive(server, 'conversation-4', 'first')
  events.send('conversation.changed', first.events[0])
  await waitFor(() => expect(rows()[0]?.textContent).toContain('first'))
  events.end()
  await waitFor(() => expect(server.count('GET /api/events')).toBe(2))
  const opened = server.calls.filter(({ path }) => path === '/api/events')
  expect(opened.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '1'])
  await waitFor(() => expect(events.readers()).toBe(1))
  receive(server, 'conversation-4', 'missed meanwhile')
  events.send('reset', {})
  await waitFor(() => expect(rows()[0]?.textContent).toContain('missed meanwhile'))
})

/** A server whose stream opens when the test says so. */
function serverOpenedLater(options?: Parameters<typeof stubServer>[1]) {
  const events = stubEvents()
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const handlers = {
    ...signedInServer(),
    'GET /api/events': async () => {
      await opened
      return events.response()
    },
  }
  const server = stubServer(handlers, options)
  return { server, open }
}

test('what changed between the first read and the opening of the stream is not missed', async () => {
  const { open, server } = serverOpenedLater()
  await openApp('/conversations?id=conversation-1')
  await screen.findByText('Yes! Is it in stock?')
  receive(server, 'conversation-1', 'in between')
  open()
  await waitFor(() => expect(thread().getByText('in between')).toBeTruthy())
})

test('what the server refused is not read again when the stream opens: its words and its button stay', async () => {
  const { server, open } = serverOpenedLater({ records: 100 })
  const reads = (path: string) => server.calls.filter((call) => call.method === 'GET' && call.path === path).length
  await openApp('/contacts?segment=segment-gone')
  const way = await screen.findByRole('button', { name: 'Show all contacts' })
  await screen.findByRole('button', { name: /^VIP/ })
  const [contacts, segments] = [reads('/api/contacts'), reads('/api/segments')]
  open()
  await waitFor(() => expect(reads('/api/segments')).toBe(segments + 1))
  expect(reads('/api/contacts')).toBe(contacts)
  await userEvent.click(way)
  expect(await screen.findByText('1–25 of 100 contacts')).toBeTruthy()
})

test('an answer that was on its way when an event came takes back nothing of it', async () => {
  const { events, server } = await openLiveInbox()
  let arrive = () => {}
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const old = await (await fetch('/api/conversations?limit=50')).json()
  old.items[2].contact.name = 'From the old answer'
  server.answer('GET /api/conversations', async () => {
    await arrival
    return { json: old }
  })
  const reads = server.count('GET /api/conversations')
  events.send('contacts.changed', eventOf('contacts.changed', { count: 2 }))
  await waitFor(() => expect(server.count('GET /api/conversations')).toBeGreaterThan(reads))
  const { events: sent } = receive(server, 'conversation-4', 'told meanwhile')
  events.send('conversation.changed', sent[0])
  await waitFor(() => expect(rows()[0]?.textContent).toContain('told meanwhile'))
  arrive()
  expect(await screen.findByText('From the old answer')).toBeTruthy()
  await waitFor(() => expect(rows()[0]?.textContent).toContain('told meanwhile'))
})

test('the stream ends with the session', async () => {
  const { events, server } = await openLiveInbox()
  server.answer('GET /auth/session', () => ({ json: { authenticated: false } }))
  server.answer('GET /api/events', () => ({ status: 401, json: errorOf('unauthenticated', 'Log in.') }))
  events.end()
  await waitFor(() => expect(window.location.pathname).toBe('/login'))
  const asked = server.count('GET /api/events')
  window.dispatchEvent(new Event('online'))
  expect(server.count('GET /api/events')).toBe(asked)
})

test('two kinds of events that come while something is read do not have the page read for ever', async () => {
  const events = stubEvents()
  const server = stubServer({ ...signedInServer(), 'GET /api/events': () => events.response() }, { records: 100 })
  await openApp('/contacts')
  expect(await screen.findByText('1–25 of 100 contacts')).toBeTruthy()
  await waitFor(() => expect(events.readers()).toBe(1))
  // Each read takes so long that the next event meets it.
  const slowly = (path: string) =>
    server.answer(`GET ${path}`, async () => {
      await new Promise((resolve) => setTimeout(resolve, 60))
      return undefined
    })
  slowly('/api/contacts')
  slowly('/api/contact-jobs')
  const reads = () => server.count('GET /api/contacts') + server.count('GET /api/contact-jobs')
  for (let pair = 0; pair < 3; pair += 1) {
    events.send('contacts.changed', eventOf('contacts.changed', { count: 2 }))
    events.send('contact_job.changed', eventOf('contact_job.changed', { jobId: 'job-1' }))
  }
  // Each event reads once, and once more where something was under way: then all is quiet.
  let before = -1
  await waitFor(
    () => {
      const [was, now] = [before, reads()]
      before = now
      expect(now).toBe(was)
    },
    { timeout: 30_000, interval: 1000 },
  )
  expect(reads()).toBeLessThanOrEqual(2 + 2 * 6 * 2)
})
