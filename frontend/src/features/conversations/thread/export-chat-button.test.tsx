import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { signedInServer, stubServer, userWithRole } from '../../../testing/stub-server.ts'
import { contactJob } from '../../../testing/workspace/contact-jobs.ts'

const serverOf = (role: string) => ({ ...signedInServer(), 'GET /api/auth/user': () => userWithRole(role) })
const path = '/api/conversations/conversation-1/exports'
const job = contactJob({ task: { kind: 'chat_export', format: 'html', conversationId: 'conversation-1' } })
const open = async () => {
  await openApp('/conversations?id=conversation-1&panel=details')
  return within(await screen.findByRole('complementary', { name: 'Contact details' }))
}
const ask = async (panel: Awaited<ReturnType<typeof open>>) => {
  await userEvent.click(await panel.findByRole('button', { name: 'Export Chat' }))
  return within(await screen.findByRole('dialog'))
}

test('a chat is exported in the chosen format, and its file is downloaded', async () => {
  const download = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  onTestFinished(() => download.mockRestore())
  const server = stubServer(serverOf('owner'))
  const dialog = await ask(await open())
  await userEvent.click(dialog.getByRole('radio', { name: /^HTML with media/ }))
  await userEvent.click(dialog.getByRole('button', { name: 'Start export' }))
  expect(await screen.findByText('Chat exported.')).toBeTruthy()
  expect(download.mock.contexts.map(String)).toEqual([
    expect.stringMatching(/\/api\/contact-jobs\/contact-job-1\/file$/),
  ])
  const sent = server.calls.find((call) => call.method === 'POST' && call.path === path)
  expect(JSON.parse(sent?.body ?? '')).toEqual({ format: 'html', timeZone: expect.any(String) })
})

test('an export under way is shown to whoever opens the chat, and can be cancelled', async () => {
  let now = job
  stubServer({
    ...serverOf('owner'),
    [`GET ${path}`]: () => ({ json: { items: [now] } }),
    'POST /api/contact-jobs/job-1/cancel': () => {
      now = { ...job, state: 'cancelled' }
      return { json: now }
    },
  })
  const panel = await open()
  const working = within(await panel.findByRole('list', { name: 'Under way' }))
  expect(working.getByText('2,000 of 8,000')).toBeTruthy()
  await userEvent.click(working.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(panel.queryByRole('list', { name: 'Under way' })).toBeNull())
})

test('an export that ended while nobody looked can be downloaded', async () => {
  const file = { name: 'WhatsApp chat with Priya Sharma.zip', sizeBytes: 48_000 }
  stubServer({ ...serverOf('admin'), [`GET ${path}`]: () => ({ json: { items: [{ ...job, state: 'done', file }] } }) })
  const dialog = await ask(await open())
  const link = await dialog.findByRole('link', { name: `Download ${file.name}, 48 kB` })
  expect(link.getAttribute('href')).toBe('/api/contact-jobs/job-1/file')
})

test('an export that is refused says why, and the dialog stays', async () => {
  stubServer({
    ...serverOf('owner'),
    [`POST ${path}`]: () => ({
      status: 404,
      json: { code: 'not_found', message: 'There is no such conversation.', requestId: 'r' },
    }),
  })
  const dialog = await ask(await open())
  await userEvent.click(dialog.getByRole('button', { name: 'Start export' }))
  expect(await screen.findByText('There is no such conversation.')).toBeTruthy()
  expect(screen.getByRole('dialog')).toBeTruthy()
})

test('whoever may not export chats finds no button, and asks for none', async () => {
  const server = stubServer(serverOf('agent'))
  const panel = await open()
  await waitFor(() => expect(panel.queryByRole('button', { name: 'Export Chat' })).toBeNull())
  expect(server.calls.filter((call) => call.path === path)).toEqual([])
})
