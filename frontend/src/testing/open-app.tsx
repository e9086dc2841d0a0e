import { cleanup, render } from '@testing-library/react'
import { vi } from 'vitest'

/**
 * Opens the whole app at a path as a page load would: every module that remembers something starts over.
 * The caller has put a stub in the place of the server.
 */
export async function openApp(path: string, { keepStorage = false } = {}): Promise<void> {
  cleanup()
  vi.resetModules()
  if (!keepStorage) {
    localStorage.clear()
    sessionStorage.clear()
  }
  window.history.replaceState(null, '', path)
  // Between a toast and the look for it a busy machine may need longer than a toast stays; `toaster.test.tsx` holds its time.
  vi.doMock('../ui/toast.ts', async (original) => ({
    ...(await original<object>()),
    toastDurationMs: Number.POSITIVE_INFINITY,
  }))
  const { App } = await import('../app/app.tsx')
  render(<App />)
}
