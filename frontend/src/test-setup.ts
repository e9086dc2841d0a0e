import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// Whole screens with their lazy parts are loaded here, on machines that do other things too.
vi.setConfig({ testTimeout: 90_000 })
configure({ asyncUtilTimeout: 25_000 })

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
