import type { ConversationHistory } from '@parley/contracts/inbox/conversations'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { errorOf, onlyMember, signedInServer, stubServer, userOf } from '../../../testing/stub-server.ts'

const at = '2026-05-04T10:00:00.000Z'
const address = '/conversations?id=conversation-1&panel=details'

async function openPanel(handlers: Parameters<typeof stubServer>[0] = {}) {
  const server = stubServer({ ...signedInServer(), ...handlers })
  await openApp(address)
  const panel = within(await screen.findByRole('complementary', { name: 'Contact details' }))
  return { server, panel }
}
const rowOf = (term: HTMLElement) => term.closest('div')

test('what is known of the contact stands beside the thread, campaigns counted among the messages', async () => {
  const history: ConversationHistory = {
    messages: 1204,
    campaigns: 12,
    firstContactAt: '2020-02-03T10:00:00.000Z',
    lastActiveAt: at,
    notes: [{ id: 'note-1', conversationId: 'conversation-1', at, text: 'Prefers the morning', memberId: userOf().id }],
  }
  const { panel } = await openPanel({
    'GET /api/members': onlyMember,
    'GET /api/conversations/conversation-1/history': () => ({ json: history }),
    'GET /api/contacts/contact-1/campaigns': () => ({
      json: {
        items: [
          {
            id: 'row-1',
            campaignId: 'c-1',
            campaignName: 'Diwali',
            startedAt: at,
            times: {},
            state: 'read',
            replied: true,
          },
          {
            id: 'row-2',
            campaignId: 'c-2',
            campaignName: 'Held',
            startedAt: at,
            state: 'left_out',
            reason: 'Opted out',
          },
        ],
      },
    }),
  })
  await waitFor(() => expect(rowOf(panel.getByText('Total messages'))?.textContent).toContain('1,204'))
  expect(rowOf(panel.getByText('First contact'))?.textContent).toContain('2020')
  await waitFor(() => expect(rowOf(panel.getByText('Written to'))?.textContent).toMatch(/\+\d/))
  expect(await panel.findByRole('heading', { name: 'Consent' })).toBeTruthy()
  expect(await panel.findByText('Diwali')).toBeTruthy()
  expect(panel.queryByText('Held')).toBeNull()
  const note = await panel.findByRole('button', { name: /Prefers the morning/ })
  await waitFor(() => expect(note.textContent).toContain('Asha Rao'))
  await userEvent.click(note)
  await waitFor(() => expect(window.location.search).toContain('message=note-1'))
})

test('a field is edited in its place; what somebody else has written meanwhile is told first', async () => {
  const { server, panel } = await openPanel()
  await userEvent.click(await panel.findByRole('button', { name: 'Edit City' }))
  const city = await panel.findByLabelText('City')
  await userEvent.clear(city)
  await userEvent.type(city, 'Pune')
  const path = 'contacts/contact-1'
  const contact = await (await fetch(`/api/${path}`)).json()
  const theirs = { ...contact, version: contact.version + 1, attributes: { ...contact.attributes, city: 'Delhi' } }
  server.answer(`PATCH /api/${path}`, ({ body }) => {
    const asked = JSON.parse(body ?? '')
    if (asked.version === contact.version)
      return { status: 409, json: { ...errorOf('stale_version', 'Changed.'), current: theirs } }
    return { json: { ...theirs, ...asked, version: theirs.version + 1 } }
  })
  await userEvent.keyboard('{Enter}')
  expect(await panel.findByText(/changed it to “Delhi” meanwhile/)).toBeTruthy()
  server.answer(`GET /api/${path}`, () => ({ json: theirs }))
  await userEvent.click(panel.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(panel.queryByRole('button', { name: 'Save' })).toBeNull())
  const { body } = server.calls.findLast(({ method }) => method === 'PATCH') ?? {}
  expect(JSON.parse(body ?? '')).toMatchObject({ version: theirs.version, attributes: { city: 'Pune' } })

  await userEvent.click(panel.getByRole('button', { name: 'Choose fields' }))
  await userEvent.click(await screen.findByRole('checkbox', { name: 'City' }))
  await waitFor(() => expect(panel.queryByRole('button', { name: 'Edit City', hidden: true })).toBeNull())
  expect(localStorage.getItem('conversation-fields')).toBe('[]')
})
