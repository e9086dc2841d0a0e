import { createSampleDataset } from '@parley/sample/sample-dataset'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../../testing/stub-server.ts'

const sample = createSampleDataset({ now: new Date() })
const file = { mediaId: '65f000000000000000000001', name: 'sample.pdf', mimeType: 'application/pdf', sizeBytes: 10 }
const invoice = { ...sample.templates.get('template-2'), headerMedia: { kind: 'document', file } }

async function openTemplateStep() {
  const server = stubServer(signedInServer())
  server.answer('GET /api/templates', () => ({
    json: { items: [invoice], nextCursor: null, previousCursor: null, total: 1 },
  }))
  const attributes = [
    { name: 'order', label: 'Order', type: 'text', version: 1, createdAt: '2026-01-01T00:00:00.000Z' },
  ]
  server.answer('GET /api/contact-attributes', () => ({ json: { items: attributes } }))
  await openApp('/broadcasts?new=1&template=template-2')
  await userEvent.type(await screen.findByLabelText('Campaign name'), 'Invoices')
  await userEvent.click(await screen.findByRole('radio', { name: /VIP/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  await screen.findByRole('radio', { name: 'One file for everybody' })
  return server
}
const saved = (server: ReturnType<typeof stubServer>) => {
  const call = server.calls.findLast(({ path, body }) => body && /^\/api\/campaigns(\/draft-\d+)?$/.test(path))
  return JSON.parse(call?.body ?? '{}')
}
const next = () => userEvent.click(screen.getByRole('button', { name: 'Continue' }))

test('the address of a file for each recipient is checked while it is written', async () => {
  await openTemplateStep()
  expect(screen.getByRole('radio', { name: 'One file for everybody' })).toHaveProperty('checked', true)
  expect(await screen.findByText('sample.pdf')).toBeTruthy()
  await userEvent.click(screen.getByRole('radio', { name: 'A file for each recipient' }))
  await next()
  expect(await screen.findByText('Enter the address of the file')).toBeTruthy()
  const address = screen.getByLabelText('Address of the file')
  await userEvent.click(address)
  await userEvent.paste('https://{{phone}}.shop.example/a.pdf')
  expect(await screen.findByText('Variables may stand after the name of the server only')).toBeTruthy()
})

test('a file for each recipient is previewed for a contact, and saved', async () => {
  const server = await openTemplateStep()
  await userEvent.click(screen.getByRole('radio', { name: 'A file for each recipient' }))
  await userEvent.click(screen.getByLabelText('Address of the file'))
  await userEvent.paste('https://files.shop.example/{{name}}-{{city}}.pdf')
  await userEvent.click(screen.getByLabelText(/^Name of the file/))
  await userEvent.paste('Invoice of {{name}}.pdf')
  // A variable that is called like a field is filled from it, though only contacts have it.
  const preview = within(screen.getByRole('complementary', { name: 'Preview' }))
  expect(await preview.findByText(/^Invoice of .+\.pdf$/)).toBeTruthy()
  await next()
  await screen.findByText('Send from')
  await waitFor(() =>
    expect(saved(server).recipientFile).toEqual({
      from: 'address',
      address: 'https://files.shop.example/{{name}}-{{city}}.pdf',
      fileName: 'Invoice of {{name}}.pdf',
      fields: { name: 'name', city: 'attributes.city' },
    }),
  )
})

test('the address may stand in a field, and a contact without one is said to be left out', async () => {
  const server = await openTemplateStep()
  await userEvent.click(screen.getByRole('radio', { name: 'A file for each recipient' }))
  await userEvent.click(screen.getByRole('radio', { name: 'At the address in a field' }))
  await next()
  expect(await screen.findByText('Choose the field that has the address')).toBeTruthy()
  await userEvent.click(screen.getByRole('combobox', { name: 'Field with the address' }))
  await userEvent.click(await screen.findByTitle('WhatsApp username'))
  expect(await screen.findByText(/is left out: /)).toBeTruthy()
  await next()
  await screen.findByText('Send from')
  await waitFor(() => expect(saved(server).recipientFile).toEqual({ from: 'field', field: 'username', fields: {} }))
  await userEvent.click(screen.getByRole('button', { name: /Back/ }))
  await userEvent.click(await screen.findByRole('radio', { name: 'One file for everybody' }))
  await next()
  await screen.findByText('Send from')
  await waitFor(() => expect(saved(server)).not.toHaveProperty('recipientFile'))
})
