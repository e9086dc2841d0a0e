import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer, userWithRole } from '../../../testing/stub-server.ts'

const path = '/api/workspace/rate-cards'

async function openBilling(handlers: Parameters<typeof stubServer>[0] = {}) {
  const server = stubServer({ ...signedInServer(), ...handlers })
  await openApp('/settings?tab=billing')
  return { server, card: within(await screen.findByRole('region', { name: 'Message Prices' })) }
}
const bodyOf = (server: Awaited<ReturnType<typeof openBilling>>['server']) =>
  JSON.parse(server.calls.findLast(({ method }) => method === 'POST')?.body ?? '')

test('prices are entered for a country and for all others, and stand there as they hold', async () => {
  const { server, card } = await openBilling()
  await userEvent.click(await card.findByRole('button', { name: 'Enter Prices' }))
  const first = within(await card.findByRole('group', { name: 'Prices 1' }))
  await userEvent.click(card.getByRole('button', { name: 'Save Prices' }))
  expect(await first.findByText('Enter at least one price')).toBeTruthy()
  await userEvent.type(first.getByLabelText('Marketing'), 'a lot')
  expect(await first.findByText('Enter a price, such as 0.88')).toBeTruthy()
  await userEvent.clear(first.getByLabelText('Marketing'))
  await userEvent.type(first.getByLabelText('Marketing'), '0,8825')
  await userEvent.click(card.getByRole('button', { name: 'Add country' }))
  const second = within(await card.findByRole('group', { name: 'Prices 2' }))
  await userEvent.click(second.getByRole('combobox', { name: 'Country' }))
  await userEvent.click(await screen.findByTitle('Every other country'))
  await userEvent.type(second.getByLabelText('Utility'), '5')
  await userEvent.click(card.getByRole('button', { name: 'Save Prices' }))
  expect(await card.findByText('In force')).toBeTruthy()
  expect(bodyOf(server)).toMatchObject({
    currency: 'INR',
    rates: [
      { country: 'IN', category: 'marketing', priceMicros: 882_500 },
      { country: 'other', category: 'utility', priceMicros: 5_000_000 },
    ],
  })
  const india = within(card.getByRole('row', { name: /^India/ }))
  expect(india.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['₹0.8825', '–', '–'])
})

test('prices that hold are changed from tomorrow on; what is to come can be taken back', async () => {
  const { card } = await openBilling()
  await userEvent.click(await card.findByRole('button', { name: 'Enter Prices' }))
  await userEvent.type(await card.findByLabelText('Marketing'), '1')
  await userEvent.click(card.getByRole('button', { name: 'Save Prices' }))
  await userEvent.click(await card.findByRole('button', { name: 'Change Prices' }))
  const marketing = await card.findByLabelText<HTMLInputElement>('Marketing')
  expect(marketing.value).toBe('1')
  await userEvent.clear(marketing)
  await userEvent.type(marketing, '2')
  await userEvent.click(card.getByRole('button', { name: 'Save Prices' }))
  expect(await card.findByText('Coming')).toBeTruthy()
  expect(card.getByText('In force')).toBeTruthy()
  await userEvent.click(card.getByRole('button', { name: /^Remove the prices from/ }))
  await waitFor(() => expect(card.queryByText('Coming')).toBeNull())
  expect(card.getByText('In force')).toBeTruthy()
})

test('what could not be saved is kept, with the reason', async () => {
  const { card } = await openBilling({
    [`POST ${path}`]: () => ({
      status: 409,
      json: errorOf('wrong_state', 'There are prices from this day on already.'),
    }),
  })
  await userEvent.click(await card.findByRole('button', { name: 'Enter Prices' }))
  await userEvent.type(await card.findByLabelText('Marketing'), '1')
  await userEvent.click(card.getByRole('button', { name: 'Save Prices' }))
  expect(await screen.findByText('There are prices from this day on already.')).toBeTruthy()
  expect(card.getByLabelText<HTMLInputElement>('Marketing').value).toBe('1')
})

test('who may not change the workspace reads the prices', async () => {
  const { card } = await openBilling({
    'GET /api/auth/user': () => userWithRole('agent'),
    [`GET ${path}`]: () => ({
      json: {
        items: [cardFrom('2100-01-01', true), cardFrom('2026-01-01', false)],
      },
    }),
  })
  expect(await card.findByText('Coming')).toBeTruthy()
  expect(card.getAllByRole('cell', { name: '₹0.88' })).toHaveLength(2)
  await waitFor(() => expect(card.queryAllByRole('button')).toEqual([]))
})

const cardFrom = (effectiveFrom: string, coming: boolean) => ({
  id: effectiveFrom,
  effectiveFrom,
  coming,
  currency: 'INR',
  source: '',
  rates: [{ country: 'IN', category: 'marketing', priceMicros: 880_000 }],
  createdAt: '2026-01-01T00:00:00.000Z',
})
