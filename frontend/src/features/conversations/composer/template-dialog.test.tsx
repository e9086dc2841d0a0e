import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../../testing/stub-server.ts'
import { change } from '../../../testing/workspace/workspace.ts'

test('templates that cannot be chosen stand in the list, each with the reason', async () => {
  const server = stubServer(signedInServer())
  const { templates, conversations } = server.workspace
  const known = [...templates.values()].find(({ status }) => status === 'approved')
  if (!known) throw new Error('The sample has no approved template.')
  const card = { headerMedia: { kind: 'image' as const }, buttons: [] }
  templates.set('row', { ...known, id: 'row', name: 'tea_row', cards: [card, card] })
  templates.set('gif', { ...known, id: 'gif', name: 'tea_gif', unsupported: ['gif header'] })
  change(conversations, 'conversation-1', { windowExpiresAt: new Date(Date.now() - 60_000).toISOString() })
  await openApp('/conversations?id=conversation-1')
  await userEvent.click(await screen.findByRole('button', { name: /^Send a template/i }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(await dialog.findByLabelText('Template'))
  const optionOf = async (reason: string) => (await screen.findByText(reason)).closest('.ant-select-item-option')
  expect((await optionOf('This template needs a picture on card 1'))?.textContent).toContain('tea_row')
  const gif = await optionOf('It has a part that Parley cannot fill in: gif header')
  expect(gif?.textContent).toContain('tea_gif')
  expect(gif?.getAttribute('aria-disabled') ?? gif?.className).toMatch(/true|disabled/)
  // Screen readers read the label alone.
  expect(gif?.getAttribute('aria-label')).toBe('tea_gif. It has a part that Parley cannot fill in: gif header')
})
