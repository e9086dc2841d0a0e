import type { Macro } from '@parley/contracts/inbox/macros'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../../testing/stub-server.ts'
// The page loads it on demand: on a busy machine that takes longer than the test waits.
import './macro-dialog.tsx'

const at = '2026-11-22T10:00:00.000Z'
const macro: Macro = {
  id: 'macro-1',
  name: 'Broken order',
  version: 3,
  createdAt: at,
  updatedAt: at,
  actions: [
    { kind: 'add_tag', tag: 'broken' },
    { kind: 'reply', text: 'Sorry, {{first_name}}!' },
  ],
  problems: [],
}

test('a macro shows what it does before it is run, and what was done where a later step is refused', async () => {
  const server = stubServer(signedInServer(), { records: 3 })
  server.answer('GET /api/macros', () => ({ json: { items: [macro] } }))
  const conversation = await (await fetch('/api/conversations/conversation-1')).json()
  const message = 'Done: Add the tag broken. Refused: Send a reply. It is too late.'
  server.answer('POST /api/conversations/conversation-1/macros', () => ({
    json: { conversation, done: 1, refused: { index: 1, code: 'wrong_state', message } },
  }))
  await openApp('/conversations?id=conversation-1&dialog=macro&about=macro-1')
  const preview = within(await screen.findByRole('dialog', { name: 'Run a macro' }))
  expect(await preview.findByText('Sorry, Priya!')).toBeTruthy()
  await userEvent.click(preview.getByRole('button', { name: 'Run Macro' }))
  expect(await preview.findByText(message)).toBeTruthy()
  expect(preview.getByRole<HTMLButtonElement>('button', { name: 'Run Macro' }).disabled).toBe(true)
  const sent = server.calls.find(({ path }) => path.endsWith('/macros') && path.startsWith('/api/conversations'))
  expect(JSON.parse(sent?.body ?? '')).toMatchObject({ macroId: 'macro-1', macroVersion: 3 })
})
