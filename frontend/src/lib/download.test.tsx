import { afterEach, expect, test, vi } from 'vitest'
import { download } from './download.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('a file that a busy browser takes over late is still there', () => {
  vi.useFakeTimers()
  const made = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file')
  const gone = vi.spyOn(URL, 'revokeObjectURL')
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  download('chat.txt', ['Hello'], 'text/plain')
  expect(made.mock.calls.flat()).toEqual([expect.objectContaining({ type: 'text/plain;charset=utf-8' })])
  expect(clicked).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(30_000)
  expect(gone).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(gone).toHaveBeenCalledWith('blob:file')
})
