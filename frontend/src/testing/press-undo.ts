import { fireEvent, screen } from '@testing-library/react'

/**
 * Presses Undo of the toast, once it is there. Toasts take presses of a pointer from their second render on, which on a busy machine
 * comes later than the button.
 */
export async function pressUndo(): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
}
