import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { cardOf } from '../../../testing/card-of.ts'
import { openApp } from '../../../testing/open-app.tsx'
import { openTemplates } from '../../../testing/open-templates.tsx'
import { signedInServer, stubServer } from '../../../testing/stub-server.ts'

const stored = {
  id: 'template-7',
  version: 4,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  name: 'tea_time',
  language: 'en',
  category: 'utility',
  buttons: [],
  examples: {},
  status: 'approved',
  body: 'Your tea is ready.',
}

test('the editor begins with the draft of a template, sends it for review, or drops it', async () => {
  const content = { ...stored, name: 'tea', category: 'marketing', body: 'Your tea waits for you.' }
  const server = stubServer({
    ...signedInServer(),
    'GET /api/templates/template-7': () => Response.json({ ...stored, draft: { from: 1, content } }),
    'DELETE /api/templates/template-7/draft': () => Response.json({ ...stored, version: 5 }),
  })
  await openApp('/templates?edit=template-7')
  const body = await screen.findByLabelText('Body')
  expect(body).toHaveProperty('value', 'Your tea waits for you.')
  expect(screen.getByText('Draft with the text of version 1')).toBeTruthy()
  // Fields that WhatsApp does not let change stay.
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'tea_time')
  await userEvent.click(screen.getByRole('button', { name: 'Discard draft' }))
  await waitFor(() => expect(body).toHaveProperty('value', 'Your tea is ready.'))
  expect(screen.queryByText('Draft with the text of version 1')).toBeNull()
  expect(server.calls.filter(({ method }) => method === 'PATCH')).toEqual([])
  server.answer('PATCH /api/templates/template-7', ({ body: sent }) => ({
    json: { ...stored, ...JSON.parse(sent ?? ''), version: 6, status: 'pending' },
  }))
  await userEvent.type(body, ' Come soon.')
  await userEvent.click(screen.getByRole('button', { name: 'Send for review' }))
  expect(await screen.findByText('tea_time was sent for review')).toBeTruthy()
  const sent = server.calls.find(({ method }) => method === 'PATCH')
  expect(JSON.parse(sent?.body ?? '')).toMatchObject({ version: 5, body: 'Your tea is ready. Come soon.' })
})

test('what is written is saved as a draft, whatever WhatsApp would refuse of it, and is found again in the list', async () => {
  const server = await openTemplates('?new=1')
  const saved = () => server.calls.filter(({ method, path }) => method === 'POST' && path === '/api/templates')
  await screen.findByLabelText('Name')
  const save = () => screen.getByRole('button', { name: 'Save draft' })
  expect(save()).toHaveProperty('disabled', true)
  await userEvent.type(screen.getByLabelText('Name'), 'Spring')
  await userEvent.click(save())
  expect(await screen.findByText('Enter the message')).toBeTruthy()
  expect([saved(), document.activeElement]).toEqual([[], screen.getByLabelText('Body')])
  await userEvent.paste('Hello {{1}}')
  save().focus()
  await userEvent.keyboard('{Enter}{Enter}')
  expect(await screen.findByText('Draft saved')).toBeTruthy()
  expect(saved().map(({ body }) => JSON.parse(body ?? ''))).toEqual([
    expect.objectContaining({ name: 'spring', body: 'Hello {{1}}', review: false }),
  ])
  // It is edited from now on, also under another name.
  expect(await screen.findByRole('button', { name: 'Send for review' })).toHaveProperty('disabled', false)
  expect(screen.getByLabelText('Name')).toMatchObject({ value: 'spring', disabled: false })
  expect(save()).toHaveProperty('disabled', true)
  await userEvent.type(screen.getByLabelText('Name'), '_tea')
  await userEvent.click(save())
  await waitFor(() => expect(server.calls.filter(({ method }) => method === 'PUT')).toHaveLength(1))
  await waitFor(() => expect(save()).toHaveProperty('disabled', true))
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  const card = await cardOf('spring_tea')
  expect(card.getByText('Draft')).toBeTruthy()
  expect(card.queryByRole('button', { name: /^Use Template/ })).toBeNull()
  await userEvent.click(card.getByRole('button', { name: 'Actions for spring_tea' }))
  expect(screen.queryByRole('menuitem', { name: /Delete at WhatsApp Now/ })).toBeNull()
  await userEvent.keyboard('{Escape}')
  await userEvent.click(card.getByRole('button', { name: 'Edit spring_tea' }))
  expect(await screen.findByLabelText('Body')).toHaveProperty('value', 'Hello {{1}}')
  expect(saved()).toHaveLength(1)
})

test('the draft of an approved template waits beside it; what is written while it is saved stays', async () => {
  const server = stubServer(signedInServer())
  let answerSave = () => {}
  const held = new Promise<void>((resolve) => {
    answerSave = resolve
  })
  server.answer('GET /api/templates/template-7', () => ({ json: stored }))
  server.answer('PUT /api/templates/template-7/draft', async ({ body: sent }) => {
    await held
    const { version: _version, ...content } = JSON.parse(sent ?? '')
    return { json: { ...stored, version: 5, draft: { content } } }
  })
  await openApp('/templates?edit=template-7')
  const body = await screen.findByLabelText('Body')
  await userEvent.type(body, ' Come soon')
  await userEvent.click(screen.getByRole('button', { name: 'Save draft' }))
  await userEvent.type(body, ', please.')
  answerSave()
  expect(await screen.findByText('Draft saved')).toBeTruthy()
  expect(await screen.findByRole('heading', { name: 'A draft is waiting' })).toBeTruthy()
  expect(body).toHaveProperty('value', 'Your tea is ready. Come soon, please.')
  const sent = server.calls.filter(({ method }) => method === 'PUT').map((call) => JSON.parse(call.body ?? ''))
  expect(sent).toEqual([expect.objectContaining({ version: 4, body: 'Your tea is ready. Come soon' })])
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(await screen.findByText('Leave without saving?')).toBeTruthy()
})

test('a draft that somebody else has saved meanwhile is brought together with what is written', async () => {
  const server = stubServer(signedInServer())
  const draft = { ...stored, status: 'draft', version: 5, footer: 'Chai & Co' }
  server.answer('GET /api/templates/template-7', () => ({ json: { ...draft, footer: undefined, version: 4 } }))
  const stale = { code: 'stale_version', message: 'Somebody was faster.', requestId: 'r', fields: {}, current: draft }
  server.answer('PUT /api/templates/template-7/draft', () => ({ status: 409, json: stale }))
  await openApp('/templates?edit=template-7')
  await userEvent.type(await screen.findByLabelText('Body'), ' Come soon.')
  await userEvent.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(screen.getByLabelText(/^Footer/)).toHaveProperty('value', 'Chai & Co'))
  expect(screen.getByLabelText('Body')).toHaveProperty('value', 'Your tea is ready. Come soon.')
})
