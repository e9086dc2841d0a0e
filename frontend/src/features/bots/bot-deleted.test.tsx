import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { cardOf } from '../../testing/card-of.ts'
import { openApp } from '../../testing/open-app.tsx'
import { pressUndo } from '../../testing/press-undo.ts'
import { signedInServer, stubServer } from '../../testing/stub-server.ts'

test('a bot that is talking is deleted only after it is said what becomes of its sessions; an undo tells how it is back', async () => {
  const server = stubServer(signedInServer())
  await openApp('/bots')
  server.workspace.bots.forEach((bot, id, all) => void all.set(id, { ...bot, running: 2 }))
  await userEvent.type(await screen.findByRole('searchbox'), 'order status')
  const card = await cardOf('Order status')
  expect(await card.findByText(/2 sessions now/)).toBeTruthy()
  await userEvent.click(card.getByRole('button', { name: 'Actions for Order status' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: /Delete/ }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Order status?' }))
  expect(dialog.getByText(/^2 sessions under way will end, and the conversations go to people/)).toBeTruthy()
  expect(server.count('DELETE /api/bots/bot-1')).toBe(0)
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(server.count('DELETE /api/bots/bot-1')).toBe(1))
  await pressUndo()
  expect(await screen.findByText('Order status restored. It is paused.')).toBeTruthy()
})
