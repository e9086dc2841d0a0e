import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// The first test of a file loads the code of a whole screen. On two busy cores that took more than 25 s; what hangs ends all the same.
vi.setConfig({ testTimeout: 240_000 })
configure({ asyncUtilTimeout: 80_000 })

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
