import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { draftId, draftServer } from '../../../testing/draft-server.ts'
import { openApp } from '../../../testing/open-app.tsx'
import { pressUndo } from '../../../testing/press-undo.ts'
import { claimsOf, signedInServer, stubServer } from '../../../testing/stub-server.ts'

const nameField = () => screen.findByLabelText('Campaign name', { selector: 'input[type=text]' })
const nameIs = (value: string) => waitFor(async () => expect(await nameField()).toHaveProperty('value', value))
const opened = `/broadcasts?draft=${draftId}&step=audience`

test('the first change creates a draft, which is saved as it goes on; reload and another device open the same one', async () => {
  const server = stubServer(signedInServer())
  const draft = draftServer(server)
  await openApp('/broadcasts?new=1&template=template-2')
  const name = await nameField()
  // Fields filled in automatically, the number and the variables, do not count as changes.
  expect(await screen.findByText('Choose who gets the message to see how many it reaches.')).toBeTruthy()
  expect(server.count('POST /api/campaigns')).toBe(0)
  await userEvent.type(name, 'Spring')
  expect(await screen.findByText('Saved')).toBeTruthy()
  await waitFor(() => expect(window.location.search).toBe(`?draft=${draftId}`))
  expect(draft.saved('POST')).toEqual([expect.objectContaining({ name: 'Spring', templateId: 'template-2' })])
  // The field being typed in stays the same element.
  expect(name.isConnected).toBe(true)
  await userEvent.type(name, ' tea')
  await waitFor(() => expect(draft.saved().at(-1)).toMatchObject({ name: 'Spring tea', version: 1 }))
  expect(await screen.findByText('Saved')).toBeTruthy()
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('Spring')
  await openApp(`/broadcasts${window.location.search}`)
  await nameIs('Spring tea')
  await userEvent.click(await screen.findByRole('radio', { name: /VIP/ }))
  await waitFor(() => expect(draft.stored()).toMatchObject({ audience: { kind: 'segment', segmentId: 'vip' } }))
  // Leaving asks nothing: it is saved.
  await userEvent.type(await nameField(), '!')
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(await screen.findByRole('button', { name: 'New Broadcast' })).toBeTruthy()
  expect(screen.queryByText('Leave without saving?')).toBeNull()
  await waitFor(() => expect(draft.stored()).toMatchObject({ name: 'Spring tea!' }))
  expect(server.count('POST /api/campaigns')).toBe(1)
})

test('without network typing goes on, and everything is saved once it is back; a reload meanwhile loses nothing', async () => {
  const server = stubServer(signedInServer())
  const draft = draftServer(server, { name: 'Spring', variables: {} })
  await openApp(opened)
  await nameIs('Spring')
  let isOffline = true
  server.answer(`PATCH ${draft.path}`, ({ body }) => {
    if (isOffline) throw new Error('no network')
    const { version: _, ...fields } = JSON.parse(body ?? '')
    draft.change(fields)
    return { json: draft.stored() }
  })
  await userEvent.type(await nameField(), ' tea')
  expect(await screen.findByText('Not saved')).toBeTruthy()
  await userEvent.type(await nameField(), ' for all')
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  expect(draft.stored()).toMatchObject({ name: 'Spring' })
  await openApp(opened, { keepStorage: true })
  await nameIs('Spring tea for all')
  expect(await screen.findByText('Not saved')).toBeTruthy()
  isOffline = false
  act(() => void window.dispatchEvent(new Event('online')))
  expect(await screen.findByText('Saved')).toBeTruthy()
  expect(draft.stored()).toMatchObject({ name: 'Spring tea for all' })
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('Spring')
})

test('a draft whose creation was not answered is created once, whatever was typed meanwhile and over a reload', async () => {
  const server = stubServer(signedInServer())
  const draft = draftServer(server)
  const keys: (string | null)[] = []
  server.answer('POST /api/campaigns', ({ headers, body }, nth) => {
    keys.push(headers.get('idempotency-key'))
    if (nth < 3) throw new Error('no answer')
    const { name } = JSON.parse(body ?? '')
    return { status: 201, json: { ...draft.stored(), name } }
  })
  await openApp('/broadcasts?new=1')
  await userEvent.type(await nameField(), 'A')
  expect(await screen.findByText('Not saved')).toBeTruthy()
  await userEvent.type(await nameField(), 'B')
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(keys.length).toBeGreaterThan(1))
  await openApp('/broadcasts?new=1', { keepStorage: true })
  await nameIs('AB')
  await waitFor(() => expect(keys.length).toBeGreaterThan(2))
  expect(new Set(keys).size).toBe(1)
  const bodies = draft.saved('POST')
  expect(bodies.map(({ name }) => name)).toEqual(bodies.map(() => 'A'))
})

test('what was not saved before a reload belongs to one person, and is lost only when they say so', async () => {
  const server = stubServer(signedInServer())
  server.answer('POST /api/campaigns', () => {
    throw new Error('no network')
  })
  await openApp('/broadcasts?new=1')
  await userEvent.type(await nameField(), 'Spring tea')
  await screen.findByText('Not saved')
  await openApp('/broadcasts?new=1', { keepStorage: true })
  await nameIs('Spring tea')
  stubServer(signedInServer(claimsOf({ sub: 'ravi' })))
  await openApp('/broadcasts?new=1', { keepStorage: true })
  await nameIs('')
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('Spring')

  const again = stubServer(signedInServer())
  again.answer('POST /api/campaigns', () => {
    throw new Error('no network')
  })
  await openApp('/broadcasts?new=1')
  await userEvent.type(await nameField(), 'Autumn tea')
  await screen.findByText('Not saved')
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  await userEvent.click(await screen.findByText('Leave'))
  await screen.findByRole('button', { name: 'New Broadcast' })
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('Autumn')
})

test('drafts stand in the list, open where they are not finished, and are deleted with a way back', async () => {
  const server = stubServer(signedInServer())
  await openApp('/broadcasts?new=1')
  await userEvent.type(await nameField(), 'Spring tea')
  await userEvent.click(await screen.findByRole('radio', { name: /VIP/ }))
  expect(await screen.findByText('Saved')).toBeTruthy()
  await waitFor(() => expect(window.location.search).toMatch(/draft=/))
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  const find = async () => {
    const card = (await screen.findByRole('heading', { level: 2, name: 'Spring tea' })).closest('li')
    if (!card) throw new Error('It stands in no card.')
    return within(card)
  }
  expect((await find()).getByText('Draft')).toBeTruthy()
  expect((await find()).getByText('Segment VIP')).toBeTruthy()
  expect((await find()).getByText('Just now')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }))
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Draft (1)' }))
  await waitFor(() => expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(1))
  await userEvent.click(screen.getByRole('button', { name: 'Done' }))
  await userEvent.click((await find()).getByRole('button', { name: 'Continue Spring tea' }))
  expect(await screen.findByRole('combobox', { name: 'Template' })).toBeTruthy()
  await waitFor(() => expect(window.location.search).toMatch(/step=template/))
  await userEvent.click(screen.getByRole('button', { name: 'Back' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Close' }))
  await userEvent.click((await find()).getByRole('button', { name: 'Delete Spring tea' }))
  await waitFor(() => expect(screen.queryByRole('heading', { level: 2, name: 'Spring tea' })).toBeNull())
  await pressUndo()
  expect((await find()).getByText('Segment VIP')).toBeTruthy()
  expect(server.calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
})
