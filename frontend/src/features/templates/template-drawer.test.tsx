import { createSampleDataset } from '@parley/sample/sample-dataset'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { cardOf } from '../../testing/card-of.ts'
import { openApp } from '../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../testing/stub-server.ts'

const version = (number: number, over: object) => ({
  number,
  submittedAt: '2026-11-20T10:00:00.000Z',
  submittedBy: 'somebody',
  content: {
    name: 'summer_sale',
    language: 'en',
    category: 'marketing',
    buttons: [],
    examples: {},
    body: `Text number ${number}.`,
  },
  ...over,
})

test('a drawer names who sends a template and what came of each version; an earlier one becomes the draft', async () => {
  const server = stubServer({
    ...signedInServer(),
    'GET /api/templates/template-3/uses': () =>
      Response.json({ campaigns: [{ id: 'campaign-9', name: 'Long weekend', status: 'paused' }] }),
    'GET /api/templates/template-3': () =>
      Response.json({ ...createSampleDataset({ now: new Date() }).templates.get('template-3'), contentVersion: 2 }),
    'GET /api/templates/template-3/versions': () =>
      Response.json({
        items: [
          version(2, { outcome: 'rejected', reason: 'It promises too much.' }),
          version(1, { outcome: 'approved', decidedAt: '2026-11-20T11:00:00.000Z' }),
        ],
      }),
  })
  await openApp('/templates')
  const sale = await cardOf('summer_sale')
  await userEvent.click(sale.getByRole('button', { name: 'Actions for summer_sale' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: /Uses and Versions/ }))
  const uses = within(await screen.findByRole('region', { name: 'Used by' }))
  expect((await uses.findByRole('link', { name: /Long weekend/ })).getAttribute('href')).toBe(
    '/broadcasts?id=campaign-9',
  )
  const versions = within(screen.getByRole('region', { name: 'Versions' }))
  expect(await versions.findByText('It promises too much.')).toBeTruthy()
  const draft = { from: 1, content: version(1, {}).content }
  const sent = { version: 9, status: 'approved', contentVersion: 2 }
  server.answer('POST /api/templates/template-3/versions/1/restore', () => ({
    json: { ...createSampleDataset({ now: new Date() }).templates.get('template-3'), ...sent, draft },
  }))
  expect(versions.queryByRole('button', { name: 'Restore as draft: version 2' })).toBeNull()
  await userEvent.click(versions.getByRole('button', { name: 'Restore as draft: version 1' }))
  expect(await screen.findByLabelText('Body')).toHaveProperty('value', 'Text number 1.')
  expect(screen.getByText('Draft with the text of version 1')).toBeTruthy()
  const asked = server.calls.find(({ path }) => path.endsWith('/restore'))
  expect(JSON.parse(asked?.body ?? '')).toEqual({ version: expect.any(Number) })
})

async function askToDelete(uses: object[]) {
  const server = stubServer({
    ...signedInServer(),
    'POST /api/templates/template-3/usage': () => Response.json({ uses }),
  })
  await openApp('/templates')
  const sale = await cardOf('summer_sale')
  await userEvent.click(sale.getByRole('button', { name: 'Actions for summer_sale' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: /Delete$/ }))
  const title = await screen.findByText('Delete summer_sale?')
  const dialog = title.closest<HTMLElement>('.ant-modal')
  if (!dialog) throw new Error('The question stands in no dialog.')
  return { server, dialog: within(dialog) }
}
const use = { id: 'campaign-9', name: 'Long weekend', status: 'scheduled', breaks: [{ kind: 'deleted' }] }

test('before a template is deleted, the campaigns that are to send it are named; while there are any it stays', async () => {
  const { server, dialog } = await askToDelete([use, { ...use, id: 'draft-1', name: '', status: 'draft' }])
  const link = await dialog.findByRole('link', { name: /Long weekend/ })
  expect(link.getAttribute('href')).toBe('/broadcasts?id=campaign-9')
  expect(dialog.getByRole('link', { name: /Draft without a name/ }).getAttribute('href')).toBe(
    '/broadcasts?draft=draft-1',
  )
  expect(dialog.getByText(/It cannot be deleted/)).toBeTruthy()
  expect(dialog.getByRole('button', { name: 'Delete Template' })).toHaveProperty('disabled', true)
  expect(JSON.parse(server.calls.find(({ path }) => path.endsWith('template-3/usage'))?.body ?? '')).toEqual({
    deleted: true,
  })
})

test('a template that drafts alone would send is deleted; where the server refuses it, its reason is said', async () => {
  const { server, dialog } = await askToDelete([{ ...use, status: 'draft' }])
  expect(await dialog.findByText('A draft would be left without its template:')).toBeTruthy()
  // A campaign was launched in the meantime.
  const reason = 'summer_sale is in use. A campaign sends it: Long weekend. Cancel that campaign first.'
  const refused = { code: 'template_in_use', message: reason, requestId: 'r', fields: {} }
  server.answer('DELETE /api/templates/template-3', () => ({ status: 409, json: refused }))
  await userEvent.click(dialog.getByRole('button', { name: 'Delete Template' }))
  expect(await screen.findByText(reason)).toBeTruthy()
  await cardOf('summer_sale')
})

test('drafts are found by their state; they open in the editor from their drawer, and are deleted for good', async () => {
  const draft = { ...createSampleDataset({ now: new Date() }).templates.get('template-3'), status: 'draft' }
  const server = stubServer(signedInServer())
  server.answer('GET /api/templates', () => ({
    json: { items: [draft], total: 1, nextCursor: null, previousCursor: null },
  }))
  server.answer('GET /api/templates/template-3', () => ({ json: draft }))
  server.answer('POST /api/templates/template-3/usage', () => ({ json: { uses: [] } }))
  server.answer('DELETE /api/templates/template-3', () => ({ status: 204 }))
  await openApp('/templates?details=template-3')
  const drawer = within(await screen.findByRole('dialog'))
  expect(await drawer.findByText('Draft')).toBeTruthy()
  await userEvent.click(drawer.getByRole('button', { name: 'Edit' }))
  expect(await screen.findByRole('button', { name: 'Send for review' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  const sale = await cardOf('summer_sale')
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }))
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Draft' }))
  await waitFor(() => expect(new URLSearchParams(window.location.search).get('status')).toBe('draft'))
  await userEvent.keyboard('{Escape}')
  await userEvent.click(sale.getByRole('button', { name: 'Actions for summer_sale' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: /Delete$/ }))
  expect(await screen.findByText(/WhatsApp does not have it: this cannot be undone/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Delete for good' }))
  expect(await screen.findByText('summer_sale was deleted')).toBeTruthy()
})
