import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer } from '../../testing/stub-server.ts'

const path = '/api/consent/settings'

async function openAccount(handlers: Parameters<typeof stubServer>[0] = {}) {
  const server = stubServer({ ...signedInServer(), ...handlers })
  await openApp('/settings?tab=account')
  return { server, card: within(await screen.findByRole('region', { name: 'Marketing Consent' })) }
}
const sent = ({ calls }: ReturnType<typeof stubServer>) =>
  JSON.parse(calls.findLast(({ method, path: to }) => method === 'PUT' && to === path)?.body ?? '')

test('words are added, the rule is switched and both are saved', async () => {
  const { server, card } = await openAccount()
  await userEvent.type(await card.findByRole('combobox', { name: 'Words that end marketing' }), 'ENOUGH{Enter}')
  await userEvent.type(await card.findByRole('combobox', { name: 'Words that do not count' }), 'cancel{Enter}')
  await userEvent.click(card.getByRole('switch', { name: 'Marketing needs an opt-in' }))
  const days = card.getByLabelText('Leave out contacts who got marketing in recent days (optional)')
  expect(days).toHaveProperty('value', '')
  await userEvent.type(days, '91')
  await userEvent.click(await card.findByRole('button', { name: 'Save Consent' }))
  expect(await card.findByText('Enter a whole number from 1 to 90')).toBeTruthy()
  await userEvent.clear(days)
  await userEvent.type(days, '7')
  await userEvent.click(await card.findByRole('button', { name: 'Save Consent' }))
  expect(await screen.findByText('The consent settings are saved.')).toBeTruthy()
  expect(sent(server)).toMatchObject({
    stop: expect.arrayContaining(['STOP', 'ENOUGH']),
    ignored: ['cancel'],
    needsOptIn: false,
    recentDays: 7,
    version: 1,
  })
  expect(card.getByRole('link', { name: 'Download proof (CSV)' }).getAttribute('href')).toBe('/api/consent/entries.csv')
})

test('what a colleague saved meanwhile is not overwritten unseen', async () => {
  const current = {
    stop: ['HALT'],
    stopAll: [],
    start: ['GO'],
    stopAnswer: 'Done.',
    startAnswer: '',
    needsOptIn: true,
    recentDays: null,
    version: 7,
  }
  const { server, card } = await openAccount({
    [`PUT ${path}`]: () => ({ status: 409, json: { ...errorOf('stale_version', 'Changed meanwhile.'), current } }),
  })
  await userEvent.click(await card.findByRole('switch', { name: 'Marketing needs an opt-in' }))
  await userEvent.click(await card.findByRole('button', { name: 'Save Consent' }))
  expect(await screen.findByText('Changed meanwhile.')).toBeTruthy()
  expect(await card.findByText('HALT')).toBeTruthy()
  await userEvent.click(await card.findByRole('button', { name: 'Save Consent' }))
  await waitFor(() => expect(server.count(`PUT ${path}`)).toBe(2))
  // The own change stays, on top of what is stored now.
  expect(sent(server)).toMatchObject({ stop: ['HALT'], needsOptIn: false, version: 7 })
})

test('settings that could not be read say so, and are read again', async () => {
  const { card } = await openAccount({
    [`GET ${path}`]: () => ({ status: 503, json: errorOf('service_unavailable', 'Away.') }),
  })
  expect(await card.findByText('The consent settings could not be loaded.')).toBeTruthy()
})
