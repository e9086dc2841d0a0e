import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../../testing/stub-server.ts'

afterEach(() => localStorage.removeItem('contact-columns'))

const heads = async () =>
  within(await screen.findByRole('table', { name: 'Contacts' }))
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent)
    .slice(1, -1)
async function choose(...labels: string[]) {
  await userEvent.click(await screen.findByRole('button', { name: 'Columns' }))
  for (const label of labels) await userEvent.click(await screen.findByLabelText(label))
  await userEvent.keyboard('{Escape}')
}

test('the columns that a person chooses stay theirs, and the usual ones come back', async () => {
  stubServer(signedInServer(), { records: 30 })
  await openApp('/contacts')
  expect(await heads()).toEqual(['Name', 'Phone', 'Tags', 'Last contact'])
  await choose('Tags', 'Marketing', 'City')
  expect(await heads()).toEqual(['Name', 'Phone', 'City', 'Marketing', 'Last contact'])
  expect(screen.getAllByText(/^(Allowed|Opted out)$/).length).toBeGreaterThan(0)
  cleanup()
  await openApp('/contacts', { keepStorage: true })
  expect(await heads()).toEqual(['Name', 'Phone', 'City', 'Marketing', 'Last contact'])
  await choose('Added')
  await userEvent.click(screen.getByRole('button', { name: 'Added' }))
  expect(window.location.search).toContain('sort=newest')
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Usual columns' }))
  expect(await heads()).toEqual(['Name', 'Phone', 'Tags', 'Last contact'])
})
