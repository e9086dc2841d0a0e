import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { signedInServer, stubServer, userWithRole } from '../../../testing/stub-server.ts'

const openTags = () => openApp('/contacts/fields?tab=tags')
const row = async (name: string) => {
  const list = await screen.findByRole('list', { name: 'Tags' })
  const found = (await within(list).findByText(name)).closest('li')
  if (!found) throw new Error(`there is no tag ${name}`)
  return within(found)
}
const countOf = async (name: string) => Number((await row(name)).getByRole('link').textContent?.split(' ')[0])

async function edit(name: string) {
  await userEvent.click((await row(name)).getByRole('button', { name: `Actions for the tag ${name}` }))
  await userEvent.click(await screen.findByText('Edit'))
  return within(await screen.findByRole('dialog'))
}
async function rename(name: string, to: string) {
  const dialog = await edit(name)
  await userEvent.clear(dialog.getByLabelText('Name'))
  await userEvent.type(dialog.getByLabelText('Name'), to)
  return dialog
}

test('a tag gets another name and colour, and its old name back with Undo', async () => {
  stubServer(signedInServer(), { records: 30 })
  await openTags()
  const before = await countOf('newsletter')
  const dialog = await rename('newsletter', 'monthly letter')
  await userEvent.click(dialog.getByLabelText('Violet'))
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(`Renamed newsletter to monthly letter: ${before} contacts.`)).toBeTruthy()
  await waitFor(async () => expect(await countOf('monthly letter')).toBe(before))
  // Its toast may be gone by now.
  await userEvent.keyboard('{Control>}z{/Control}')
  await screen.findByText('newsletter')
  await waitFor(async () => expect(await countOf('newsletter')).toBe(before))
  expect((await edit('newsletter')).getByLabelText<HTMLInputElement>('Violet').checked).toBe(true)
})

test('the name of another tag says that the two become one', async () => {
  stubServer(signedInServer(), { records: 30 })
  await openTags()
  const dialog = await rename('newsletter', 'customer')
  expect(await dialog.findByText(/will be tagged customer instead/)).toBeTruthy()
  expect(dialog.queryByLabelText('Violet')).toBeNull()
  await userEvent.click(dialog.getByRole('button', { name: 'Merge Tags' }))
  await screen.findByText(/^Renamed newsletter to customer/)
  const list = within(await screen.findByRole('list', { name: 'Tags' }))
  await waitFor(() => expect(list.queryByText('newsletter')).toBeNull())
})

test('a tag that every workspace has a segment of keeps its name', async () => {
  stubServer(signedInServer(), { records: 30 })
  await openTags()
  const dialog = await rename('lead', 'prospect')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText(/^Leads is a segment of every workspace/)).toBeTruthy()
})

test('who may not change tags sees them only', async () => {
  stubServer({ ...signedInServer(), 'GET /api/auth/user': () => userWithRole('agent') }, { records: 30 })
  await openTags()
  await row('customer')
  expect(screen.queryByRole('button', { name: /^Actions for the tag/ })).toBeNull()
})
