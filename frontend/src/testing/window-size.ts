import { beforeEach, vi } from 'vitest'

/**
 * Gives scrolling elements the size of a window in each test of a file: without a layout nothing is in view, so every list would
 * be empty.
 * @param height of the window in pixels.
 */
export function withWindowSize(height = 800): void {
  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(height)
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(400)
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(40)
    return () => vi.restoreAllMocks()
  })
}
