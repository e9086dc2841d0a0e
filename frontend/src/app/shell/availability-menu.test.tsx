import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { claimsOf, errorOf, signedInServer, stubServer, userOf } from '../../testing/stub-server.ts'

const path = '/api/availability'

async function open(handlers: Parameters<typeof stubServer>[0] = {}, role = 'agent') {
  const server = stubServer({ ...signedInServer(claimsOf(), userOf({ role })), ...handlers })
  await openApp('/dashboard')
  return server
}
async function choose(label: string) {
  await userEvent.click(await screen.findByRole('button', { name: /: change availability$/ }))
  const menu = within(await screen.findByRole('dialog', { name: 'Availability' }))
  await userEvent.click(menu.getByRole('button', { name: label }))
}

test('a person says that they are away for an hour, and that they are back', async () => {
  const server = await open()
  const before = Date.now()
  await choose('Away for an hour')
  expect(await screen.findByRole('button', { name: /^Away until .+: change availability$/ })).toBeTruthy()
  const { state, until } = JSON.parse(server.calls.find(({ method }) => method === 'PUT')?.body ?? '{}')
  expect(state).toBe('away')
  expect(Date.parse(until)).toBeGreaterThanOrEqual(before + 3_600_000)
  await choose('Available')
  expect(await screen.findByRole('button', { name: 'Available: change availability' })).toBeTruthy()
  await choose('Away until I am back')
  expect(await screen.findByRole('button', { name: 'Away: change availability' })).toBeTruthy()
})

test('a change that fails is told, and what holds is shown', async () => {
  await open({ [`PUT ${path}`]: () => ({ status: 503, json: errorOf('service_unavailable', 'Away.') }) })
  await choose('Away until I am back')
  expect(await screen.findByText(/Your availability could not be changed|Away\./)).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Available: change availability' })).toBeTruthy()
})

test('an absence that is over is none, and who may answer nobody is asked nothing', async () => {
  const over = { userId: 'user-1', since: '2026-01-01T00:00:00.000Z', until: '2026-01-01T01:00:00.000Z' }
  await open({ [`GET ${path}`]: () => ({ json: { away: [over] } }) })
  expect(await screen.findByRole('button', { name: 'Available: change availability' })).toBeTruthy()
})

test('a viewer has no availability', async () => {
  await open({}, 'viewer')
  expect(await screen.findByRole('button', { name: 'Notifications' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /change availability$/ })).toBeNull()
})
