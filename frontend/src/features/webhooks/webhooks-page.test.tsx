import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { signedInServer, stubServer, userWithRole } from '../../testing/stub-server.ts'

async function openWebhooks(query = '') {
  const server = stubServer(signedInServer())
  await openApp(`/webhooks${query}`)
  await screen.findByRole('heading', { level: 1, name: 'Webhooks' })
  return server
}

test('a webhook is created, its key is shown once, and how a receiver checks by it', async () => {
  await openWebhooks('?new=1')
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: /Create Webhook$/ }))
  expect(await dialog.findByText('Choose at least one event')).toBeTruthy()
  await userEvent.type(dialog.getByLabelText('Name'), 'Orders')
  await userEvent.type(dialog.getByLabelText('URL'), 'https://orders.example/hook')
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Select all' }))
  expect(dialog.getAllByRole('checkbox').every((box) => box instanceof HTMLInputElement && box.checked)).toBe(true)
  await userEvent.click(dialog.getByRole('button', { name: 'Generate' }))
  await userEvent.click(dialog.getByRole('button', { name: /Create Webhook$/ }))
  expect(await screen.findByText(/^whsec_[A-Za-z0-9+/]{43}=$/)).toBeTruthy()
  expect(screen.getByText(/new Webhook\(process/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'I Have Copied It' }))
  expect(await screen.findByRole('button', { name: 'Test Orders' })).toBeTruthy()
})

test('a test is sent, and its delivery is followed', async () => {
  const server = await openWebhooks('?new=1')
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText('Name'), 'Orders')
  await userEvent.type(dialog.getByLabelText('URL'), 'https://orders.example/hook')
  await userEvent.click(dialog.getByRole('checkbox', { name: 'message.read' }))
  await userEvent.click(dialog.getByRole('button', { name: /Create Webhook$/ }))
  await userEvent.click(await screen.findByRole('button', { name: 'I Have Copied It' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Test Orders' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Send Test' }))
  expect(await screen.findByText('Delivered')).toBeTruthy()
  expect(screen.getByText('evt_test')).toBeTruthy()
  expect(server.calls.some(({ path }) => path.endsWith('/test'))).toBe(true)
})

test('sample webhooks are never called, and say so', async () => {
  const server = await openWebhooks('?test=webhook-1')
  expect(await screen.findByText(/part of the sample data and is never called/)).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send Test' }).disabled).toBe(true)
  expect(server.calls.some(({ path }) => path.endsWith('/test'))).toBe(false)
})

test('the name of a webhook leads to its deliveries, settings and key', async () => {
  await openWebhooks()
  await userEvent.click(await screen.findByRole('button', { name: 'Warehouse dashboard' }))
  expect(await screen.findByText(/its figures are examples/)).toBeTruthy()
  await userEvent.click(screen.getByRole('tab', { name: 'Secret' }))
  expect(await screen.findByText('k4Zq')).toBeTruthy()
  await userEvent.click(screen.getByRole('tab', { name: 'Settings' }))
  expect(window.location.search).toContain('tab=settings')
})

test('a webhook whose receiver fails says since when and how many events wait, and can be tried now', async () => {
  const failing = { since: at, responseStatus: 503, nextAttemptAt: at, waiting: 214 }
  const server = stubServer({ ...signedInServer(), 'GET /api/auth/user': () => userWithRole('owner') })
  const items = [{ ...live.items[0], status: 'failed', failing }]
  server.answer('GET /api/webhooks', () => ({ json: { ...live, items } }))
  await openApp('/webhooks?webhook=own')
  const line = /^Failing since .*, next probe now, 214 waiting$/
  await waitFor(() => expect(screen.getAllByText(line).length).toBeGreaterThan(1))
  server.answer('POST /api/webhooks/own/enable', () => ({ json: live.items[0] }))
  await userEvent.click(await screen.findByRole('button', { name: 'Try Now' }))
  expect(await screen.findByText('Own receiver is active.')).toBeTruthy()
})

test('whoever may not change webhooks sees where they go, and nothing to press', async () => {
  stubServer({ ...signedInServer(), 'GET /api/auth/user': () => userWithRole('viewer') })
  await openApp('/webhooks?webhook=webhook-1&tab=settings')
  expect(await screen.findByText('Only those who may change webhooks see its path.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^(Create New Webhook|Test|Configure|Delete)/ })).toBeNull()
})

test('the key is replaced, with an overlap', async () => {
  const server = stubServer({ ...signedInServer(), 'GET /api/auth/user': () => userWithRole('owner') })
  server.answer('GET /api/webhooks', () => ({ json: live }))
  await openApp('/webhooks?webhook=own&tab=secret')
  server.answer('POST /api/webhooks/own/secret', () => ({ json: { ...live.items[0], signingKey: 'whsec_new' } }))
  await userEvent.click(await screen.findByRole('radio', { name: '7 days' }))
  await userEvent.click(screen.getByRole('button', { name: 'Replace Key' }))
  expect(await screen.findByText('whsec_new')).toBeTruthy()
  const { body = '' } = server.calls.find(({ path }) => path.endsWith('/secret')) ?? {}
  expect(JSON.parse(body)).toEqual({ overlapHours: 168 })
})

test('a delivery that is replayed is followed until it has arrived', async () => {
  const server = stubServer({ ...signedInServer(), 'GET /api/auth/user': () => userWithRole('owner') })
  server.answer('GET /api/webhooks', () => ({ json: live }))
  const last = { at, status: 503, ms: 12 }
  const given = { id: 'd1', eventId: 'evt_1', type: 'message.received', at, attempts: 8, last, log: [last], body: '{}' }
  let asked = 0
  const failed = { ...given, state: 'exhausted', nextAttemptAt: null, differs: false }
  const detail = 'GET /api/webhooks/own/deliveries/d1'
  server.answer(detail, () => ({ json: failed }))
  server.answer('POST /api/webhooks/own/deliveries/d1/replay', () => {
    const due = { ...failed, state: 'due', nextAttemptAt: new Date().toISOString() }
    server.answer(detail, () => {
      asked += 1
      return { json: asked > 1 ? { ...failed, state: 'delivered', attempts: 9 } : due }
    })
    return { json: due }
  })
  await openApp('/webhooks?webhook=own&delivery=d1')
  await userEvent.click(await screen.findByRole('button', { name: 'Replay' }))
  expect(await screen.findByText('Delivered', {}, { timeout: 20_000 })).toBeTruthy()
})

test('an address that is taken is refused beside the field', async () => {
  await openWebhooks('?configure=webhook-2')
  const dialog = within(await screen.findByRole('dialog'))
  const url = dialog.getByLabelText('URL')
  await userEvent.clear(url)
  await userEvent.type(url, 'https://api.chaiandco.example/hooks/whatsapp')
  await userEvent.click(dialog.getByRole('button', { name: 'Save Changes' }))
  expect(await dialog.findByText('Order updates goes to this address already.')).toBeTruthy()
})

test('a link to a webhook that is gone leads back to all of them', async () => {
  await openWebhooks('?configure=webhook-99')
  await userEvent.click(await screen.findByRole('button', { name: 'Show all webhooks' }))
  expect(await screen.findByRole('button', { name: 'Delete Order updates' })).toBeTruthy()
})

const at = '2026-03-09T09:30:00.000Z'
const live = {
  items: [
    {
      id: 'own',
      createdAt: at,
      updatedAt: at,
      version: 1,
      name: 'Own receiver',
      url: 'https://own.example/hook',
      events: ['message.received'],
      status: 'active',
      secret: { last4: 'abcd', updatedAt: at, previousUntil: null },
      failing: null,
      disabledFor: null,
      lastTriggeredAt: null,
      totalCalls: 0,
      successRate: null,
    },
  ],
  nextCursor: null,
  previousCursor: null,
  total: 1,
}
