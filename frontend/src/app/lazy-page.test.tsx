import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openApp } from '../testing/open-app.tsx'
import { signedInServer, stubServer } from '../testing/stub-server.ts'

const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
// React and the router report a page that fails.
vi.spyOn(console, 'error').mockImplementation(() => {})
const problem = () => screen.findByText('This page could not be shown')

beforeEach(() => {
  reload.mockClear()
  stubServer(signedInServer())
})
afterEach(() => {
  vi.doUnmock('../features/profile/profile-page.tsx')
})

/** Opens the profile, whose file is gone. */
async function openMissingPage({ keepStorage = false } = {}) {
  // A module without its export: asking for that fails as the import of a lost file does.
  vi.doMock('../features/profile/profile-page.tsx', () => ({}))
  await openApp('/profile', { keepStorage })
}

test('a page whose file is gone is loaded again, at its own address and once', async () => {
  await openMissingPage()
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce(), 80_000)
  expect(window.location.pathname).toBe('/profile')
  expect(screen.queryByText('This page could not be shown')).toBeNull()

  await openMissingPage({ keepStorage: true })
  expect(await problem()).toBeTruthy()
  expect(reload).toHaveBeenCalledOnce()
})

test('without a network the page says so and waits; with it, it is loaded again', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await openMissingPage()
  expect(await problem()).toBeTruthy()
  expect(reload).not.toHaveBeenCalled()
  online.mockRestore()
  window.dispatchEvent(new Event('online'))
  expect(reload).toHaveBeenCalledOnce()
})

test('who is signed in is asked while the page is still on its way', async () => {
  const server = stubServer(signedInServer())
  vi.doMock('../features/profile/profile-page.tsx', () => new Promise(() => {}))
  await openApp('/profile')
  await vi.waitFor(() => expect(server.count('GET /auth/session')).toBe(1), 80_000)
  expect(screen.getByText('Loading...')).toBeTruthy()
})
