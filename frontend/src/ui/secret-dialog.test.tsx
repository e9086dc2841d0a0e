import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { SecretDialog } from './secret-dialog.tsx'
import { TooltipProvider } from './tooltip.tsx'

test('a secret stays until the person says that they have it', async () => {
  const close = vi.fn()
  render(
    <TooltipProvider>
      <SecretDialog open title="Your key" what="key" secret="s3cret" onClose={close} />
    </TooltipProvider>,
  )
  await userEvent.keyboard('{Escape}')
  await userEvent.click(document.querySelector('.ant-modal-wrap') ?? document.body)
  expect(close).not.toHaveBeenCalled()
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'I Have Copied It' }))
  expect(close).toHaveBeenCalledOnce()
})
