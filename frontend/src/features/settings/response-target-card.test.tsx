import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../testing/stub-server.ts'

test('a target for the first answer is saved, and none for further ones', async () => {
  const server = stubServer(signedInServer())
  await openApp('/settings?tab=account')
  const card = within(await screen.findByRole('region', { name: 'Response Target' }))
  await userEvent.type(await card.findByLabelText(/First answer within/), '0')
  await userEvent.click(card.getByRole('button', { name: 'Save Response Target' }))
  expect(await card.findByText('At least a minute')).toBeTruthy()
  await userEvent.clear(card.getByLabelText(/First answer within/))
  await userEvent.type(card.getByLabelText(/First answer within/), '30')
  await userEvent.click(card.getByRole('button', { name: 'Save Response Target' }))
  expect(await screen.findByText('The response target is saved.')).toBeTruthy()
  const body = JSON.parse(server.calls.findLast(({ method }) => method === 'PUT')?.body ?? '')
  expect(body).toEqual({ firstMinutes: 30, nextMinutes: null, version: 0 })
})
