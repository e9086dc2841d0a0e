import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { ApiError } from '../../../lib/api.ts'
import { useSaveContact } from '../api.ts'
import { ContactDialog } from './contact-dialog.tsx'

vi.mock('../api.ts', async (original) => ({ ...(await original<object>()), useSaveContact: vi.fn() }))

const taken = { code: 'contact_exists', message: 'Ravi already has this phone number.' }

/** Types a contact whose number is refused with this answer. */
async function addRefused(answer: object) {
  const error = new ApiError(409, 'Conflict', JSON.stringify(answer))
  const mutate = (_change: unknown, then?: { onError?: (error: Error) => void }) => then?.onError?.(error)
  vi.mocked(useSaveContact, { partial: true }).mockReturnValue({ mutate, isPending: false })
  const router = createMemoryRouter([
    { path: '/', Component: () => <ContactDialog onClose={() => {}} onSaved={() => {}} /> },
  ])
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await userEvent.type(await screen.findByLabelText('Name'), 'Ravi')
  await userEvent.type(screen.getByLabelText('Phone'), '9876543210')
  await userEvent.click(screen.getByRole('button', { name: 'Add Contact' }))
  expect(await screen.findByText('Ravi already has this phone number.')).toBeTruthy()
}

test('a phone number that is taken leads to the contact that has it', async () => {
  await addRefused({ ...taken, existing: { id: '65f000000000000000000001', name: 'Ravi' } })
  const link = screen.getByRole('link', { name: 'Open Ravi' })
  expect(link.getAttribute('href')).toBe('/contacts?edit=65f000000000000000000001')
})

test('a phone number that is taken is refused beside the field where an older server does not say by whom', async () => {
  await addRefused(taken)
  expect(screen.queryByRole('link', { name: /^Open/ })).toBeNull()
})
