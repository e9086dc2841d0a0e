import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer } from '../../testing/stub-server.ts'

const path = '/api/workspace/sending-hours'

async function openAccount(handlers: Parameters<typeof stubServer>[0] = {}) {
  const server = stubServer({ ...signedInServer(), ...handlers })
  await openApp('/settings?tab=account')
  return { server, card: within(await screen.findByRole('region', { name: 'Sending Hours' })) }
}
const bodyOf = (server: Awaited<ReturnType<typeof openAccount>>['server']) =>
  JSON.parse(server.calls.findLast(({ method }) => method === 'PUT')?.body ?? '')

test('hours are chosen and saved; two times that are alike are refused', async () => {
  const { server, card } = await openAccount()
  const limited = await card.findByRole('switch', { name: 'Keep to sending hours' })
  expect(card.queryByLabelText('From')).toBeNull()
  await userEvent.click(limited)
  fireEvent.change(await card.findByLabelText('Until'), { target: { value: '09:00' } })
  await userEvent.click(card.getByRole('button', { name: 'Save Sending Hours' }))
  expect(await card.findByText('Choose an end time that differs from the start time.')).toBeTruthy()
  expect(server.count(`PUT ${path}`)).toBe(0)
  fireEvent.change(card.getByLabelText('Until'), { target: { value: '20:30' } })
  await userEvent.click(card.getByRole('button', { name: 'Save Sending Hours' }))
  expect(await screen.findByText('The sending hours are saved.')).toBeTruthy()
  expect(bodyOf(server)).toEqual({
    limited: true,
    zone: 'Asia/Kolkata',
    opens: '09:00',
    closes: '20:30',
    version: 0,
  })
})

test('what a colleague saved meanwhile is not overwritten unseen, and what was changed here stays', async () => {
  const current = { limited: true, zone: 'Europe/Berlin', opens: '10:00', closes: '18:00', version: 3 }
  const { server, card } = await openAccount({
    [`PUT ${path}`]: () => ({
      status: 409,
      json: { ...errorOf('stale_version', 'This setting was changed elsewhere meanwhile.'), current },
    }),
  })
  await userEvent.click(await card.findByRole('switch', { name: 'Keep to sending hours' }))
  fireEvent.change(await card.findByLabelText('Until'), { target: { value: '20:30' } })
  await userEvent.click(card.getByRole('button', { name: 'Save Sending Hours' }))
  expect(await screen.findByText('This setting was changed elsewhere meanwhile.')).toBeTruthy()
  await waitFor(() => expect(card.getByLabelText<HTMLInputElement>('From').value).toBe('10:00'))
  expect(card.getByLabelText<HTMLInputElement>('Until').value).toBe('20:30')
  await userEvent.click(card.getByRole('button', { name: 'Save Sending Hours' }))
  await waitFor(() => expect(server.count(`PUT ${path}`)).toBe(2))
  expect(bodyOf(server)).toMatchObject({ zone: 'Europe/Berlin', opens: '10:00', closes: '20:30', version: 3 })
})
