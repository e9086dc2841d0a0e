import { defaultApprovalRules, ownersSetPrices } from '@parley/contracts/platform/approvals'
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
  await userEvent.type(first.getByLabelText('Service (replies)'), '0.2')
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
      { country: 'IN', category: 'service', priceMicros: 200_000 },
      { country: 'other', category: 'utility', priceMicros: 5_000_000 },
    ],
  })
  const india = within(card.getByRole('row', { name: /^India/ }))
  expect(india.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['₹0.8825', '–', '–', '–', '₹0.20'])
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

test('a rate card of Meta is read from its file: what changes is shown before it is saved, the rest is kept', async () => {
  const before = cardFrom('2026-01-01', false)
  const service = { country: 'IN', category: 'service', priceMicros: 200_000 }
  const { server, card } = await openBilling({
    [`GET ${path}`]: () => ({ json: { items: [{ ...before, rates: [...before.rates, service] }] } }),
  })
  await card.findByRole('button', { name: 'Read From File' })
  const choose = async (text: string) =>
    userEvent.upload(card.getByLabelText('Rate card'), new File([text], 'INR rates.csv', { type: 'text/csv' }))
  await waitFor(() => expect(card.getByRole('button', { name: 'Read From File' })).toHaveProperty('disabled', false))
  await choose('Name,Phone\nAnn,1')
  expect(await screen.findByText(/^This is not a rate card/)).toBeTruthy()
  await choose(
    'Market,Currency,Marketing,Utility,Authentication\nIndia,INR,0.95,0.115,0.115\nRest of Africa,INR,2,1,1\nAtlantis,INR,1,1,1\n',
  )
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByText(/^No country is known for Atlantis/)).toBeTruthy()
  const india = within(dialog.getByRole('row', { name: /^India/ }))
  expect(india.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual([
    '₹0.88 now ₹0.95',
    '– now ₹0.115',
    '– now ₹0.115',
  ])
  expect(dialog.getByRole('row', { name: /^Rest of Africa · 41 countries/ })).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Save Prices' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const { currency, rates, source } = bodyOf(server)
  expect([currency, source, rates.length]).toEqual(['INR', 'INR rates.csv', 42 * 3 + 1])
  expect(rates).toContainEqual(service)
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

test('where campaigns above a cost need an approval, an admin reads the prices, and an owner changes them', async () => {
  const { card } = await openBilling({
    'GET /api/auth/user': () => userWithRole('admin'),
    'GET /api/workspace/approvals': () => ({ json: { ...defaultApprovalRules, campaignCost: 100 } }),
    [`GET ${path}`]: () => ({ json: { items: [cardFrom('2100-01-01', true)] } }),
  })
  expect(await card.findByText(ownersSetPrices)).toBeTruthy()
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
