import type { Attribute } from '@parley/contracts/contacts/contact-attributes'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { ApiError } from '../../../lib/api.ts'
import { attributeChoices } from '../../../lib/choices/attributes.ts'
import { useSaveContact } from '../api.ts'
import { ContactDialog } from './contact-dialog.tsx'

vi.mock('../api.ts', async (original) => ({ ...(await original<object>()), useSaveContact: vi.fn() }))

const exists = { code: 'contact_exists', message: 'Ravi already has this phone number.' }

type Save = ReturnType<typeof useSaveContact>['mutate']

/** The form with what has to be typed, over a workspace that has defined these fields. */
async function openForm(mutate: Save, attributes: Attribute[] = []) {
  vi.mocked(useSaveContact, { partial: true }).mockReturnValue({ mutate, isPending: false })
  const router = createMemoryRouter([
    { path: '/', Component: () => <ContactDialog onClose={() => {}} onSaved={() => {}} /> },
  ])
  const client = new QueryClient()
  client.setQueryData(attributeChoices().queryKey, attributes)
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await userEvent.type(await screen.findByLabelText('Name'), 'Ravi')
  await userEvent.type(screen.getByLabelText('Phone'), '9876543210')
}
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Add Contact' }))

/** Types a contact whose number is refused with this answer. */
async function addRefused(answer: object) {
  const error = new ApiError(409, 'Conflict', JSON.stringify(answer))
  await openForm((_change, then) => void then?.onError?.(error))
  await submit()
  expect(await screen.findByText('Ravi already has this phone number.')).toBeTruthy()
}

test('a phone number that is taken leads to the contact that has it', async () => {
  await addRefused({ ...exists, existing: { id: '65f000000000000000000001', name: 'Ravi' } })
  const link = screen.getByRole('link', { name: 'Open Ravi' })
  expect(link.getAttribute('href')).toBe('/contacts?edit=65f000000000000000000001')
})

test('a phone number that is taken is refused beside the field where an older server does not say by whom', async () => {
  await addRefused(exists)
  expect(screen.queryByRole('link', { name: /^Open/ })).toBeNull()
})

test('a contact without a number is added by the WhatsApp user id, which is asked for on demand', async () => {
  const mutate = vi.fn()
  await openForm(mutate)
  await userEvent.clear(screen.getByLabelText('Phone'))
  await userEvent.click(screen.getByRole('button', { name: 'Add a WhatsApp user id' }))
  const userId = screen.getByLabelText(/WhatsApp user id/)
  await userEvent.type(userId, '4711')
  await submit()
  expect(await screen.findByText(/This is not a WhatsApp user id/)).toBeTruthy()
  await userEvent.clear(userId)
  await submit()
  expect(await screen.findByText('Enter a phone number.')).toBeTruthy()
  await userEvent.type(userId, 'IN.4711')
  await submit()
  await waitFor(() => expect(mutate).toHaveBeenCalled())
  expect(mutate.mock.calls[0]?.[0].fields).toEqual({ name: 'Ravi', waUserId: 'IN.4711', tags: [], attributes: {} })
})

test('defined fields are asked for by their type, and what does not fit is refused', async () => {
  const field = (id: string, label: string, type: Attribute['type'], choices: string[] = []) => ({
    id,
    name: `own ${label}`,
    label,
    type,
    choices,
    version: 1,
  })
  const mutate = vi.fn()
  await openForm(mutate, [
    field('1', 'Birthday', 'date'),
    field('2', 'Tier', 'choice', ['Gold', 'Silver']),
    field('3', 'Visits', 'number'),
  ])
  expect(screen.getByLabelText(/^Birthday/).getAttribute('type')).toBe('date')
  await userEvent.type(screen.getByLabelText(/^Visits/), 'many')
  await userEvent.click(screen.getByLabelText(/^Tier/))
  await userEvent.click(await screen.findByTitle('Silver'))
  await submit()
  expect(await screen.findByText('Visits is a number.')).toBeTruthy()
  expect(mutate).not.toHaveBeenCalled()
  await userEvent.clear(screen.getByLabelText(/^Visits/))
  await userEvent.type(screen.getByLabelText(/^Visits/), '3')
  await submit()
  await waitFor(() => expect(mutate).toHaveBeenCalledOnce())
  expect(mutate.mock.calls[0]?.[0].fields.attributes).toEqual({ 'own Tier': 'Silver', 'own Visits': '3' })
})
