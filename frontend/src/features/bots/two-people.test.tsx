import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { signedInServer, stubEvents, stubServer } from '../../testing/stub-server.ts'

/** Opens the first bot in the page of one person, while another has it open elsewhere. */
async function openBot(query = '') {
  const events = stubEvents()
  const server = stubServer({ ...signedInServer(), 'GET /api/events': () => events.response() })
  const { bots } = server.workspace
  const stored = () => {
    const bot = bots.get('bot-1')
    if (!bot) throw new Error('no such bot')
    return bot
  }
  const otherSaves = (change: Partial<ReturnType<typeof stored>>) =>
    void bots.set('bot-1', { ...stored(), ...change, version: stored().version + 1 })
  otherSaves({ unpublishedChanges: true })
  await openApp(`/bots?bot=bot-1${query}`)
  await screen.findByRole('region', { name: 'Bot Builder' })
  await waitFor(() => expect(events.readers()).toBe(1))
  return { server, events, stored, otherSaves }
}

test('settings that somebody else has saved meanwhile are shown, and the next press saves', async () => {
  const { stored, otherSaves } = await openBot('&panel=settings')
  const dialog = within(await screen.findByRole('dialog', { name: 'Settings of Order status' }))
  const idle = dialog.getByLabelText('Hours until an unanswered question ends the session')
  await waitFor(() => expect(idle).toHaveProperty('value', String(stored().settings.idleHours)))
  await userEvent.type(dialog.getByLabelText('Said when a person takes over'), '!')
  const mine = `${stored().settings.handOverText}!`
  otherSaves({ settings: { ...stored().settings, idleHours: 5 } })
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(/changed elsewhere meanwhile/)).toBeTruthy()
  await waitFor(() => expect(idle).toHaveProperty('value', '5'))
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(stored().settings).toMatchObject({ idleHours: 5, handOverText: mine }))
})

test('who publishes what somebody else has changed meanwhile is told, and publishes with the next press', async () => {
  const { stored, otherSaves } = await openBot()
  await userEvent.click(screen.getByRole('button', { name: 'Publish' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Publish Order status' }))
  await dialog.findByText('No problems. This flow can run.')
  otherSaves({ numberIds: ['number-1'] })
  await userEvent.click(dialog.getByRole('button', { name: 'Publish' }))
  expect(await screen.findByText(/changed elsewhere meanwhile/)).toBeTruthy()
  expect(stored().publishedVersion).toBe(7)
  await dialog.findByText('No problems. This flow can run.')
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Publish' })).toHaveProperty('disabled', false))
  await userEvent.click(dialog.getByRole('button', { name: 'Publish' }))
  await waitFor(() => expect(stored()).toMatchObject({ publishedVersion: 8, numberIds: ['number-1'] }))
})

test('a flow that somebody else has saved comes onto a canvas that nobody has changed, and no changes are lost', async () => {
  const { events, stored, otherSaves } = await openBot()
  const relabelled = (label: string) => ({
    ...stored().draft,
    nodes: stored().draft.nodes.map((node, index) => (index === 0 ? { ...node, label } : node)),
  })
  otherSaves({ draft: relabelled('Trigger of Ann'), status: 'paused' })
  events.send('automation', { kind: 'bot', id: 'bot-1' })
  expect((await screen.findAllByText('Trigger of Ann')).length).toBeGreaterThan(0)
  expect(await screen.findByText('Someone else has saved Order status. Undo brings back what was here.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(screen.queryByText('Trigger of Ann')).toBeNull())
  otherSaves({ draft: relabelled('Trigger of Ann, again'), name: 'Orders' })
  events.send('automation', { kind: 'bot', id: 'bot-1' })
  expect((await screen.findAllByText('Orders')).length).toBeGreaterThan(0)
  expect(screen.queryByText('Trigger of Ann, again')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }))
  expect(await screen.findByRole('dialog', { name: 'This bot was changed elsewhere' })).toBeTruthy()
})
