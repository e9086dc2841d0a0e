import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer } from '../../testing/stub-server.ts'

const path = '/api/workspace/read-receipts'

async function openAccount(handlers: Parameters<typeof stubServer>[0] = {}) {
  const server = stubServer({ ...signedInServer(), ...handlers })
  await openApp('/settings?tab=account')
  return { server, card: within(await screen.findByRole('region', { name: 'Read Receipts and Typing' })) }
}
const bodyOf = (server: Awaited<ReturnType<typeof openAccount>>['server']) =>
  JSON.parse(server.calls.findLast(({ method }) => method === 'PUT')?.body ?? '')

test('both are on at first; without read receipts typing is not offered, and saved as off', async () => {
  const { server, card } = await openAccount()
  const read = await card.findByRole('switch', { name: 'Read receipts', checked: true })
  expect(card.getByRole('switch', { name: 'Typing indicator', checked: true })).toBeTruthy()
  await userEvent.click(read)
  expect(card.queryByRole('switch', { name: 'Typing indicator' })).toBeNull()
  await userEvent.click(card.getByRole('button', { name: 'Save Read Receipts' }))
  expect(await screen.findByText('The setting is saved.')).toBeTruthy()
  expect(bodyOf(server)).toEqual({ read: false, typing: false, version: 0 })
})

test('what a colleague saved meanwhile is not overwritten unseen, and what was changed here stays', async () => {
  const { server, card } = await openAccount({
    [`PUT ${path}`]: () => ({
      status: 409,
      json: {
        ...errorOf('stale_version', 'This setting was changed elsewhere meanwhile.'),
        current: { read: true, typing: true, version: 3 },
      },
    }),
  })
  await userEvent.click(await card.findByRole('switch', { name: 'Typing indicator' }))
  await userEvent.click(card.getByRole('button', { name: 'Save Read Receipts' }))
  expect(await screen.findByText('This setting was changed elsewhere meanwhile.')).toBeTruthy()
  expect(card.getByRole('switch', { name: 'Typing indicator', checked: false })).toBeTruthy()
  await userEvent.click(card.getByRole('button', { name: 'Save Read Receipts' }))
  await waitFor(() => expect(server.count(`PUT ${path}`)).toBe(2))
  expect(bodyOf(server)).toEqual({ read: true, typing: false, version: 3 })
})
