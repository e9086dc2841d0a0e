import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../testing/stub-server.ts'

async function openWebhooks(query = '') {
  const server = stubServer(signedInServer())
  await openApp(`/webhooks${query}`)
  await screen.findByRole('heading', { level: 1, name: 'Webhooks' })
  return server
}

test('a webhook is created with a generated secret', async () => {
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
  expect(await screen.findByRole('button', { name: 'Test Orders' })).toBeTruthy()
})

test('a test says that nothing was sent, and signs with the secret that is typed', async () => {
  await openWebhooks('?test=webhook-1')
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('Nothing was sent.')).toBeTruthy()
  expect(dialog.getByText(/X-Parley-Signature-256: sha256=<HMAC/)).toBeTruthy()
  await userEvent.type(dialog.getByLabelText(/^Secret/), 'a secret of some length')
  expect(await dialog.findByText(/X-Parley-Signature-256: sha256=[0-9a-f]{64}/)).toBeTruthy()
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
