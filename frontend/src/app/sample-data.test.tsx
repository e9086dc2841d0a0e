import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { sampleDomains } from '../sample/registry.ts'
import { openApp } from '../testing/open-app.tsx'
import { signedInServer, stubServer } from '../testing/stub-server.ts'

/** What each screen shows once its reads are answered. */
const screens = [
  ['/dashboard', 'Recent Activity'],
  ['/broadcasts', 'Weekend offer'],
  ['/bots', 'Order status'],
  ['/workflows', 'Welcome new contacts'],
  ['/analytics', 'Messages This Week'],
  ['/webhooks', 'Order updates'],
  ['/settings', 'API Credentials'],
] as const

test.each(screens)('%s on sample data asks the server for nothing of its domain', async (path, shown) => {
  const server = stubServer(signedInServer())
  await openApp(path, { allLive: false })
  await screen.findAllByText(shown, { exact: false })
  const ofSample = Object.keys(sampleDomains).map((domain) => `/api/${domain}`)
  const asked = server.calls.filter((call) => ofSample.some((start) => call.path.startsWith(start)))
  expect(asked.map((call) => call.path)).toEqual([])
  expect(server.count('GET /api/auth/user')).toBe(1)
})

test('the same screens ask the server once their domains are live', async () => {
  expect(Object.keys(sampleDomains)).toContain('webhooks')
  const server = stubServer(signedInServer())
  await openApp('/webhooks')
  await waitFor(() => expect(server.count('GET /api/webhooks')).toBe(1))
})
