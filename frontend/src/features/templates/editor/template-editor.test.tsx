import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { cardOf } from '../../../testing/card-of.ts'
import { openApp } from '../../../testing/open-app.tsx'
import { openTemplates } from '../../../testing/open-templates.tsx'
import { signedInServer, stubServer } from '../../../testing/stub-server.ts'

test('the editor refuses what WhatsApp refuses, and sends the rest for review', async () => {
  await openTemplates('?new=1')
  await userEvent.type(await screen.findByLabelText('Name'), 'New Tea')
  const body = screen.getByLabelText('Body')
  await userEvent.click(body)
  await userEvent.paste('Hello {{1}}')
  await userEvent.click(screen.getByRole('button', { name: 'Create Template' }))
  expect(await screen.findByText(/cannot end with a variable/)).toBeTruthy()
  await userEvent.type(body, ', our new teas are here.')
  await userEvent.type(screen.getByLabelText('Sample for {{1}}'), 'Asha')
  expect(screen.getByText('Hello Asha, our new teas are here.')).toBeTruthy()
  const send = screen.getByRole('button', { name: 'Create Template' })
  await userEvent.click(send)
  expect(await screen.findByText('Tick each of these to send the template as it is.')).toBeTruthy()
  const warning = screen.getByRole('checkbox', { name: /^Say how to stop these messages/ })
  expect(document.activeElement).toBe(warning)
  await userEvent.click(warning)
  await userEvent.click(send)
  const card = await cardOf('new_tea')
  expect(card.getByText('Pending')).toBeTruthy()
})

test('what is wrong with buttons together is told for as long as it is', async () => {
  await openTemplates('?new=1')
  await userEvent.click(await screen.findByRole('button', { name: 'Quick reply' }))
  await userEvent.type(screen.getByLabelText('Quick reply text'), 'Yes')
  await userEvent.click(screen.getByRole('button', { name: 'Show products' }))
  const told = 'A button to the catalogue or to products stands alone'
  expect(await screen.findByText(told)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Remove button 1' }))
  await userEvent.type(await screen.findByLabelText('Product shown above the message'), 'tea-1')
  await waitFor(() => expect(screen.queryByText(told)).toBeNull())
})

test('a template that is not there leads back to the list', async () => {
  await openTemplates('?edit=gone')
  await userEvent.click(await screen.findByRole('button', { name: 'Show all templates' }))
  await cardOf('summer_sale')
})

test('what WhatsApp would refuse, and what it takes ill, is told while the template is written', async () => {
  const server = await openTemplates('?new=1')
  const body = await screen.findByLabelText('Body')
  await userEvent.click(screen.getByRole('button', { name: 'Quick reply' }))
  await userEvent.type(screen.getByLabelText('Quick reply text'), 'Yes')
  await userEvent.click(body)
  await userEvent.paste('Come and see us!! Your friend {{1}}')
  expect(await screen.findByText(/The message cannot end with a variable/)).toBeTruthy()
  expect(body.getAttribute('aria-invalid')).toBeNull()
  expect(screen.getAllByText(/Say how to stop these messages/)).toHaveLength(2)
  expect(screen.queryByText('Enter a sample value')).toBeNull()
  await userEvent.type(body, ' waits.')
  expect((await screen.findAllByText(/Repeated exclamation marks/)).length).toBeGreaterThan(0)
  await userEvent.type(screen.getByLabelText(/^Footer/), 'Reply STOP to opt out')
  await waitFor(() => expect(screen.queryByText(/Say how to stop these messages/)).toBeNull())
  expect(server.count('POST /api/templates')).toBe(0)
})

test.each([
  [{ status: 'approved', editedAt: [new Date().toISOString()] }, /^It can be changed again on /, true],
  [{ status: 'approved' }, 'Changes are reviewed again', false],
  [{ status: 'pending' }, 'WhatsApp is reviewing this template', true],
  [{ status: 'disabled' }, 'WhatsApp has disabled this template', true],
  [{ status: 'paused', editedAt: [new Date().toISOString()] }, undefined, false],
])('what %j allows of a change is said before it is written', async (over, title, isClosed) => {
  const server = stubServer(signedInServer())
  const stored = {
    id: 'template-7',
    version: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  }
  const texts = { name: 'tea_time', language: 'en', category: 'utility', body: 'Hello', buttons: [], examples: {} }
  server.answer('GET /api/templates/template-7', () => ({ json: { ...stored, ...texts, ...over } }))
  await openApp('/templates?edit=template-7')
  const send = await screen.findByRole('button', { name: 'Send for review' })
  expect(send.hasAttribute('disabled')).toBe(isClosed)
  if (title) expect(within(screen.getByRole('note')).getByRole('heading', { name: title })).toBeTruthy()
  else expect(screen.queryByRole('note')).toBeNull()
})

test('another language of a template keeps its name, and asks for the language', async () => {
  const server = await openTemplates()
  const sale = await cardOf('summer_sale')
  await userEvent.click(sale.getByRole('button', { name: 'Actions for summer_sale' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: /Add Language/ }))
  expect(await screen.findByLabelText('Name')).toMatchObject({ value: 'summer_sale', disabled: true })
  await userEvent.click(screen.getByRole('button', { name: 'Create Template' }))
  expect(await screen.findByText('Choose a language')).toBeTruthy()
  expect(server.calls.filter(({ method, path }) => method === 'POST' && path === '/api/templates')).toEqual([])
  await userEvent.type(screen.getByLabelText('Language'), 'Tamil')
  await userEvent.click(await screen.findByTitle('Tamil'))
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Most of the text is not in this language/ }))
  await userEvent.click(screen.getByRole('checkbox', { name: /^WhatsApp often rejects emoji/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Create Template' }))
  expect(await screen.findByText('summer_sale was sent for review')).toBeTruthy()
})

test('before a change is sent, the editor names the campaigns that would break', async () => {
  const broken = { id: 'campaign-9', status: 'paused', breaks: [{ kind: 'variable_new', key: 'city' }] }
  stubServer({
    ...signedInServer(),
    'POST /api/templates/template-3/usage': () =>
      Response.json({
        uses: [
          { ...broken, name: 'Long weekend' },
          { ...broken, id: 'campaign-8', name: 'Untouched', breaks: [] },
        ],
      }),
  })
  await openApp('/templates?edit=template-3')
  const body = await screen.findByLabelText('Body')
  expect(screen.queryByText('1 campaign would break')).toBeNull()
  await userEvent.type(body, ' See you in {{{{city}}.')
  expect(await screen.findByText('1 campaign would break')).toBeTruthy()
  expect(screen.getByText('Long weekend: it has no value for {{city}}')).toBeTruthy()
})

test('a header can be a picture: it is uploaded, stands in the preview, and is sent with the template', async () => {
  const server = await openTemplates('?new=1')
  const media = { id: 'file-1', mimeType: 'image/png', sizeBytes: 3, kind: 'image' }
  server.answer('POST /api/media', () => ({ status: 201, json: media }))
  await userEvent.type(await screen.findByLabelText('Name'), 'spring')
  await userEvent.click(screen.getByLabelText('Body'))
  await userEvent.paste('Our new teas are here.')
  await userEvent.type(screen.getByLabelText(/^Footer/), 'Reply STOP to opt out')
  await userEvent.click(screen.getByLabelText('Kind of header'))
  await userEvent.click(await screen.findByTitle('Picture'))
  const send = screen.getByRole('button', { name: 'Create Template' })
  await userEvent.click(send)
  expect((await screen.findAllByText('This template needs a picture')).length).toBeGreaterThan(0)
  const input = screen.getByLabelText('Choose a picture', { selector: 'input' })
  await userEvent.upload(input, new File(['GIF'], 'tea.gif', { type: 'image/gif' }), { applyAccept: false })
  expect(await screen.findByText('A picture is a JPEG or PNG of at most 5 MB')).toBeTruthy()
  await userEvent.upload(input, new File(['PNG'], 'tea.png', { type: 'image/png' }))
  expect(await screen.findByRole('img', { name: 'tea.png' })).toBeTruthy()
  await userEvent.click(send)
  await cardOf('spring')
  const sent = server.calls.find(({ method, path }) => method === 'POST' && path === '/api/templates')
  expect(JSON.parse(sent?.body ?? '').headerMedia).toEqual({
    kind: 'image',
    file: { mediaId: 'file-1', name: 'tea.png', mimeType: 'image/png', sizeBytes: 3 },
  })
})

test('an authentication template has options and no text of its own', async () => {
  const server = await openTemplates('?new=1')
  await userEvent.type(await screen.findByLabelText('Name'), 'sign_in_code')
  await userEvent.click(screen.getByLabelText('Category'))
  await userEvent.click(await screen.findByTitle('Authentication'))
  expect(screen.queryByLabelText('Body')).toBeNull()
  await userEvent.type(screen.getByLabelText(/^Minutes until it expires/), '5')
  expect(await screen.findByText('This code expires in 5 minutes.')).toBeTruthy()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Add security recommendation' }))
  await userEvent.click(screen.getByRole('button', { name: 'Create Template' }))
  await cardOf('sign_in_code')
  const sent = server.calls.find(({ method, path }) => method === 'POST' && path === '/api/templates')
  expect(JSON.parse(sent?.body ?? '')).toMatchObject({
    authentication: { securityRecommendation: false, expiresInMinutes: 5 },
    body: '*{{code}}* is your verification code.',
    buttons: [],
  })
})

test('where WhatsApp is likely to change the category, the price before and after stands at the finding', async () => {
  const server = await openTemplates('?new=1')
  const change = { currency: 'USD', country: 'other', nowMicros: 4_000, thenMicros: 25_000 }
  server.answer('POST /api/templates/lint', () => ({
    json: { findings: [], predictedCategory: 'marketing', priceChange: change },
  }))
  await userEvent.click(await screen.findByLabelText('Category'))
  await userEvent.click(await screen.findByTitle('Utility'))
  await userEvent.click(screen.getByLabelText('Body'))
  await userEvent.paste('Your order has left our shop. Take a discount of 20 on the next one.')
  const price =
    /WhatsApp is likely to treat this as marketing, at its price and rules: \$0\.025 in place of \$0\.004 a message/
  expect(await screen.findByRole('checkbox', { name: price })).toBeTruthy()
  // The reason alone is shown where prices are unknown.
  server.answer('POST /api/templates/lint', () => ({
    json: { findings: [], predictedCategory: 'marketing', priceChange: null },
  }))
  await userEvent.type(screen.getByLabelText('Body'), ' Thank you.')
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: price })).toBeNull())
  expect(screen.getByRole('checkbox', { name: /reads as advertising/ })).toBeTruthy()
})
