import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer } from '../../testing/stub-server.ts'

const path = '/api/workspace/opening-hours'

async function openCard(handlers: Parameters<typeof stubServer>[0] = {}) {
  const server = stubServer({ ...signedInServer(), ...handlers })
  await openApp('/settings?tab=account')
  return { server, card: within(await screen.findByRole('region', { name: 'Opening Hours' })) }
}
const bodyOf = (server: Awaited<ReturnType<typeof openCard>>['server']) =>
  JSON.parse(server.calls.findLast(({ method }) => method === 'PUT')?.body ?? '')

test('a day gets a second span, a day is closed, and both are saved', async () => {
  const { server, card } = await openCard()
  await userEvent.click(await card.findByRole('button', { name: 'Add Hours' }))
  expect(card.getAllByLabelText('From')).toHaveLength(6)
  fireEvent.change(card.getAllByLabelText('From')[5] as Element, { target: { value: '18:00' } })
  fireEvent.change(card.getAllByLabelText('To')[5] as Element, { target: { value: '20:00' } })
  await userEvent.click(card.getByRole('button', { name: 'Remove hours 1' }))
  await userEvent.type(card.getByLabelText(/Closed on/), '2026-12-25{Enter}')
  await userEvent.type(card.getByLabelText(/Answer outside these hours/), 'We are closed.')
  await userEvent.click(card.getByRole('button', { name: 'Save Opening Hours' }))
  expect(await screen.findByText('The opening hours are saved.')).toBeTruthy()
  const body = bodyOf(server)
  expect(body.spans).toHaveLength(5)
  expect(body.spans.at(-1)).toEqual({ day: 6, from: '18:00', to: '20:00' })
  expect(body).toMatchObject({
    timeZone: 'Asia/Kolkata',
    closedOn: ['2026-12-25'],
    awayAnswer: 'We are closed.',
    version: 0,
  })
})

test('a time that is missing is told, and nothing is saved', async () => {
  const { server, card } = await openCard()
  fireEvent.change((await card.findAllByLabelText('To'))[0] as Element, { target: { value: '' } })
  await userEvent.click(card.getByRole('button', { name: 'Save Opening Hours' }))
  expect(await card.findByText('Enter a time')).toBeTruthy()
  expect(server.count(`PUT ${path}`)).toBe(0)
})

test('hours that a colleague saved meanwhile are shown, and not overwritten unseen', async () => {
  const current = { timeZone: 'Europe/Berlin', spans: [], closedOn: [], version: 3 }
  const { server, card } = await openCard({
    [`PUT ${path}`]: () => ({
      status: 409,
      json: { ...errorOf('stale_version', 'This setting was changed elsewhere meanwhile.'), current },
    }),
  })
  await userEvent.type(await card.findByLabelText(/Closed on/), '2026-12-25{Enter}')
  await userEvent.click(card.getByRole('button', { name: 'Save Opening Hours' }))
  expect(await screen.findByText('This setting was changed elsewhere meanwhile.')).toBeTruthy()
  expect(await card.findByText('None: the business counts as open at all hours.')).toBeTruthy()
  await userEvent.click(card.getByRole('button', { name: 'Save Opening Hours' }))
  await waitFor(() => expect(server.count(`PUT ${path}`)).toBe(2))
  expect(bodyOf(server)).toMatchObject({ timeZone: 'Europe/Berlin', closedOn: ['2026-12-25'], version: 3 })
})
