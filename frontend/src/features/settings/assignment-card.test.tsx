import { noAssignment } from '@parley/contracts/inbox/assignment'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer } from '../../testing/stub-server.ts'

const path = '/api/workspace/assignment'

async function openAccount(handlers: Parameters<typeof stubServer>[0] = {}) {
  const server = stubServer({ ...signedInServer(), ...handlers })
  await openApp('/settings?tab=account')
  return { server, card: within(await screen.findByRole('region', { name: 'Automatic Assignment' })) }
}

async function choose(card: ReturnType<typeof within>, field: string, option: string) {
  await userEvent.click(await card.findByRole('combobox', { name: field }))
  await userEvent.click(await screen.findByTitle(option))
}

test('members are chosen and saved; one that takes part in nothing is asked for', async () => {
  const { server, card } = await openAccount()
  expect(await card.findByText('They stay under Unassigned until someone takes them.')).toBeTruthy()
  expect(card.queryByRole('combobox', { name: 'Members who take part' })).toBeNull()
  await choose(card, 'New conversations go to', 'Each member in turn')
  await userEvent.click(await card.findByRole('button', { name: 'Save Assignment' }))
  expect(await card.findByText('Choose at least one member.')).toBeTruthy()
  await choose(card, 'Members who take part', 'Arjun Rao')
  await userEvent.click(await card.findByRole('button', { name: 'Save Assignment' }))
  expect(await screen.findByText('The assignment is saved.')).toBeTruthy()
  const { body } = server.calls.findLast(({ method }) => method === 'PUT') ?? {}
  expect(JSON.parse(body ?? '')).toMatchObject({ mode: 'round_robin', members: [expect.any(String)], version: 0 })
})

test('a limit for all and one of their own are saved, and an empty one is none', async () => {
  const { server, card } = await openAccount()
  await choose(card, 'New conversations go to', 'Each member in turn')
  await choose(card, 'Members who take part', 'Arjun Rao')
  await userEvent.type(await card.findByLabelText(/^Open conversations of each at most/), '5')
  const own = await card.findByRole('spinbutton', { name: 'Limit of Arjun Rao' })
  await waitFor(() => expect(own.getAttribute('placeholder')).toBe('5'))
  await userEvent.type(own, '2')
  await userEvent.click(card.getByRole('button', { name: 'Save Assignment' }))
  const saved = () => JSON.parse(server.calls.findLast(({ method }) => method === 'PUT')?.body ?? '{}')
  await waitFor(() => expect(saved()).toMatchObject({ limit: 5, limits: [{ userId: expect.any(String), limit: 2 }] }))
  await userEvent.clear(own)
  await userEvent.click(card.getByRole('button', { name: 'Save Assignment' }))
  await waitFor(() => expect(saved()).toMatchObject({ limit: 5, limits: [], version: 1 }))
})

test('what a colleague saved meanwhile is not overwritten unseen', async () => {
  const current = { ...noAssignment, version: 3 }
  const { server, card } = await openAccount({
    [`PUT ${path}`]: () => ({
      status: 409,
      json: { ...errorOf('stale_version', 'This setting was changed elsewhere meanwhile.'), current },
    }),
  })
  await choose(card, 'New conversations go to', 'The least busy member')
  await choose(card, 'Members who take part', 'Arjun Rao')
  await userEvent.click(await card.findByRole('button', { name: 'Save Assignment' }))
  expect(await screen.findByText('This setting was changed elsewhere meanwhile.')).toBeTruthy()
  // The choice made here stays, on top of the stored values.
  expect(card.getByText('The member with the fewest open conversations.')).toBeTruthy()
  await userEvent.click(await card.findByRole('button', { name: 'Save Assignment' }))
  await waitFor(() => expect(server.count(`PUT ${path}`)).toBe(2))
  expect(JSON.parse(server.calls.findLast(({ method }) => method === 'PUT')?.body ?? '')).toMatchObject({ version: 3 })
})

test('a setting that could not be read says so, and is read again', async () => {
  const { server, card } = await openAccount({
    [`GET ${path}`]: () => ({ status: 503, json: errorOf('service_unavailable', 'Away.') }),
  })
  expect(await card.findByText('The assignment could not be loaded.')).toBeTruthy()
  server.answer(`GET ${path}`, () => ({ json: noAssignment }))
  await userEvent.click(card.getByRole('button', { name: 'Retry' }))
  expect(await card.findByRole('combobox', { name: 'New conversations go to' })).toBeTruthy()
})
