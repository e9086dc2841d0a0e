import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'

// The files of a worker share the libraries that they have loaded, and the window. Of the page's own modules each file gets new
// ones, and of what a page leaves behind in its window nothing.
vi.resetModules()
localStorage.clear()
sessionStorage.clear()
// biome-ignore lint/suspicious/noDocumentCookie: the DOM of the tests has no Cookie Store API.
for (const cookie of document.cookie.split('; ')) document.cookie = `${cookie.split('=')[0]}=; Path=/; Max-Age=0`
for (const name of document.documentElement.getAttributeNames()) document.documentElement.removeAttribute(name)
window.history.replaceState(null, '', '/')
const { closeNetwork } = await import('./testing/stub-server.ts')
afterAll(closeNetwork)

// The first test of a file loads the code of a whole screen. On two busy cores that took more than 25 s; what hangs ends all the same.
vi.setConfig({ testTimeout: 240_000 })
configure({ asyncUtilTimeout: 80_000 })

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

// Roles and names are found by the style of every element, and antd has thousands of rules. What they hide, journeys judge.
Object.defineProperty(HTMLStyleElement.prototype, 'sheet', { get: () => null })
