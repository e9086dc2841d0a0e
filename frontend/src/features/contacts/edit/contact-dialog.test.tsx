import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { ApiError } from '../../../lib/api.ts'
import { findByPhone, useSaveContact } from '../api.ts'
import { ContactDialog } from './contact-dialog.tsx'

vi.mock('../api.ts', async (original) => ({
  ...(await original<object>()),
  findByPhone: vi.fn(),
  useSaveContact: vi.fn(),
}))

test('a phone number that is taken says so even where its owner cannot be looked up', async () => {
  const taken = new ApiError(
    409,
    'Conflict',
    JSON.stringify({ code: 'contact_exists', message: 'Ravi has this phone number.' }),
  )
  const mutate = (_change: unknown, then?: { onError?: (error: Error) => void }) => then?.onError?.(taken)
  vi.mocked(useSaveContact, { partial: true }).mockReturnValue({ mutate, isPending: false })
  // Nobody catches what is rejected here but the dialog: an unhandled rejection fails the run.
  vi.mocked(findByPhone).mockRejectedValue(new TypeError('Failed to fetch'))
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
  expect(await screen.findByText('Ravi has this phone number.')).toBeTruthy()
  expect(findByPhone).toHaveBeenCalledWith('+919876543210')
  expect(screen.queryByRole('link', { name: /^Open/ })).toBeNull()
})
