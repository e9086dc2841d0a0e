import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { cardOf } from '../../testing/card-of.ts'
import { openApp } from '../../testing/open-app.tsx'
import { openTemplates } from '../../testing/open-templates.tsx'
import { eventOf, signedInServer, stubEvents, stubServer, unavailable } from '../../testing/stub-server.ts'

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

test('a product that is set says at each field what is wrong with it, before anything is sent', async () => {
  const server = stubServer(signedInServer())
  const known = [...server.workspace.templates.values()].find(({ status }) => status === 'approved')
  if (!known) throw new Error('The sample has no approved template.')
  const product = { kind: 'product' as const }
  server.workspace.templates.set('tea', { ...known, id: 'tea', name: 'tea_of_the_day', headerMedia: product })
  await openApp('/templates')
  const card = await cardOf('tea_of_the_day')
  await userEvent.click(card.getByRole('button', { name: 'Actions for tea_of_the_day' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: /Set Product/ }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText('Catalogue ID'), 'abc')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText('Enter a product')).toBeTruthy()
  expect(dialog.getByText('Enter the catalogue’s ID, which has digits only')).toBeTruthy()
  // Words beside a variable would be refused by the server: they are told while they are written.
  await userEvent.click(dialog.getByLabelText('Product (content ID)'))
  await userEvent.paste('tea {{2}}')
  expect(
    await dialog.findByText(/^Enter a product’s content ID of at most 100 characters, or one variable/),
  ).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(server.calls.some(({ path }) => path.endsWith('/header'))).toBe(false)
})

test('what the address asks for is what is shown', async () => {
  await openTemplates('?status=rejected&category=authentication')
  await cardOf('account_code')
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(1)
  await openTemplates('?q=nothing+like+it')
  await userEvent.click(await screen.findByRole('button', { name: 'Clear filters' }))
  await cardOf('summer_sale')
})

test('a failed read can be tried again, and an empty workspace offers the first step', async () => {
  const reads = ['GET /api/templates', 'GET /api/templates/summary', 'GET /api/templates/sync']
  const server = stubServer({ ...signedInServer(), ...Object.fromEntries(reads.map((read) => [read, unavailable])) })
  await openApp('/templates')
  // With the stream of events all is read once more, during which nothing can be pressed.
  await waitFor(() => expect(server.count('GET /api/templates')).toBe(2))
  await waitFor(() => expect(counters()).toEqual(['–', '–', '–', '–']))
  const retry = await screen.findByRole('button', { name: 'Retry' })
  for (const read of reads) server.answer(read, () => undefined)
  await userEvent.click(retry)
  await cardOf('summer_sale')
  await waitFor(() => expect(counters()).toEqual(['12', '8', '2', '2']))
  await openTemplates('', 0)
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
  const record = {
    id: 'template-9',
    version: 2,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-02T00:00:00.000Z',
  }
  const texts = { name: 'eid_collection', language: 'ar', category: 'marketing', body: 'x', buttons: [], examples: {} }
  const item = {
    ...record,
    ...texts,
    status: 'paused',
    statusDetail: 'Paused for 3 hours.',
    unsupported: ['image header'],
  }
  const page = { items: [item], nextCursor: null, previousCursor: null, total: 1 }
  server.answer('GET /api/templates', () => ({ json: page }))
  events.send('template.changed', eventOf('template.changed', { templateId: 'template-9' }, 2))
  await waitFor(async () => expect((await cardOf('eid_collection')).getByText('Paused')).toBeTruthy())
  const card = await cardOf('eid_collection')
  expect(card.getByText('Paused for 3 hours.')).toBeTruthy()
  expect(card.getByText('Also has: image header')).toBeTruthy()
})

const syncRun = (over: object) => ({
  id: 'run-1',
  accountId: '1',
  seen: 80,
  changed: 2,
  gone: 0,
  startedAt: new Date().toISOString(),
  endedAt: new Date().toISOString(),
  ...over,
})
const synced = (latest: object[]) => ({
  running: false,
  syncedAt: new Date().toISOString(),
  latest,
  items: [],
  nextCursor: null,
  previousCursor: null,
  total: 0,
})

test('when the templates were last compared with WhatsApp, and what came of it, stands beside the button', async () => {
  const server = await openTemplates()
  await cardOf('summer_sale')
  expect(screen.queryByText(/^Last synced/)).toBeNull()
  server.answer('GET /api/templates/sync', () => ({ json: synced([syncRun({})]) }))
  await openApp('/templates')
  expect(await screen.findByText(/^Last synced \d{1,2}:\d{2}.*, 80 templates, 2 changed$/)).toBeTruthy()
  const two = [syncRun({}), syncRun({ id: 'run-2', accountId: '2', seen: 4, changed: 0, gone: 1 })]
  server.answer('GET /api/templates/sync', () => ({ json: synced(two) }))
  await openApp('/templates')
  expect(await screen.findByText(/^Last synced .+, 84 templates, 2 changed, 1 gone$/)).toBeTruthy()
})

test('templates are compared with those at WhatsApp by hand', async () => {
  const server = await openTemplates()
  const state = { running: true, syncedAt: null, latest: [] }
  server.answer('POST /api/templates/sync', () => ({ status: 202, json: state }))
  await cardOf('summer_sale')
  await userEvent.click(screen.getByRole('button', { name: 'Sync' }))
  await waitFor(() => expect(server.count('POST /api/templates/sync')).toBe(1))
})

test('why templates could not be compared with those at WhatsApp is said above them, for phones too', async () => {
  const problem = 'The access token has expired.'
  const error = { code: 'access_refused', message: problem }
  stubServer({
    ...signedInServer(),
    'GET /api/templates/sync': () => ({ json: { ...synced([syncRun({ error })]), problem } }),
  })
  await openApp('/templates')
  expect(await screen.findByText(`Your templates could not be synced with WhatsApp: ${problem}`)).toBeTruthy()
  expect(
    screen.getByText(
      /^Enter a new access token for a number of this account under WhatsApp Numbers\. Last synced .+\. You see them as they were then\.$/,
    ),
  ).toBeTruthy()
  expect(screen.getAllByRole('link', { name: 'WhatsApp Numbers' }).at(-1)?.getAttribute('href')).toBe(
    '/whatsapp-numbers',
  )
})
