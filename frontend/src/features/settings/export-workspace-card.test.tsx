import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer, userOf } from '../../testing/stub-server.ts'

const record = (over: object) => ({
  id: 'a'.repeat(24),
  state: 'running',
  total: 200,
  done: 50,
  file: null,
  problem: null,
  startedBy: 'user-1',
  createdAt: '2026-11-24T09:00:00.000Z',
  ...over,
})
const ready = record({
  state: 'done',
  done: 200,
  file: { name: 'parley-workspace.zip', sizeBytes: 12_400_000, availableUntil: '2099-11-25T09:00:00.000Z' },
})
const path = '/api/workspace/exports'
const card = async () => within(await screen.findByRole('region', { name: 'Export Workspace' }))

test('an owner starts an export with their password, watches it, downloads its file and deletes it', async () => {
  const server = stubServer({
    ...signedInServer(undefined, userOf({ role: 'owner' })),
    'POST /auth/confirm': () => ({ status: 400, json: errorOf('password_wrong', 'That is not it.') }),
    [`GET ${path}`]: () => ({ json: { items: [] } }),
    [`POST ${path}`]: () => ({ status: 201, json: record({}) }),
    [`DELETE ${path}/${ready.id}/file`]: () => ({ status: 204 }),
  })
  await openApp('/settings?tab=account#export')
  await userEvent.click(await (await card()).findByRole('button', { name: 'Export Workspace' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: /Start Export$/ }))
  expect(await dialog.findByText('Enter your password.')).toBeTruthy()
  await userEvent.type(dialog.getByLabelText('Your Password'), 'guess')
  await userEvent.click(dialog.getByRole('button', { name: /Start Export$/ }))
  expect(await dialog.findByText('That is not it.')).toBeTruthy()
  expect(server.count(`POST ${path}`)).toBe(0)
  server.answer('POST /auth/confirm', () => ({ status: 204 }))
  server.answer(`GET ${path}`, () => ({ json: { items: [record({})] } }))
  await userEvent.click(dialog.getByRole('button', { name: /Start Export$/ }))
  expect(await (await card()).findByText('Exporting the workspace')).toBeTruthy()

  server.answer(`GET ${path}`, () => ({ json: { items: [ready] } }))
  const link = await (await card()).findByRole('link', { name: 'Download' }, { timeout: 5000 })
  expect(link.getAttribute('href')).toBe(`${path}/${ready.id}/file`)
  expect((await card()).getByText(/12.*MB, until/)).toBeTruthy()
  const gone = record({ state: 'done', problem: 'Its file was deleted.' })
  server.answer(`GET ${path}`, () => ({ json: { items: [gone] } }))
  await userEvent.click((await card()).getByRole('button', { name: 'Delete File' }))
  expect(await (await card()).findByText(/Its file was deleted\./)).toBeTruthy()
  expect(server.count(`DELETE ${path}/${ready.id}/file`)).toBe(1)
})

test('an export that is under way is stopped; an admin sees nothing of exports', async () => {
  let role = 'owner'
  const server = stubServer({
    ...signedInServer(undefined, userOf({ role: 'owner' })),
    'GET /api/auth/user': () => ({ json: userOf({ role }) }),
    [`GET ${path}`]: () => ({ json: { items: [record({})] } }),
    [`POST ${path}/${ready.id}/cancel`]: () => {
      server.answer(`GET ${path}`, () => ({ json: { items: [record({ state: 'cancelled' })] } }))
      return { json: record({ state: 'cancelled' }) }
    },
  })
  await openApp('/settings?tab=account')
  const stop = await (await card()).findByRole('button', { name: /^(Stop|Cancel)/ })
  await userEvent.click(stop)
  await waitFor(() => expect(server.count(`POST ${path}/${ready.id}/cancel`)).toBe(1))
  expect(await (await card()).findByText('Stopped')).toBeTruthy()
  role = 'admin'
  await openApp('/settings?tab=account')
  expect(await screen.findByRole('region', { name: 'Security' })).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Export Workspace' })).toBeNull()
})
