import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { eventOf, signedInServer, stubEvents, stubServer } from '../../testing/stub-server.ts'

async function openTemplates(query = '') {
  const server = stubServer(signedInServer())
  await openApp(`/templates${query}`)
  return server
}

const cardOf = async (name: string) => {
  const card = (await screen.findByRole('heading', { level: 2, name })).closest('li')
  if (!card) throw new Error(`${name} stands in no card.`)
  return within(card)
}

const counters = () =>
  ['Total', 'Approved', 'Pending', 'Rejected'].map(
    (label) => screen.getAllByText(label).find((node) => node.tagName === 'DT')?.nextSibling?.textContent,
  )

test('the counters add up, and a card says what matters of a template', async () => {
  await openTemplates()
  const sale = await cardOf('summer_sale')
  for (const text of ['Marketing', 'Approved', 'EN', '{{first_name}}']) expect(sale.getByText(text)).toBeTruthy()
  expect(sale.getByRole('button', { name: /^Use Template/ }).hasAttribute('disabled')).toBe(false)
  const deal = await cardOf('flash_deal')
  expect(deal.getByRole('button', { name: /^Use Template/ }).hasAttribute('disabled')).toBe(true)
  expect(deal.getByText('WhatsApp rejected it: edit it first')).toBeTruthy()
  await waitFor(() => expect(counters()).toEqual(['12', '8', '2', '2']))
})

test('an approved template is sent to one contact as a test, with values of its own', async () => {
  const server = await openTemplates()
  const sale = await cardOf('summer_sale')
  await userEvent.click(sale.getByRole('button', { name: 'Actions for summer_sale' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: /Send Test/ }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'Send' }))
  expect(await dialog.findByText('Choose a contact.')).toBeTruthy()
  await userEvent.type(dialog.getByRole('combobox', { name: 'To' }), 'Priya')
  await userEvent.click(await screen.findByTitle(/^Priya Sharma/))
  const name = dialog.getByLabelText('{{first_name}}')
  await userEvent.clear(name)
  await userEvent.type(name, 'Priya of the test')
  expect(dialog.getAllByText(/Priya of the test/).length).toBeGreaterThan(0)
  await userEvent.click(dialog.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(window.location.pathname).toBe('/conversations'))
  const sent = server.calls.find(({ method, path }) => method === 'POST' && path.endsWith('/templates'))
  expect(JSON.parse(sent?.body ?? '').values).toMatchObject({ first_name: 'Priya of the test' })
})

test('what the address asks for is what is shown', async () => {
  await openTemplates('?status=rejected&category=authentication')
  await cardOf('account_code')
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(1)
  await openTemplates('?q=nothing+like+it')
  await userEvent.click(await screen.findByRole('button', { name: 'Clear filters' }))
  await cardOf('summer_sale')
})

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

test('a template that is not there leads back to the list', async () => {
  await openTemplates('?edit=gone')
  await userEvent.click(await screen.findByRole('button', { name: 'Show all templates' }))
  await cardOf('summer_sale')
})

test('a failed read can be tried again, and an empty workspace offers the first step', async () => {
  await openTemplates('?state=error')
  const retry = await screen.findByRole('button', { name: 'Retry' })
  await waitFor(() => expect(counters()).toEqual(['–', '–', '–', '–']))
  window.history.replaceState(null, '', '/templates')
  await userEvent.click(retry)
  await cardOf('summer_sale')
  await waitFor(() => expect(counters()).toEqual(['12', '8', '2', '2']))
  await openTemplates('?state=empty')
  expect(await screen.findByText('Write your first template')).toBeTruthy()
})

test('what WhatsApp decides shows without a reload', async () => {
  const server = stubServer(signedInServer())
  const events = stubEvents()
  server.answer('GET /api/events', () => events.response())
  await openApp('/templates')
  const pending = await cardOf('eid_collection')
  expect(pending.getByText('Pending')).toBeTruthy()
  await waitFor(() => expect(events.readers()).toBe(1))
  const told = {
    id: 'template-9',
    version: 2,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-02T00:00:00.000Z',
  }
  const texts = { name: 'eid_collection', language: 'ar', category: 'marketing', body: 'x', buttons: [], examples: {} }
  const item = {
    ...told,
    ...texts,
    status: 'paused',
    statusDetail: 'Paused for 3 hours.',
    unsupported: ['image header'],
  }
  const page = { items: [item], nextCursor: null, previousCursor: null, total: 1 }
  server.answer('GET /api/templates', () => ({ json: page }))
  events.tell('template.changed', eventOf('template.changed', { templateId: 'template-9' }, 2))
  await waitFor(async () => expect((await cardOf('eid_collection')).getByText('Paused')).toBeTruthy())
  const card = await cardOf('eid_collection')
  expect(card.getByText('Paused for 3 hours.')).toBeTruthy()
  expect(card.getByText('Also has: image header')).toBeTruthy()
})

test('templates are compared with those at WhatsApp by hand', async () => {
  const server = await openTemplates()
  const state = { running: true, syncedAt: null }
  server.answer('POST /api/templates/sync', () => ({ status: 202, json: state }))
  await cardOf('summer_sale')
  await userEvent.click(screen.getByRole('button', { name: 'Sync' }))
  await waitFor(() => expect(server.count('POST /api/templates/sync')).toBe(1))
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

test('why templates could not be compared with those at WhatsApp is said above them, for phones too', async () => {
  const problem = 'The access token has expired.'
  const syncedAt = new Date(Date.now() - 3 * 3600_000).toISOString()
  stubServer({
    ...signedInServer(),
    'GET /api/templates/sync': () => ({ json: { running: false, syncedAt, problem } }),
  })
  await openApp('/templates')
  expect(await screen.findByText(`WhatsApp could not be asked about your templates: ${problem}`)).toBeTruthy()
  expect(screen.getByText(/^Last compared with WhatsApp: 3\sh ago\. They are shown as they were then\.$/)).toBeTruthy()
})

const version = (number: number, over: object) => ({
  ...{ number, submittedAt: '2026-11-20T10:00:00.000Z', submittedBy: 'somebody' },
  content: {
    ...{ name: 'summer_sale', language: 'en', category: 'marketing', buttons: [], examples: {} },
    body: `Text number ${number}.`,
  },
  ...over,
})

test('a drawer names who sends a template and what came of each version; an earlier one is written from', async () => {
  const server = stubServer({
    ...signedInServer(),
    'GET /api/templates/template-3/uses': () =>
      Response.json({ campaigns: [{ id: 'campaign-9', name: 'Long weekend', status: 'paused' }] }),
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
    '/campaigns?id=campaign-9',
  )
  const versions = within(screen.getByRole('region', { name: 'Versions' }))
  expect(await versions.findByText('It promises too much.')).toBeTruthy()
  await userEvent.click(versions.getByRole('button', { name: 'Write from this version' }))
  expect(await screen.findByLabelText('Body')).toHaveProperty('value', 'Text number 1.')
  expect(server.calls.filter(({ method }) => method === 'PATCH')).toEqual([])
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
