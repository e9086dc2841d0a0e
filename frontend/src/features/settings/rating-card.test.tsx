import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer } from '../../testing/stub-server.ts'

const path = '/api/workspace/rating'

async function openCard(handlers: Parameters<typeof stubServer>[0] = {}) {
  const server = stubServer({ ...signedInServer(), ...handlers })
  await openApp('/settings?tab=account')
  return { server, card: within(await screen.findByRole('region', { name: 'Customer Rating' })) }
}

test('the question is asked once it is switched on, and is not empty', async () => {
  const { server, card } = await openCard()
  await userEvent.click(await card.findByRole('switch', { name: /^Ask for a rating/ }))
  const question = await card.findByLabelText('Question')
  await userEvent.clear(question)
  await userEvent.click(card.getByRole('button', { name: 'Save Rating' }))
  expect(await card.findByText('Enter a question')).toBeTruthy()
  await userEvent.type(question, 'Happy?')
  await userEvent.click(card.getByRole('button', { name: 'Save Rating' }))
  await waitFor(() => expect(server.count(`PUT ${path}`)).toBe(1))
  const { body } = server.calls.findLast(({ method }) => method === 'PUT') ?? {}
  expect(JSON.parse(body ?? '{}')).toEqual({ enabled: true, question: 'Happy?', version: 0 })
})

test('a setting that could not be read says so, and is read again', async () => {
  const { server, card } = await openCard({
    [`GET ${path}`]: () => ({ status: 503, json: errorOf('service_unavailable', 'Away.') }),
  })
  expect(await card.findByText('The rating could not be loaded.')).toBeTruthy()
  server.answer(`GET ${path}`, () => ({ json: { enabled: true, question: 'Happy?', version: 2 } }))
  await userEvent.click(card.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(card.getByLabelText('Question')).toHaveProperty('value', 'Happy?'))
})
