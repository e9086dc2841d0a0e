import type { Connection } from '@parley/contracts/automation/connections'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer } from '../../../testing/stub-server.ts'

const path = '/api/connections'
const at = '2026-03-02T10:00:00.000Z'
const shop: Connection = {
  id: 'c1',
  name: 'Shop',
  baseUrl: 'https://shop.example/v1',
  authentication: { kind: 'bearer' },
  repeatable: false,
  createdAt: at,
  updatedAt: at,
  version: 1,
}

async function openConnections(items: readonly Connection[], handlers: Parameters<typeof stubServer>[0] = {}) {
  const server = stubServer({ ...signedInServer(), [`GET ${path}`]: () => ({ json: { items } }), ...handlers })
  await openApp('/settings?tab=connections')
  const panel = within(await screen.findByRole('tabpanel', { name: 'Connections' }))
  return { server, panel }
}
const choose = async (panel: ReturnType<typeof within>, action: string) => {
  await userEvent.click(await panel.findByRole('button', { name: 'Actions for Shop' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
  return within(await screen.findByRole('dialog'))
}

test('a connection is made with its secret; what the server refuses stands beside the field', async () => {
  let isRefused = true
  const { server, panel } = await openConnections([], {
    [`POST ${path}`]: () => {
      if (!isRefused) return { status: 201, json: shop }
      isRefused = false
      const error = errorOf('address_refused', 'Refused.')
      return { status: 400, json: { ...error, fields: { baseUrl: 'Parley does not call this address.' } } }
    },
  })
  await userEvent.click(await panel.findByRole('button', { name: 'Create Connection' }))
  const form = within(await screen.findByRole('dialog'))
  await userEvent.type(form.getByRole('textbox', { name: 'Name' }), 'Shop')
  await userEvent.type(form.getByRole('textbox', { name: 'Base address' }), 'https://shop.example/v1')
  await userEvent.click(form.getByRole('combobox', { name: 'Authentication' }))
  await userEvent.click(await screen.findByTitle('Bearer token'))
  await userEvent.type(await form.findByLabelText('Token'), 's3cret')
  await userEvent.click(form.getByRole('button', { name: 'Create Connection' }))
  expect(await form.findByText('Parley does not call this address.')).toBeTruthy()
  await userEvent.click(form.getByRole('button', { name: 'Create Connection' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const sent = server.calls.findLast(({ method, path: to }) => method === 'POST' && to === path)
  expect(JSON.parse(sent?.body ?? '')).toEqual({
    name: 'Shop',
    baseUrl: 'https://shop.example/v1',
    authentication: { kind: 'bearer', secret: 's3cret' },
    repeatable: false,
  })
})

test('a test is made when somebody asks for it, and tells status, time and answer', async () => {
  let asked = 0
  const { panel } = await openConnections([shop], {
    [`POST ${path}/c1/tests`]: () => ({ status: 202, json: { id: 't1', state: 'waiting' } }),
    [`GET ${path}/c1/tests/t1`]: () => {
      asked += 1
      return asked === 1
        ? { json: { id: 't1', state: 'started' } }
        : {
            json: {
              id: 't1',
              state: 'failed',
              code: 'http_status',
              status: 401,
              ms: 35,
              bytes: 12,
              answer: 'who are you?',
            },
          }
    },
  })
  const dialog = await choose(panel, 'Test Connection')
  await userEvent.click(dialog.getByRole('button', { name: 'Test Connection' }))
  expect(
    await dialog.findByText('Failed · 401 · 35 ms · 12 B · The host has refused', {}, { timeout: 5000 }),
  ).toBeTruthy()
  expect(dialog.getByText('who are you?')).toBeTruthy()
})

test('who deletes a connection is told what uses it', async () => {
  const { panel } = await openConnections([shop], {
    [`GET ${path}/c1`]: () => ({
      json: { ...shop, usedBy: [{ kind: 'bot', id: 'b1', name: 'Orders', published: true }] },
    }),
  })
  const dialog = await choose(panel, 'Delete')
  expect((await dialog.findByRole('link', { name: 'Orders' })).getAttribute('href')).toContain('b1')
  expect(dialog.getByText('published')).toBeTruthy()
})
