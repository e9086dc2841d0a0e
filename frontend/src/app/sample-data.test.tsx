import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { sampleDomains } from '../sample/registry.ts'
import { openApp } from '../testing/open-app.tsx'
import { signedInServer, stubServer } from '../testing/stub-server.ts'

/** What each screen shows once its reads are answered. */
const screens = [
  ['/dashboard', 'Recent Activity'],
  ['/conversations?id=conversation-1', 'left to reply'],
  ['/contacts?records=30', '1–25 of 30 contacts'],
  ['/broadcasts', 'Weekend offer'],
  ['/templates', 'eid_collection'],
  ['/bots', 'Order status'],
  ['/workflows', 'Welcome new contacts'],
  ['/analytics', 'Messages This Week'],
  ['/webhooks', 'Order updates'],
  ['/settings', 'API Credentials'],
] as const

test.each(screens)('%s on sample data asks the server for nothing but the sign-in calls', async (path, shown) => {
  const server = stubServer(signedInServer())
  await openApp(path, { allLive: false })
  await screen.findAllByText(shown, { exact: false })
  const asked = new Set(server.calls.map((call) => call.path).filter((asked) => asked.startsWith('/api')))
  expect(asked).toEqual(new Set(['/api/auth/sync', '/api/auth/user']))
})

test('the same screens ask the server once their domains are live', async () => {
  expect(Object.keys(sampleDomains)).toHaveLength(12)
  const server = stubServer(signedInServer())
  await openApp('/webhooks')
  await waitFor(() => expect(server.count('GET /api/webhooks')).toBe(1))
})
