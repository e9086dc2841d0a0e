import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { pressUndo } from '../../testing/press-undo.ts'
import { signedInServer, stubServer } from '../../testing/stub-server.ts'

async function openWorkflows(query = '', records?: number) {
  const server = stubServer(signedInServer(), { records })
  await openApp(`/workflows${query}`)
  await screen.findByRole('heading', { level: 1, name: /Workflows/ })
  return server
}
const counter = (label: string) =>
  screen.getAllByText(label).find(({ tagName }) => tagName === 'DT')?.nextSibling?.textContent

test('the counters add up and follow what is paused; a card counts triggers, actions and executions', async () => {
  await openWorkflows()
  const card = within((await screen.findByRole('heading', { name: 'Ask for feedback' })).closest('li') ?? document.body)
  await waitFor(() => expect(counter('Total Workflows')).toBe('5'))
  expect([counter('Active'), counter('Total Executions'), counter('Success Rate')]).toEqual(['4', '3,753', '96.9%'])
  const facts = card.getAllByRole('definition').map(({ textContent }) => textContent)
  expect(facts).toEqual(['1', '3', '1,846'])
  await userEvent.click(card.getByRole('button', { name: 'Pause Ask for feedback' }))
  await waitFor(() => expect(counter('Active')).toBe('3'))
})

test('a deleted workflow comes back by Undo, paused', async () => {
  await openWorkflows()
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Ask for feedback' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: /Delete/ }))
  await waitFor(() => expect(counter('Total Workflows')).toBe('4'))
  await pressUndo()
  expect(await screen.findByRole('button', { name: 'Start Ask for feedback' })).toBeTruthy()
  await waitFor(() => expect(counter('Total Workflows')).toBe('5'))
})

test('a new workflow starts on an event', async () => {
  await openWorkflows('?new=1')
  await userEvent.type(await screen.findByLabelText('Name'), 'Hello')
  await userEvent.click(screen.getAllByRole('button', { name: 'Create Workflow' }).at(-1) ?? document.body)
  await screen.findByRole('region', { name: 'Workflow Builder' })
  expect(screen.getByRole('button', { name: 'Add node: Event' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Add node: Keyword match' })).toBeNull()
})

test('beyond a page there are Next and Previous, kept in the address; a search begins on the first', async () => {
  await openWorkflows('', 130)
  expect(await screen.findByText('1–24 of 130 workflows')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Next' }))
  expect(await screen.findByText('25–48 of 130 workflows')).toBeTruthy()
  expect(window.location.search).toContain('page=2')
  await userEvent.type(screen.getByRole('searchbox'), 'feedback')
  expect(await screen.findByText('1–24 of 26 workflows')).toBeTruthy()
  expect(window.location.search).not.toContain('page=')
})
