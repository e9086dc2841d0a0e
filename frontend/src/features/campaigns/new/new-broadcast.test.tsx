import { createSampleDataset } from '@parley/sample/sample-dataset'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { cardOf } from '../../../testing/card-of.ts'
import { openApp } from '../../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../../testing/stub-server.ts'

async function openCampaigns(query = '') {
  const server = stubServer(signedInServer())
  await openApp(`/broadcasts${query}`)
  return server
}

const next = () => userEvent.click(screen.getByRole('button', { name: 'Continue' }))

test('a new broadcast goes step by step and stands on top once it is created', async () => {
  await openCampaigns('?new=1&step=review&template=template-2')
  // Nothing is filled in yet, so the first step is shown.
  const name = await screen.findByLabelText('Campaign name')
  await next()
  expect(await screen.findByText('Enter a name')).toBeTruthy()
  await userEvent.type(name, 'Spring tea')
  await userEvent.click(await screen.findByRole('radio', { name: /VIP/ }))
  expect(await screen.findByText(/of \d+ contacts get the message/)).toBeTruthy()
  await next()
  expect(await screen.findByLabelText('Fallback for {{first_name}}')).toHaveProperty('value', 'there')
  await next()
  expect(await screen.findByText('Send from')).toBeTruthy()
  await next()
  const numbers = within(await screen.findByRole('region', { name: 'Numbers' }))
  expect(await screen.findByText('Ready to send')).toBeTruthy()
  expect(numbers.getByText(/^\d+ credits$/)).toBeTruthy()
  const prices = await numbers.findByRole('link', { name: 'enter your message prices' })
  expect(prices.getAttribute('href')).toBe('/settings?tab=billing')
  await userEvent.click(screen.getByRole('button', { name: 'Send now' }))
  const card = await cardOf('Spring tea')
  expect(card.getByText('Active')).toBeTruthy()
  expect(screen.getAllByRole('heading', { level: 2 })[0]?.textContent).toBe('Spring tea')
  await waitFor(() => expect(window.location.search).toBe('?id=draft-1'))
})

test('a template that is chosen late is not asked for any more', async () => {
  await openCampaigns('?new=1')
  await userEvent.type(await screen.findByLabelText('Campaign name'), 'Spring tea')
  await userEvent.click(await screen.findByRole('radio', { name: /VIP/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  const template = await screen.findByRole('combobox', { name: 'Template' })
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByText('Choose a template', { selector: 'p' })).toBeTruthy()
  await userEvent.click(template)
  await userEvent.click(await screen.findByTitle(/^summer_sale/))
  await waitFor(() => expect(screen.queryByText('Choose a template', { selector: 'p' })).toBeNull())
  expect(await screen.findByLabelText('Text for {{discount}}')).toBeTruthy()
})

test('a broadcast keeps to the sending hours, or is made an exception; one that waits says until when', async () => {
  const server = await openCampaigns('?new=1&step=review&template=template-2')
  const hours = { limited: true, zone: 'Asia/Kolkata', opens: '09:00', closes: '21:00', version: 1 }
  server.answer('GET /api/workspace/sending-hours', () => ({ json: hours }))
  await userEvent.type(await screen.findByLabelText('Campaign name'), 'Spring tea')
  await userEvent.click(await screen.findByRole('radio', { name: /VIP/ }))
  await next()
  expect(await screen.findByLabelText('Fallback for {{first_name}}')).toBeTruthy()
  await next()
  const exception = await screen.findByRole('switch', { name: 'Send outside of sending hours too' })
  expect(screen.getByText(/^Otherwise it waits and resumes automatically: 9:00\sAM to 9:00\sPM /)).toBeTruthy()
  await next()
  expect(await screen.findByText(/^Only from 9:00\sAM to 9:00\sPM /)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Edit schedule' }))
  await userEvent.click(await screen.findByRole('switch', { name: 'Send outside of sending hours too' }))
  expect(exception.isConnected).toBe(false)
  await next()
  expect(await screen.findByText('As soon as you send it')).toBeTruthy()
  expect(screen.queryByText(/^Only from/)).toBeNull()
  await screen.findByText('Ready to send')
  await userEvent.click(await screen.findByRole('button', { name: 'Send now' }))
  await cardOf('Spring tea')
  const { body } =
    server.calls.findLast(({ path, body }) => body && /^\/api\/campaigns(\/draft-\d+)?$/.test(path)) ?? {}
  expect(JSON.parse(body ?? '')).toMatchObject({ name: 'Spring tea', anyHour: true })

  const sampleDataset = createSampleDataset({ now: new Date() })
  const waits = { ...sampleDataset.campaigns.get('campaign-5'), waitsUntil: '2026-03-15T03:30:00.000Z' }
  server.answer('GET /api/campaigns/campaign-5', () => ({ json: waits }))
  await openApp('/broadcasts?id=campaign-5')
  expect(
    await screen.findByText(
      /outside of your sending hours for the remaining recipients\. It resumes automatically on Sun/,
    ),
  ).toBeTruthy()
})
