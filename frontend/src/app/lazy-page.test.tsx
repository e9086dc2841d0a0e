import { beforeEach, expect, test, vi } from 'vitest'
import { loadOrReload } from './lazy-page.ts'

const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
const gone = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))

beforeEach(() => {
  sessionStorage.clear()
  reload.mockClear()
})

test('a part that loads is handed on', async () => {
  expect(await loadOrReload(async () => 'part')).toBe('part')
  expect(reload).not.toHaveBeenCalled()
})

test('a part that is gone loads the page again, once', async () => {
  void loadOrReload(gone)
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce(), 10_000)
  await expect(loadOrReload(gone)).rejects.toThrow('Failed to fetch')
  expect(reload).toHaveBeenCalledOnce()
})

test('without a network the page is not thrown away', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await expect(loadOrReload(gone)).rejects.toThrow('Failed to fetch')
  expect(reload).not.toHaveBeenCalled()
  online.mockRestore()
})
