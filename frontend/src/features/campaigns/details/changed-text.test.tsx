import { createSampleDataset } from '@parley/sample/sample-dataset'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../../testing/stub-server.ts'

const text = (body: string) => ({ body, buttons: [] })
const change = { key: 'k2', unfilled: [] as string[], unsupported: [] as string[] }

async function openChanged(changed: object | null) {
  const server = stubServer(signedInServer())
  const campaign = createSampleDataset({ now: new Date() }).campaigns.get('campaign-5')
  const json = { ...campaign, templateVersion: 3, status: 'paused', pausedFor: 'template_changed' }
  server.answer('GET /api/campaigns/campaign-5', () => ({ json }))
  server.answer('GET /api/campaigns/campaign-5/text', () => ({ json: { text: text('Our tea is here.'), changed } }))
  await openApp('/broadcasts?id=campaign-5')
  const details = within(await screen.findByRole('dialog', { name: 'Cart reminders' }))
  const note = within(await details.findByRole('status'))
  return { server, details, note, campaign: json }
}

test('whoever sees what a template says by now continues with that text, or cancels', async () => {
  const { server, details, note, campaign } = await openChanged({ ...change, text: text('Our coffee is here.') })
  expect(await note.findByText('Our tea is here.')).toBeTruthy()
  expect(details.getByRole('heading', { name: /^Template \w+, version 3$/ })).toBeTruthy()
  expect(note.getByText('Our coffee is here.')).toBeTruthy()
  expect(details.queryByRole('button', { name: 'Resume' })).toBeNull()
  expect(details.getByRole('button', { name: 'Cancel campaign' })).toBeTruthy()
  let sent: unknown
  server.answer('POST /api/campaigns/campaign-5/status', ({ body = '' }) => {
    sent = JSON.parse(body)
    return { json: { ...campaign, status: 'active', pausedFor: undefined } }
  })
  await userEvent.click(note.getByRole('button', { name: 'Continue with the new text' }))
  await waitFor(() => expect(sent).toEqual({ action: 'resume', newText: 'k2' }))
})

test('a new text that the campaign has no values for can only be cancelled', async () => {
  const { note } = await openChanged({ ...change, text: text('Our {{2}} is here.'), unfilled: ['2'] })
  expect(await note.findByText(/The campaign has no value for \{\{2\}\} of the new text\./)).toBeTruthy()
  expect(note.queryByRole('button', { name: 'Continue with the new text' })).toBeNull()
})

test('a text that was changed back is simply resumed', async () => {
  const { note } = await openChanged(null)
  expect(await note.findByRole('button', { name: 'Resume' })).toBeTruthy()
})
