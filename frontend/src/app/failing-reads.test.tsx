import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../testing/open-app.tsx'
import { errorOf, signedInServer, stubEvents, stubServer, userOf } from '../testing/stub-server.ts'

const unavailable = () => ({ status: 503, json: errorOf('session_store_unavailable', 'Try again shortly.') })

async function openAt(path: string) {
  const events = stubEvents()
  const server = stubServer({ ...signedInServer(), 'GET /api/events': () => events.response() })
  await openApp(path)
  await waitFor(() => expect(events.readers()).toBe(1))
  return { events, server }
}

test('what is typed stays while the person’s own record cannot be read again', async () => {
  const { events, server } = await openAt('/profile')
  const user = userEvent.setup()
  await user.type(await screen.findByLabelText(/^Address/), 'Through the fire')
  const reads = () => server.count('GET /api/auth/user')
  server.answer('GET /api/auth/user', unavailable)
  const readBefore = reads()
  events.send('reset', {})
  // A failure has been taken in once the next read was asked for. On a busy machine several come between two looks.
  await waitFor(() => expect(reads()).toBeGreaterThan(readBefore + 1))
  expect(screen.getByLabelText<HTMLInputElement>(/^Address/).value).toBe('Through the fire')
  server.answer('GET /api/auth/user', () => ({ json: userOf() }))
  const failed = reads()
  await waitFor(() => expect(reads()).toBeGreaterThan(failed))
  expect(screen.getByLabelText<HTMLInputElement>(/^Address/).value).toBe('Through the fire')
})

test('a list stays while it cannot be read again, and is read until it can', async () => {
  const { events, server } = await openAt('/templates')
  expect((await screen.findAllByRole('heading', { level: 2 })).length).toBeGreaterThan(1)
  const shown = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
  const read = server.count('GET /api/templates')
  server.answer('GET /api/templates', unavailable)
  events.send('reset', {})
  await waitFor(() => expect(server.count('GET /api/templates')).toBeGreaterThan(read + 1))
  expect(screen.queryByText('The templates could not be loaded')).toBeNull()
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual(shown)
  const { templates } = server.workspace
  for (const id of [...templates.keys()].slice(1)) templates.delete(id)
  server.answer('GET /api/templates', () => undefined)
  await waitFor(() => expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(1))
})
