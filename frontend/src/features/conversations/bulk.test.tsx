import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { pressUndo } from '../../testing/press-undo.ts'
import { errorOf, signedInServer, stubServer } from '../../testing/stub-server.ts'
import { withWindowSize } from '../../testing/window-size.ts'

withWindowSize()

const list = async () => within(await screen.findByRole('list', { name: 'Conversations' }))
const boxes = async () => (await list()).findAllByRole<HTMLInputElement>('checkbox')
const names = async () => (await boxes()).map((box) => box.getAttribute('aria-label')?.replace('Select ', ''))
const bar = async () => within(await screen.findByRole('region', { name: 'Selection' }))

async function pick(index: number, options: { shiftKey?: boolean } = {}) {
  const box = (await boxes())[index]
  if (box) fireEvent.click(box, options)
}

test('a range of rows is selected and closed; Undo brings all of them back', async () => {
  const server = stubServer(signedInServer())
  await openApp('/conversations')
  const [first, second, third, fourth] = await names()
  await pick(0)
  await pick(2, { shiftKey: true })
  expect(await (await bar()).findByText('3 selected')).toBeTruthy()
  await userEvent.click((await bar()).getByRole('button', { name: 'Close' }))
  await waitFor(async () => expect((await names())[0]).toBe(fourth))
  const bodies = server.calls.filter(({ method }) => method === 'PATCH').map(({ body }) => JSON.parse(body ?? ''))
  expect(bodies).toEqual([{ status: 'closed' }, { status: 'closed' }, { status: 'closed' }])
  expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
  await pressUndo()
  await waitFor(async () => expect((await names()).slice(0, 4)).toEqual([first, second, third, fourth]))
})

test('what the server refuses is told, and the others are changed all the same', async () => {
  const server = stubServer(signedInServer())
  server.answer('PATCH /api/conversations/conversation-2', () => ({
    status: 409,
    json: errorOf('stale_version', 'A colleague has changed it.'),
  }))
  await openApp('/conversations')
  await pick(0)
  await pick(1)
  await userEvent.click((await bar()).getByRole('button', { name: 'Mark as read' }))
  const told = /^1 conversation marked as read\. 1 of 2 could not be changed\. A colleague has changed it\.$/
  expect(await screen.findByText(told)).toBeTruthy()
  const read = server.calls.filter(
    ({ method, path }) => method === 'PATCH' && path === '/api/conversations/conversation-1',
  )
  expect(JSON.parse(read[0]?.body ?? '')).toEqual({ read: true })
})

test('Space selects a row, Escape none, and another view begins without a selection', async () => {
  stubServer(signedInServer())
  await openApp('/conversations')
  const [first] = await (await list()).findAllByRole('link')
  first?.focus()
  fireEvent.keyDown(first ?? document.body, { key: ' ' })
  expect(await (await bar()).findByText('1 selected')).toBeTruthy()
  fireEvent.keyDown(first ?? document.body, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull())
  await userEvent.click(await screen.findByRole('button', { name: 'Select conversations' }))
  expect(await (await bar()).findByText('0 selected')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: /^All/ }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull())
})
