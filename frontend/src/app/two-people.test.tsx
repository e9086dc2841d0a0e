import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../testing/open-app.tsx'
import { signedInServer, stubServer } from '../testing/stub-server.ts'
import { withWindowSize } from '../testing/window-size.ts'

withWindowSize()

interface Stored {
  readonly version: number
  readonly name: string
  readonly tags: string[]
  readonly attributes: Record<string, string>
  readonly displayName: string
  readonly status: string
}

/** Makes a call as another member, or from another tab. */
async function other(method: 'GET' | 'PATCH' | 'POST', path: string, body?: object): Promise<Stored> {
  const response = await fetch(path, { method, ...(body && { body: JSON.stringify(body) }) })
  expect(response.ok).toBe(true)
  return response.json()
}

/** Changes the record's current version as another member. */
async function otherChanges(path: string, change: object): Promise<void> {
  const { version } = await other('GET', path)
  await other('PATCH', path, { ...change, version })
}

async function type(field: HTMLElement, text: string) {
  await userEvent.clear(field)
  await userEvent.type(field, text)
}

/** A button that was busy keeps the name of its spinner, whose motion never ends without a layout. */
const press = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name: (shown) => shown.endsWith(name) }))

const contact = '/api/contacts/contact-1'

async function editContact() {
  const server = stubServer(signedInServer(), { records: 30 })
  await openApp('/contacts?edit=contact-1')
  const name = await screen.findByLabelText('Name')
  const save = () => press('Save')
  return { server, name, save }
}
const notice = async () => within(await screen.findByRole('alert'))

test('what somebody else changed of a contact while its form was open is shown and kept', async () => {
  const { name, save } = await editContact()
  const { attributes } = await other('GET', contact)
  await otherChanges(contact, { attributes: { ...attributes, city: 'Nagpur', language: 'Marathi' } })
  await type(name, 'Priya S')
  await save()
  expect((await notice()).getByText('This contact was changed elsewhere while you were editing')).toBeTruthy()
  expect((await notice()).getByText('Nagpur')).toBeTruthy()
  expect(screen.getByLabelText(/^City/)).toHaveProperty('value', 'Nagpur')
  expect(name).toHaveProperty('value', 'Priya S')
  expect((await other('GET', contact)).name).toBe('Priya Sharma')
  await save()
  await screen.findByText('Priya S saved.')
  expect(await other('GET', contact)).toMatchObject({
    name: 'Priya S',
    attributes: { city: 'Nagpur', language: 'Marathi' },
  })
})

test.each([
  [/Theirs/, 'Priya of Ann'],
  [/Yours/, 'Priya of mine'],
])('where both changed a field the person chooses: %s', async (choice, kept) => {
  const { name, save } = await editContact()
  await otherChanges(contact, { name: 'Priya of Ann' })
  await type(name, 'Priya of mine')
  await save()
  await userEvent.click((await notice()).getByRole('radio', { name: /Theirs/ }))
  expect(name).toHaveProperty('value', 'Priya of Ann')
  await userEvent.click((await notice()).getByRole('radio', { name: choice }))
  await save()
  await screen.findByText(`${kept} saved.`)
  expect((await other('GET', contact)).name).toBe(kept)
})

test('a read of the contact while its form is open neither wipes what is typed nor hides what it changes', async () => {
  const { name, save } = await editContact()
  await type(name, 'Priya of mine')
  await otherChanges(contact, { name: 'Priya of Ann' })
  const { queryClient } = await import('../lib/query-client.ts')
  await queryClient.invalidateQueries()
  expect(name).toHaveProperty('value', 'Priya of mine')
  await save()
  expect((await notice()).getByText('Priya of Ann')).toBeTruthy()
})

test('two people tag a contact at the same time: both tags stay', async () => {
  stubServer(signedInServer())
  await openApp('/conversations?id=conversation-1&panel=details&dialog=tag')
  const field = await screen.findByLabelText(/^Tag/)
  await other('POST', `${contact}/tags`, { tag: 'of-ann' })
  await userEvent.type(field, 'of-mine')
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Add Tag' }))
  await waitFor(async () =>
    expect((await other('GET', contact)).tags).toEqual(expect.arrayContaining(['of-ann', 'of-mine'])),
  )
})

test('a contact that was renamed elsewhere is not renamed over it', async () => {
  stubServer(signedInServer())
  await openApp('/conversations?id=conversation-2&dialog=rename')
  const name = await screen.findByLabelText('Contact Name')
  await otherChanges('/api/contacts/contact-2', { name: 'Rahul of Ann' })
  await type(name, 'Rahul of mine')
  await press('Save')
  await userEvent.click((await notice()).getByRole('radio', { name: /Theirs: Rahul of Ann/ }))
  expect((await other('GET', '/api/contacts/contact-2')).name).toBe('Rahul of Ann')
})

test('marking as read is tried once, not again and again', async () => {
  const server = stubServer({
    ...signedInServer(),
    'PATCH /api/conversations/conversation-2': () => ({
      status: 503,
      json: { code: 'service_unavailable', message: 'Later.' },
    }),
  })
  await openApp('/conversations?id=conversation-2')
  expect(await screen.findByText('Later.')).toBeTruthy()
  await waitFor(() => expect(screen.getAllByRole('link', { name: /1 unread/ }).length).toBeGreaterThan(0))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Message' }), 'Hello')
  expect(server.count('PATCH /api/conversations/conversation-2')).toBe(1)
})

test('a bot that was renamed elsewhere is paused all the same, and keeps its new name', async () => {
  stubServer(signedInServer())
  await openApp('/bots')
  const [pause] = await screen.findAllByRole('button', { name: /^Pause / })
  const name = pause?.getAttribute('aria-label')?.replace('Pause ', '') ?? ''
  const { items } = await (await fetch(`/api/bots?q=${encodeURIComponent(name)}`)).json()
  const path = `/api/bots/${items[0].id}`
  await otherChanges(path, { name: 'Bot of Ann' })
  if (pause) await userEvent.click(pause)
  expect(await screen.findByRole('button', { name: 'Start Bot of Ann' })).toBeTruthy()
  expect(await other('GET', path)).toMatchObject({ name: 'Bot of Ann', status: 'paused' })
})

test('a number that was renamed elsewhere is not renamed over it', async () => {
  stubServer(signedInServer())
  await openApp('/whatsapp-numbers?configure=number-2')
  const name = await screen.findByLabelText('Display Name')
  const { items } = await (await fetch('/api/numbers?limit=100')).json()
  const { version } = items.find(({ id }: { id: string }) => id === 'number-2')
  await other('PATCH', '/api/numbers/number-2', { displayName: 'Support of Ann', version })
  await type(name, 'Support of mine')
  await press('Save Changes')
  expect((await notice()).getByRole('radio', { name: /Theirs: Support of Ann/ })).toBeTruthy()
  await press('Save Changes')
  expect(await screen.findByText('Support of mine is saved.')).toBeTruthy()
})
