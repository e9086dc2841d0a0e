import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../../testing/stub-server.ts'
import { withWindowSize } from '../../../testing/window-size.ts'

withWindowSize()

const conversationId = 'conversation-1'

/** A thread in which the customer has written these texts, now. */
async function openThread(
  texts: readonly string[],
  optIn: object = { marketing: 'in', source: 'import', at: '2026-03-01T10:00:00.000Z' },
) {
  const server = stubServer(signedInServer())
  const conversation = await (await fetch(`/api/conversations/${conversationId}`)).json()
  const contactPath = `/api/contacts/${conversation.contact.id}`
  const contact = await (await fetch(contactPath)).json()
  const items = texts.map((text, index) => ({
    id: `message-${index}`,
    conversationId,
    version: 1,
    direction: 'inbound',
    content: { type: 'text', text },
    cause: { kind: 'customer', id: 'c' },
    sentAt: '2026-03-09T10:00:00.000Z',
  }))
  server.answer(`GET /api/conversations/${conversationId}/messages`, () => ({
    json: { items, nextCursor: null, previousCursor: null, total: items.length },
  }))
  let current = optIn
  server.answer(`GET ${contactPath}`, () => ({ json: { ...contact, optIn: current } }))
  server.answer(`POST ${contactPath}/consent`, () => {
    current = { marketing: 'out', source: 'agent', at: '2026-03-09T10:05:00.000Z' }
    const at = '2026-03-09T10:05:00.000Z'
    return { status: 201, json: { id: 'e1', category: 'marketing', value: 'out', source: 'agent', at, recordedAt: at } }
  })
  await openApp(`/conversations?id=${conversationId}`)
  const thread = within(await screen.findByRole('log', { name: 'Messages' }))
  await thread.findByText(texts[0] ?? '')
  const recorded = () =>
    JSON.parse(server.calls.findLast(({ path }) => path === `${contactPath}/consent`)?.body ?? '{}')
  return { server, contactPath, thread, recorded }
}

test('a longer text that asks for no more messages is an opt-out at one press, with its words as proof', async () => {
  const words = 'Please stop sending me messages, I have moved'
  const { thread, recorded } = await openThread(['Stop by the shop some time', words])
  await userEvent.click(await thread.findByRole('button', { name: 'Opt out?' }))
  expect(await screen.findByText('The contact gets no more marketing.')).toBeTruthy()
  expect(recorded()).toEqual({ category: 'marketing', value: 'out', note: `Wrote: ${words}` })
  await waitFor(() => expect(thread.queryByRole('button', { name: 'Opt out?' })).toBeNull())
})

test.each([
  ['has opted out', { marketing: 'out', source: 'keyword', at: '2026-03-01T10:00:00.000Z' }],
  ['has agreed since then', { marketing: 'in', source: 'agent', at: '2026-03-10T10:00:00.000Z' }],
])('nothing is offered for a contact who %s', async (_, optIn) => {
  const { server, contactPath, thread } = await openThread(['Please stop sending me messages'], optIn)
  await waitFor(() => expect(server.count(`GET ${contactPath}`)).toBeGreaterThan(1))
  expect(thread.queryByRole('button', { name: 'Opt out?' })).toBeNull()
})
