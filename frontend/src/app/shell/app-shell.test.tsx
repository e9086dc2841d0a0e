import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { claimsOf, signedInServer, stubServer, tokensOf, userOf } from '../../testing/stub-server.ts'

beforeEach(() => {
  document.documentElement.dataset['theme'] = 'dark'
  document.documentElement.dataset['sidebar'] = 'expanded'
  // biome-ignore lint/suspicious/noDocumentCookie: the test clears what the sidebar writes.
  document.cookie = 'sidebar_state=; Path=/; Max-Age=0'
})

async function openDashboard(over = {}) {
  const server = stubServer(signedInServer(claimsOf(), userOf(over)))
  await openApp('/dashboard')
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' })
  return server
}

test('the sidebar shows workspace, every screen in its order, and who is signed in', async () => {
  await openDashboard()
  const nav = screen.getByRole('navigation', { name: 'Main navigation' })
  expect(screen.getByText('Chai & Co')).toBeTruthy()
  expect(within(nav).getByText('Main')).toBeTruthy()
  expect(within(nav).getByText('Configuration')).toBeTruthy()
  expect(
    within(nav)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Dashboard',
    'Conversation',
    'Contacts',
    'Campaigns',
    'Templates',
    'Bot Flows',
    'Workflows',
    'Analytics',
    'WhatsApp Numbers',
    'Webhooks',
    'Settings & Billing',
  ])
  expect(within(nav).getByRole('link', { name: 'Dashboard' }).getAttribute('aria-current')).toBe('page')
  expect(screen.getByText('Asha')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'View Profile' }).getAttribute('href')).toBe('/profile')
  expect(document.title).toMatch(/Dashboard · Parley$/)
})

test.each([{ ctrlKey: true }, { metaKey: true }])(
  'Ctrl or Cmd plus b folds the sidebar and a cookie keeps it: %j',
  async (keys) => {
    await openDashboard()
    fireEvent.keyDown(window, { key: 'b', ...keys })
    expect(document.cookie).toContain('sidebar_state=false')
    expect(screen.queryByText('Chai & Co')).toBeNull()
    expect(screen.getByRole('link', { name: 'Dashboard' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Logout' })).toBeTruthy()
    fireEvent.keyDown(window, { key: 'b', ...keys })
    expect(document.cookie).toContain('sidebar_state=true')
    expect(screen.getByText('Chai & Co')).toBeTruthy()
  },
)

test('the theme toggle is named after what it does and remembers the choice', async () => {
  await openDashboard()
  await userEvent.click(screen.getByRole('button', { name: 'Switch to light theme' }))
  expect(document.documentElement.dataset['theme']).toBe('light')
  expect(localStorage.getItem('theme')).toBe('light')
  await userEvent.click(screen.getByRole('button', { name: 'Switch to dark theme' }))
  expect(localStorage.getItem('theme')).toBe('dark')
})

test('Logout signs out at the server and goes to /login; the next sign-in is recorded anew', async () => {
  const server = await openDashboard()
  server.answer('POST /auth/sign-out', () => {
    server.answer('GET /auth/session', () => ({ json: { authenticated: false } }))
    return { status: 204 }
  })
  await userEvent.click(screen.getByRole('button', { name: 'Logout' }))
  await waitFor(() => expect(window.location.pathname).toBe('/login'))
  expect(server.calls.find(({ path }) => path === '/auth/sign-out')?.headers.get('x-csrf')).toBe('1')
  expect(server.count('POST /api/auth/sync')).toBe(1)

  server.answer('POST /auth/token', () => ({ json: tokensOf() }))
  await userEvent.type(await screen.findByLabelText('Email'), 'asha@example.com')
  await userEvent.type(screen.getByLabelText('Password', { selector: 'input' }), 'secret1{Enter}')
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' })
  expect(server.count('POST /api/auth/sync')).toBe(2)
  expect(server.count('GET /api/auth/user')).toBeGreaterThanOrEqual(2)
})

test('a sign-out that fails is said, and the person stays', async () => {
  const server = await openDashboard()
  server.answer('POST /auth/sign-out', () => ({ status: 503 }))
  await userEvent.click(screen.getByRole('button', { name: 'Logout' }))
  expect(await screen.findByText('Failed to sign out')).toBeTruthy()
  expect(window.location.pathname).toBe('/dashboard')
})
