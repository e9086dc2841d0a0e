import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { pressUndo } from '../../../testing/press-undo.ts'
import { errorOf, signedInServer, stubServer, userWithRole } from '../../../testing/stub-server.ts'

async function openContact(path: string) {
  const server = stubServer(signedInServer(), { records: 30 })
  await openApp(path)
  return server
}

test('a contact has a page: the facts, the conversations, and the way back to the list', async () => {
  await openContact('/contacts/contact-1')
  expect(await screen.findByRole('heading', { level: 1, name: 'Priya Sharma' })).toBeTruthy()
  const details = within(screen.getByRole('region', { name: 'Details' }))
  expect(details.getByText('Allowed')).toBeTruthy()
  expect(await details.findByText('Form: checkout')).toBeTruthy()
  const conversations = within(screen.getByRole('region', { name: 'Conversations' }))
  const link = await conversations.findByRole('link', { name: /And could it reach her in Nagpur/ })
  expect(link.getAttribute('href')).toMatch(/^\/conversations\?id=/)
  const active = screen.getByRole('link', { name: 'Contacts', current: 'page' })
  expect(active.getAttribute('href')).toBe('/contacts')
  await userEvent.click(screen.getByRole('button', { name: 'Contacts' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Contacts' })).toBeTruthy()
  expect(window.location.pathname).toBe('/contacts')
})

test('a contact shows which campaigns they were chosen for, and what has become of each', async () => {
  const server = stubServer(signedInServer(), { records: 30 })
  const campaign = { id: 'row-1', campaignId: 'campaign-1', startedAt: '2026-05-01T10:00:00.000Z', times: {} }
  server.answer('GET /api/contacts/contact-1/campaigns', () => ({
    json: {
      items: [
        { ...campaign, campaignName: 'Diwali', state: 'read', replied: true },
        { ...campaign, id: 'row-2', campaignName: 'Tea', state: 'left_out', reason: 'Opted out.' },
      ],
    },
  }))
  await openApp('/contacts/contact-1')
  const campaigns = within(await screen.findByRole('region', { name: 'Campaigns' }))
  const link = await campaigns.findByRole('link', { name: /Diwali/ })
  expect([link.getAttribute('href'), link.textContent]).toEqual([
    '/broadcasts?id=campaign-1',
    expect.stringMatching(/Read.*Replied/),
  ])
  expect(campaigns.getByRole('link', { name: /Tea/ }).textContent).toMatch(/Left out.*Opted out\./)
})

test('what is changed on the page shows there', async () => {
  await openContact('/contacts/contact-1')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Contact' }))
  const name = await screen.findByLabelText('Name')
  await userEvent.clear(name)
  await userEvent.type(name, 'Priya S')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Priya S' })).toBeTruthy()
})

test('a contact who is not there leads back', async () => {
  await openContact('/contacts/nobody')
  expect(await screen.findByText('This contact could not be found')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Show all contacts' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Contacts' })).toBeTruthy()
})

/** The page of a contact that was deleted on November 1. */
async function openDeleted(more: Parameters<typeof stubServer>[0] = {}) {
  const at = '2026-05-01T10:00:00.000Z'
  const server = stubServer(
    {
      ...signedInServer(),
      'GET /api/contacts/contact-1': () => ({ status: 404, json: errorOf('not_found', 'There is no such contact.') }),
      'GET /api/contacts/contact-1/deleted': () => ({
        json: {
          id: 'contact-1',
          version: 2,
          createdAt: at,
          updatedAt: at,
          name: 'Priya Sharma',
          phone: '+919812345678',
          tags: [],
          attributes: {},
          optIn: { marketing: 'unknown', source: 'manual', at: null },
          lastContactAt: null,
          source: 'manual',
          blocked: false,
          deletedAt: '2026-11-01T10:00:00.000Z',
        },
      }),
      ...more,
    },
    { records: 30 },
  )
  await openApp('/contacts/contact-1')
  expect(await screen.findByRole('heading', { level: 1, name: 'Priya Sharma' })).toBeTruthy()
  return server
}

test('a deleted contact can be restored, exported and erased until its time is over', async () => {
  const server = await openDeleted({ 'POST /api/contacts/bulk': () => ({ json: { ids: ['contact-1'] } }) })
  expect(screen.getByText(/Deleted on Nov 1, 2026\..*erased with all conversations on Dec 1, 2026/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Erase for Good' }))
  expect(await screen.findByText('Erase Priya Sharma?')).toBeTruthy()
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }))
  expect(screen.getByRole('button', { name: 'Export Data' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Restore' }))
  expect(await screen.findByText('Priya Sharma restored.')).toBeTruthy()
  const sent = server.calls.find(({ path }) => path === '/api/contacts/bulk')
  expect(JSON.parse(sent?.body ?? '')).toEqual({ ids: ['contact-1'], action: { kind: 'restore' } })
})

test('who may not delete contacts may not restore one either', async () => {
  await openDeleted({ 'GET /api/auth/user': () => userWithRole('agent') })
  await waitFor(() =>
    expect(screen.queryAllByRole('button', { name: /^(Restore|Export Data|Erase for Good)$/ })).toEqual([]),
  )
})

test('a person is erased once their name is typed, and the list is without them', async () => {
  const server = await openContact('/contacts/contact-1')
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for Priya Sharma' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: /Erase for good/ }))
  expect(await screen.findByText('Erase Priya Sharma?')).toBeTruthy()
  const dialog = within(screen.getByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'Erase for good' }))
  expect(await dialog.findByText('Type Priya Sharma')).toBeTruthy()
  expect(server.count('POST /api/contacts/contact-1/erase')).toBe(0)
  await userEvent.type(dialog.getByLabelText('Type Priya Sharma to confirm'), 'Priya Sharma')
  await userEvent.click(dialog.getByRole('button', { name: 'Erase for good' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Contacts' })).toBeTruthy()
  expect(await screen.findByText('The contact was erased.')).toBeTruthy()
  expect(server.count('POST /api/contacts/contact-1/erase')).toBe(1)
})

test('a contact is merged with another one, shown before it is done, and taken back from the page', async () => {
  const server = await openContact('/contacts/contact-1')
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for Priya Sharma' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: /Merge with/ }))
  expect(await screen.findByText('Merge with Priya Sharma')).toBeTruthy()
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByRole('button', { name: 'Merge' }).hasAttribute('disabled')).toBe(true)
  await userEvent.type(dialog.getByRole('combobox', { name: 'The other contact' }), 'Rahul')
  await userEvent.click(await screen.findByTitle(/^Rahul Verma/))
  // Two numbers: one of them is given up, and which one is said before.
  const after = within(await dialog.findByRole('region', { name: 'After merging' }))
  expect(after.getByText(/is removed/).textContent).not.toContain('98200 00000')
  const account = within(dialog.getByRole('radiogroup', { name: 'WhatsApp' }))
  await userEvent.click(account.getAllByRole('radio')[1] ?? document.body)
  expect(after.getByText(/is removed/).textContent).toContain('98200 00000')
  await userEvent.click(
    within(dialog.getByRole('radiogroup', { name: 'Name' })).getByRole('radio', { name: 'Rahul Verma' }),
  )
  await userEvent.click(dialog.getByRole('button', { name: 'Merge' }))

  expect(await screen.findByText('Rahul Verma was merged into Rahul Verma.')).toBeTruthy()
  expect(await screen.findByRole('heading', { level: 1, name: 'Rahul Verma' })).toBeTruthy()
  const merged = within(await screen.findByRole('region', { name: 'Merged contacts' }))
  await userEvent.click(merged.getByRole('button', { name: 'Undo the merge of Rahul Verma' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Priya Sharma' })).toBeTruthy()
  await expect.poll(() => screen.queryByRole('region', { name: 'Merged contacts' })).toBeNull()
  expect(server.count('POST /api/contacts/contact-1/unmerge')).toBe(1)
})

test('the address of a contact who was merged into another one leads to that one', async () => {
  const server = stubServer(signedInServer(), { records: 30 })
  await openApp('/contacts/contact-1')
  await screen.findByRole('heading', { level: 1, name: 'Priya Sharma' })
  const kept = await (await fetch('/api/contacts/contact-1')).json()
  server.answer('GET /api/contacts/contact-2', () => ({ json: kept }))
  await openApp('/contacts/contact-2')
  expect(await screen.findByRole('heading', { level: 1, name: 'Priya Sharma' })).toBeTruthy()
  expect(window.location.pathname).toBe('/contacts/contact-1')
})

test('two who are selected in the list are merged; where one has changed meanwhile it is said, and nothing is lost', async () => {
  const server = await openContact('/contacts')
  for (const name of ['Priya Sharma', 'Rahul Verma'])
    await userEvent.click(await screen.findByRole('checkbox', { name: `Select ${name}` }))
  const path = 'POST /api/contacts/contact-1/merge'
  server.answer(path, () => ({ status: 409, json: errorOf('stale_version', 'Rahul Verma was changed meanwhile.') }))
  await userEvent.click(screen.getByRole('button', { name: 'Merge' }))
  expect(await screen.findByText('Merge with Priya Sharma')).toBeTruthy()
  const dialog = within(screen.getByRole('dialog'))
  await dialog.findByRole('region', { name: 'After merging' })
  await userEvent.click(dialog.getByRole('button', { name: 'Merge' }))
  expect(await screen.findByText('Rahul Verma was changed meanwhile.')).toBeTruthy()
  await expect.poll(() => server.count('GET /api/contacts/contact-2')).toBe(2)
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  // Only two are merged.
  const bar = within(screen.getByRole('region', { name: 'Selection' }))
  expect(bar.getByRole('button', { name: 'Merge' })).toBeTruthy()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all contacts on this page' }))
  expect(bar.queryByRole('button', { name: 'Merge' })).toBeNull()
})

test('a contact is blocked from the menu and unblocked where it says so; the undo takes it back', async () => {
  const server = await openContact('/contacts/contact-1')
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for Priya Sharma' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: /Block/ }))
  expect(await screen.findByText('Priya Sharma is blocked.')).toBeTruthy()
  const details = within(screen.getByRole('region', { name: 'Details' }))
  expect(await details.findByText(/Nothing is sent to this contact\..*when they next write/)).toBeTruthy()
  await pressUndo()
  await expect.poll(() => details.queryByText('Blocked')).toBeNull()

  server.answer('PUT /api/contacts/contact-1/blocked', () => ({ status: 403, json: errorOf('forbidden', 'Not you.') }))
  await userEvent.click(screen.getByRole('button', { name: 'More actions for Priya Sharma' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: /Block/ }))
  expect(await screen.findByText('Not you.')).toBeTruthy()
  expect(details.queryByText('Blocked')).toBeNull()
})

test('others who may be the same person are named with the reason, and compared before they are merged', async () => {
  const server = stubServer(signedInServer(), { records: 30 })
  await openApp('/contacts/contact-1')
  await screen.findByRole('heading', { level: 1, name: 'Priya Sharma' })
  expect(screen.queryByRole('region', { name: 'Maybe the same person' })).toBeNull()
  const other = await (await fetch('/api/contacts/contact-2')).json()
  server.answer('GET /api/contacts/contact-1/duplicates', () => ({
    json: { items: [{ contact: other, because: 'phone' }] },
  }))
  await openApp('/contacts/contact-1')
  const others = within(await screen.findByRole('region', { name: 'Maybe the same person' }))
  expect(others.getByText('The same phone number, written in another way')).toBeTruthy()
  expect(others.getByRole('link', { name: /Rahul Verma/ }).getAttribute('href')).toBe('/contacts/contact-2')
  await userEvent.click(others.getByRole('button', { name: 'Compare and merge with Rahul Verma' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByRole('region', { name: 'After merging' })).toBeTruthy()
})
