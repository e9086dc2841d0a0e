import { vi } from 'vitest'

/** By itself `vi.waitFor` gives up after a second, which a busy machine may need for an answer. */
const waitFor = vi.waitFor
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: 20_000, ...options })
