import { createStory } from '@parley/sample/story'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../../testing/stub-server.ts'

async function openCampaigns(query = '') {
  const server = stubServer(signedInServer())
  await openApp(`/broadcasts${query}`)
  return server
}

const cardOf = async (name: string) => {
  const card = (await screen.findByRole('heading', { level: 2, name })).closest('li')
  if (!card) throw new Error(`${name} stands in no card.`)
  return within(card)
}

const next = () => userEvent.click(screen.getByRole('button', { name: 'Continue' }))
/** A campaign to one segment, with everything else as it is offered. */
async function fillUpToReview(): Promise<void> {
  await userEvent.type(await screen.findByLabelText('Campaign name'), 'Spring tea')
  await userEvent.click(await screen.findByRole('radio', { name: /VIP/ }))
  await next()
  expect(await screen.findByLabelText('Fallback for {{first_name}}')).toHaveProperty('value', 'there')
  await next()
  expect(await screen.findByText('Send from')).toBeTruthy()
  await next()
}

test('a new broadcast goes step by step and stands on top once it is created', async () => {
  await openCampaigns('?new=1&step=review&template=template-2')
  // Nothing is filled in yet, so the first step stands there.
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
  expect(numbers.getByText(/^\d+ credits$/)).toBeTruthy()
  const prices = await numbers.findByRole('link', { name: 'enter your message prices' })
  expect(prices.getAttribute('href')).toBe('/settings?tab=billing')
  await userEvent.click(await screen.findByRole('button', { name: 'Send now' }))
  const card = await cardOf('Spring tea')
  expect(card.getByText('Active')).toBeTruthy()
  expect(screen.getAllByRole('heading', { level: 2 })[0]?.textContent).toBe('Spring tea')
  await waitFor(() => expect(window.location.search).toBe(''))
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

test('a review warns where the number may write first to fewer customers than the campaign is for', async () => {
  const server = await openCampaigns('?new=1&step=review&template=template-2')
  const excluded = { optedOut: 0, noOptIn: 0, recentlyMessaged: 0, blocked: 0, unreachable: 0 }
  const counts = (reachable: number) => ({ json: { audience: reachable, excluded, reachable } })
  server.answer('POST /api/campaigns/preview', () => counts(10_001))
  await fillUpToReview()
  const numbers = within(await screen.findByRole('region', { name: 'Numbers' }))
  expect(
    await numbers.findByText(/write first to 10,000 customers in 24 hours, and this campaign is for 10,001/),
  ).toBeTruthy()
  // It is a warning: sending is up to the person.
  expect(screen.getByRole('button', { name: 'Send now' })).toHaveProperty('disabled', false)
})

test('a review shows what is left of the plan, and what does not fit is not sent', async () => {
  const server = await openCampaigns('?new=1&step=review&template=template-2')
  const usage = {
    ...{ plan: 'Starter', planId: 'starter', price: { amount: 99_900, currency: 'INR' }, choosable: false },
    ...{ from: '2026-11-09', to: '2026-12-09', endsAt: '2026-12-08T18:30:00Z' },
    ...{ renews: true, ended: false, limited: true },
    messages: { limit: 25_000, used: 0, held: 0, left: 25_000 },
  }
  const credits = (held: number) => ({ limit: 25_000, used: 24_000, held, left: 1_000 - held })
  server.answer('GET /api/usage', () => ({ json: { ...usage, credits: credits(950) } }))
  const excluded = { optedOut: 0, noOptIn: 0, recentlyMessaged: 0, blocked: 0, unreachable: 0 }
  server.answer('POST /api/campaigns/preview', () => ({ json: { audience: 51, excluded, reachable: 51 } }))
  await fillUpToReview()
  const quota = within(await screen.findByRole('region', { name: 'Quota' }))
  const lines = screen.getByRole('region', { name: 'Quota' }).querySelectorAll('dl > div')
  expect([...lines].map(({ textContent }) => textContent)).toEqual([
    'This campaign needs51',
    'Starter allows25,000',
    'Used24,000',
    'Held by campaigns950',
    'Left50',
  ])
  expect(quota.getByText('Renewed on Dec 9, 2026.')).toBeTruthy()
  expect(quota.getByRole('alert').textContent).toMatch(/^This campaign needs 51 credits, and 50 of 25,000 are left/)
  expect(screen.getByRole('button', { name: 'Send now' })).toHaveProperty('disabled', true)
  server.answer('GET /api/usage', () => ({ json: { ...usage, credits: credits(949) } }))
  await userEvent.click(screen.getByRole('button', { name: 'Edit schedule' }))
  await next()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Send now' })).toHaveProperty('disabled', false))
  expect(screen.queryByText(/^This campaign needs 51 credits/)).toBeNull()
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
  expect(screen.getByText(/^Otherwise it waits and goes on by itself: 9:00\sAM to 9:00\sPM /)).toBeTruthy()
  await next()
  expect(await screen.findByText(/^Only from 9:00\sAM to 9:00\sPM /)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Edit schedule' }))
  await userEvent.click(await screen.findByRole('switch', { name: 'Send outside of sending hours too' }))
  expect(exception.isConnected).toBe(false)
  await next()
  expect(await screen.findByText('As soon as it is created')).toBeTruthy()
  expect(screen.queryByText(/^Only from/)).toBeNull()
  await userEvent.click(await screen.findByRole('button', { name: 'Send now' }))
  await cardOf('Spring tea')
  const { body } = server.calls.findLast(({ method, path }) => method === 'POST' && path === '/api/campaigns') ?? {}
  expect(JSON.parse(body ?? '')).toMatchObject({ name: 'Spring tea', anyHour: true })

  const story = createStory({ now: new Date() })
  const waits = { ...story.campaigns.get('campaign-5'), waitsUntil: '2026-03-15T03:30:00.000Z' }
  server.answer('GET /api/campaigns/campaign-5', () => ({ json: waits }))
  await openApp('/broadcasts?id=campaign-5')
  expect(await screen.findByText(/outside of your sending hours\. It goes on by itself on Sun/)).toBeTruthy()
})
