import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../testing/stub-server.ts'

const openCard = async () => {
  await openApp('/settings?tab=account')
  return within(await screen.findByRole('region', { name: 'How Long Messages Are Kept' }))
}
const choose = async (card: Awaited<ReturnType<typeof openCard>>, label: string) => {
  await userEvent.click(await card.findByLabelText('Keep messages'))
  await userEvent.click(await screen.findByTitle(label))
}

test('a shorter time says what would go, waits, and is taken back', async () => {
  const server = stubServer(signedInServer())
  const card = await openCard()
  await choose(card, '6 months')
  expect(await card.findByText(/About 12,400 messages before .* would be deleted\./)).toBeTruthy()
  const put = () => JSON.parse(server.calls.findLast(({ method }) => method === 'PUT')?.body ?? '')
  await userEvent.click(card.getByRole('button', { name: 'Save How Long Messages Are Kept' }))
  expect(await card.findByText(/on, messages are kept for 6 months\. Until then they are kept for ever/)).toBeTruthy()
  expect(put()).toEqual({ months: 6, version: 0 })
  expect(card.queryByText(/would be deleted/)).toBeNull()
  await userEvent.click(card.getByRole('button', { name: 'Take It Back' }))
  expect(await screen.findAllByText('The setting is saved.')).not.toHaveLength(0)
  expect(put()).toEqual({ months: null, version: 1 })
  expect(card.queryByRole('note')).toBeNull()
})
