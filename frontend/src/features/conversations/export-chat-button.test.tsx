import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { download } from '../../lib/download.ts'
import { toast } from '../../ui/toast.ts'
import { readWholeThread } from './api.ts'
import { ExportChat } from './export-chat-button.tsx'

vi.mock('./api.ts')
vi.mock('../../lib/download.ts')
vi.mock('../../lib/user.ts', () => ({ useUser: () => ({ data: undefined }) }))

const priya = { id: 'conversation-1', contact: { name: 'Priya Sharma' } }

test.each(['leaves the screen', 'stays'] as const)('who %s gets a file only by staying', async (what) => {
  vi.mocked(download).mockClear()
  const failed = vi.spyOn(toast, 'error')
  const thread = Promise.withResolvers<never[]>()
  vi.mocked(readWholeThread).mockReturnValue(thread.promise)
  const client = new QueryClient()
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <ExportChat conversation={priya as Parameters<typeof ExportChat>[0]['conversation']} />
    </QueryClientProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: /Export Chat/ }))
  await waitFor(() => expect(readWholeThread).toHaveBeenCalled())
  if (what === 'leaves the screen') unmount()
  await act(async () => thread.resolve([]))
  await waitFor(() => expect(client.isMutating()).toBe(0))
  expect(download).toHaveBeenCalledTimes(what === 'stays' ? 1 : 0)
  expect(failed).not.toHaveBeenCalled()
})
