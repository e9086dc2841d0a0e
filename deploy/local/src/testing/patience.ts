import { vi } from 'vitest'

/** Minimum time limit, whatever a test asks for: a busy machine takes ten times as long, and a hanging call ends anyway. */
const minTimeoutMs = 120_000

interface Options {
  readonly timeout?: number
  readonly interval?: number
}
const patient = (options: number | Options = {}): Options => {
  const { timeout = 0, ...others } = typeof options === 'number' ? { timeout: options } : options
  return { ...others, timeout: Math.max(minTimeoutMs, timeout) }
}
const { waitFor, waitUntil } = vi
vi.waitFor = (callback, options) => waitFor(callback, patient(options))
vi.waitUntil = (callback, options) => waitUntil(callback, patient(options))
