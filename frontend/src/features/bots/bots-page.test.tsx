import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { signedInServer, stubServer, unavailable } from '../../testing/stub-server.ts'

async function openBots(query = '', handlers: Parameters<typeof stubServer>[0] = {}, records?: number) {
  const server = stubServer({ ...signedInServer(), ...handlers }, { records })
  await openApp(`/bots${query}`)
  await screen.findByRole('heading', { level: 1, name: /Bot Flows/ })
  return server
}
const cardOf = async (name: string) => {
  const card = (await screen.findByRole('heading', { level: 2, name })).closest('li')
  if (!card) throw new Error('The name stands in no card.')
  return within(card)
}

test('a card shows status, conversations and automation rate; Pause turns into Start and the filter knows it', async () => {
  await openBots()
  const card = await cardOf('Order status')
  for (const text of ['Active', 'Conversations', '1,284', 'Automation rate', '87%'])
    expect(card.getByText(text)).toBeTruthy()
  expect(card.getByRole('button', { name: 'Settings of Order status' })).toBeTruthy()
  await userEvent.click(card.getByRole('button', { name: 'Pause Order status' }))
  expect(await card.findByText('Paused')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }))
  await userEvent.click(await screen.findByRole('radio', { name: 'Paused' }))
  await waitFor(() => expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(2))
  expect(window.location.search).toBe('?status=paused')
})

test('a bot whose flow has a problem does not start, and says why', async () => {
  await openBots('?new=1')
  await userEvent.type(await screen.findByLabelText('Name'), 'Empty one')
  await userEvent.click(screen.getByRole('radio', { name: 'Blank canvas' }))
  await userEvent.click(screen.getAllByRole('button', { name: 'Create Bot' }).at(-1) ?? document.body)
  await screen.findByRole('region', { name: 'Bot Builder' })
  await userEvent.click(screen.getByRole('button', { name: 'Bot Flows' }))
  const card = await cardOf('Empty one')
  await userEvent.click(card.getByRole('button', { name: 'Start Empty one' }))
  expect(await screen.findByText('Empty one cannot start yet. Add a trigger: nothing starts this flow.')).toBeTruthy()
  expect(await card.findByText('Paused')).toBeTruthy()
})

test('the name of a new bot is asked for', async () => {
  await openBots('?new=1')
  await screen.findByLabelText('Name')
  await userEvent.click(screen.getAllByRole('button', { name: 'Create Bot' }).at(-1) ?? document.body)
  expect(await screen.findByText('Enter a name')).toBeTruthy()
})

test('an empty workspace offers the first step; a failed read another try', async () => {
  await openBots('', {}, 0)
  expect(await screen.findByRole('button', { name: 'Create your first bot' })).toBeTruthy()
  await openBots('', { 'GET /api/bots': unavailable })
  expect(await screen.findByRole('button', { name: 'Retry' })).toBeTruthy()
})

test('beyond a page there are Next and Previous, kept in the address; a search begins on the first', async () => {
  await openBots('', {}, 130)
  expect(await screen.findByText('1–24 of 130 bots')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Next' }))
  expect(await screen.findByText('25–48 of 130 bots')).toBeTruthy()
  expect(window.location.search).toContain('page=2')
  await userEvent.type(screen.getByRole('searchbox'), 'feedback')
  expect(await screen.findByText('1–24 of 26 bots')).toBeTruthy()
  expect(window.location.search).not.toContain('page=')
})

test('the focus goes into the filter, and back to its button when it closes', async () => {
  await openBots()
  const button = await screen.findByRole('button', { name: 'Filter' })
  button.focus()
  await userEvent.keyboard('{Enter}')
  const filter = await screen.findByRole('dialog', { name: 'Filter' })
  await waitFor(() => expect(filter.contains(document.activeElement)).toBe(true))
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(button))
})

test('the small map of a flow is beside the canvas, where it covers no node', async () => {
  await openBots('?bot=bot-2')
  const map = await screen.findByRole('img', { name: 'Minimap of the flow' })
  expect(map.closest('.react-flow')).toBeNull()
  expect(screen.getByRole('complementary', { name: 'Inspector' }).contains(map)).toBe(true)
})
