import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dismissToast, toast, useToasts } from './toast.ts'
import { Toaster } from './toaster.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  act(() => vi.runOnlyPendingTimers())
  vi.useRealTimers()
})

const shown = () => [...document.querySelectorAll('[data-kind]')].map((item) => item.textContent)
const showToast = (kind: 'success' | 'note' | 'error', text: string) => act(() => toast[kind](text))

test('an error is titled Error; a confirmation or a note has no title', () => {
  render(<Toaster />)
  showToast('error', 'Sync failed')
  expect(shown()).toEqual(['ErrorSync failed'])
  for (const kind of ['success', 'note'] as const) {
    showToast(kind, 'Saved')
    expect(shown()).toEqual(['Saved'])
  }
})

test('there is one toast at a time: a new one takes the place of the old', () => {
  render(<Toaster />)
  showToast('error', 'First')
  showToast('error', 'Second')
  expect(shown()).toEqual(['ErrorSecond'])
})

test('a toast stays for 5000 ms', () => {
  render(<Toaster />)
  showToast('success', 'Saved')
  act(() => vi.advanceTimersByTime(4999))
  expect(shown()).toEqual(['Saved'])
  act(() => vi.advanceTimersByTime(1))
  expect(shown()).toEqual([])
})

test('the close button ends a toast', () => {
  render(<Toaster />)
  showToast('success', 'Saved')
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(shown()).toEqual([])
})

test('a closed toast is forgotten after 1,000,000 ms and not before', () => {
  let records: readonly { id: number; open: boolean }[] = []
  function Reader() {
    records = useToasts()
    return null
  }
  render(<Reader />)
  showToast('success', 'Saved')
  act(() => dismissToast(records[0]?.id ?? 0))
  act(() => vi.advanceTimersByTime(999_999))
  expect(records.map(({ open }) => open)).toEqual([false])
  act(() => vi.advanceTimersByTime(1))
  expect(records).toEqual([])
})

test('F8 moves the focus to the notifications', () => {
  render(<Toaster />)
  showToast('error', 'Sync failed')
  fireEvent.keyDown(document, { key: 'F8', code: 'F8' })
  expect(document.activeElement?.closest('[role="region"]')?.getAttribute('aria-label')).toBe('Notifications (F8)')
})

/** Swipes the toast to the right by some pixels. */
function swipe(px: number) {
  const item = document.querySelector('[data-kind]')
  if (!item) throw new Error('There is no toast.')
  Object.assign(item, { setPointerCapture: () => {}, releasePointerCapture: () => {}, hasPointerCapture: () => true })
  const at = (clientX: number) => ({ pointerId: 1, button: 0, pointerType: 'touch', clientX, clientY: 0 })
  fireEvent.pointerDown(item, at(0))
  fireEvent.pointerMove(item, at(20))
  fireEvent.pointerMove(item, at(px))
  fireEvent.pointerUp(item, at(px))
}

test('a swipe to the right dismisses beyond 50 px and not before', () => {
  render(<Toaster />)
  showToast('success', 'Saved')
  swipe(45)
  expect(shown()).toEqual(['Saved'])
  swipe(60)
  expect(shown()).toEqual([])
})
