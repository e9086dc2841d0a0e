import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer } from '../../../testing/stub-server.ts'

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const session = (id: string, device: string, over = {}) => ({
  id,
  device,
  ip: '203.0.113.7',
  createdAt: minutesAgo(600),
  lastSeenAt: minutesAgo(4),
  current: false,
  ...over,
})
const here = session('a'.repeat(22), 'Chrome on Linux', { current: true, lastSeenAt: minutesAgo(0) })
const phone = session('b'.repeat(22), 'Safari on iOS', { ip: '198.51.100.9' })
const laptop = session('c'.repeat(22), 'Firefox on Windows')

/** A server whose list loses what is ended. */
function serverWith(...listed: ReturnType<typeof session>[]) {
  let sessions = listed
  const server = stubServer({
    ...signedInServer(),
    'GET /auth/sessions': () => ({ json: { sessions } }),
    'DELETE /auth/sessions': () => {
      sessions = sessions.filter(({ current }) => current)
      return { status: 204 }
    },
  })
  for (const { id } of listed)
    server.answer(`DELETE /auth/sessions/${id}`, () => {
      sessions = sessions.filter((other) => other.id !== id)
      return { status: 204 }
    })
  return server
}

const card = () => screen.findByRole('region', { name: 'Where you’re signed in' })
const rows = async () => (await within(await card()).findAllByRole('listitem')).map((row) => row.textContent)
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))

test('every session shows its device, address and last use; this device is marked and cannot be ended here', async () => {
  serverWith(here, phone)
  await openApp('/profile')
  expect(await rows()).toEqual([
    'Chrome on LinuxThis device203.0.113.7Last used: Just now',
    'Safari on iOS198.51.100.9Last used: 4 min agoSign out',
  ])
  expect(screen.queryByRole('button', { name: 'Sign out Chrome on Linux' })).toBeNull()
})

test('the full time stands behind the relative one, in the time zone of the profile', async () => {
  serverWith(here, { ...phone, lastSeenAt: '2026-01-05T20:00:00.000Z' })
  await openApp('/profile')
  expect(await within(await card()).findAllByText(/Last used/)).toHaveLength(2)
  const time = (await card()).querySelectorAll('time')[1]
  expect(time?.getAttribute('datetime')).toBe('2026-01-05T20:00:00.000Z')
  // Reached by keyboard, too.
  act(() => time?.closest<HTMLElement>('[tabindex="0"]')?.focus())
  expect((await screen.findByRole('tooltip')).textContent).toMatch(/1:30/)
})

test('one session is ended; the others stay', async () => {
  const server = serverWith(here, phone, laptop)
  await openApp('/profile')
  await press('Sign out Safari on iOS')
  await waitFor(async () => expect(await rows()).toHaveLength(2))
  expect(await screen.findByText('Signed out on that device.')).toBeTruthy()
  const call = server.calls.find(({ method }) => method === 'DELETE')
  expect(call?.path).toBe(`/auth/sessions/${phone.id}`)
  expect(call?.headers.get('x-csrf')).toBe('1')
  await waitFor(() => expect(server.count('GET /auth/sessions')).toBe(2))
})

test('all others are ended after a question', async () => {
  const server = serverWith(here, phone, laptop)
  await openApp('/profile')
  await press('Sign out everywhere else')
  expect(await screen.findByText(/2 other sessions end at once/)).toBeTruthy()
  await press('Cancel')
  expect(server.count('DELETE /auth/sessions')).toBe(0)
  await press('Sign out everywhere else')
  await press('Sign out')
  await waitFor(async () => expect(await rows()).toHaveLength(1))
  expect(screen.getByText('You are not signed in anywhere else.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Sign out everywhere else' })).toBeNull()
})

test('a session that has ended already simply goes', async () => {
  const server = serverWith(here, phone)
  server.answer(`DELETE /auth/sessions/${phone.id}`, () => {
    server.answer('GET /auth/sessions', () => ({ json: { sessions: [here] } }))
    return { status: 404, json: errorOf('not_found', 'This session has ended already.') }
  })
  await openApp('/profile')
  await press('Sign out Safari on iOS')
  await waitFor(async () => expect(await rows()).toHaveLength(1))
})

test('a session that cannot be ended stays and says why', async () => {
  const server = serverWith(here, phone)
  server.answer(`DELETE /auth/sessions/${phone.id}`, () => ({ status: 503, json: errorOf('x', 'Not possible now.') }))
  await openApp('/profile')
  await press('Sign out Safari on iOS')
  expect(await screen.findByText('Not possible now.')).toBeTruthy()
  expect(await rows()).toHaveLength(2)
})

test('the list loads, and a failure of it can be tried again without losing the form', async () => {
  const server = serverWith(here)
  let answer = () => {}
  server.answer('GET /auth/sessions', async () => {
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return { status: 503, json: errorOf('x', 'No.') }
  })
  await openApp('/profile')
  expect(within(await card()).getByRole('status', { name: 'Loading...' })).toBeTruthy()
  answer()
  expect(await screen.findByText('The list could not be loaded')).toBeTruthy()
  expect(screen.getByLabelText('First Name')).toHaveProperty('value', 'Asha')
  server.answer('GET /auth/sessions', () => ({ json: { sessions: [here] } }))
  await press('Retry')
  expect(await rows()).toHaveLength(1)
})
