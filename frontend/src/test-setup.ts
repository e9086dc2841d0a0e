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
const { throwHandlerFault } = await import('./testing/answer.ts')
afterAll(closeNetwork)
afterEach(throwHandlerFault)

// A page that was left hears and does nothing any more: the next file's server would note what it still asks.
const leave: (() => void)[] = []
const heardByPages = ['online', 'offline', 'pageshow', 'storage', 'visibilitychange']
for (const target of [window, document]) {
  const { addEventListener } = target
  target.addEventListener = (...[type, listener, options]: Parameters<typeof addEventListener>) => {
    addEventListener.call(target, type, listener, options)
    if (heardByPages.includes(type)) leave.push(() => target.removeEventListener(type, listener, options))
  }
  leave.push(() => Object.assign(target, { addEventListener }))
}
const { BroadcastChannel: Channel, setTimeout: startTimeout, setInterval: startInterval } = globalThis
class NotedChannel extends Channel {
  constructor(name: string) {
    super(name)
    leave.push(() => this.close())
  }
}
const timers = new Set<ReturnType<typeof setTimeout>>()
// Libraries stay loaded, and with them what they have taken of this file: it notes nothing for the files after.
let isLeft = false
Object.assign(globalThis, {
  BroadcastChannel: NotedChannel,
  setTimeout: (handler: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) => {
    const timer = startTimeout(() => {
      timers.delete(timer)
      handler(...values)
    }, ms)
    if (!isLeft) timers.add(timer)
    return timer
  },
  setInterval: (handler: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) => {
    const timer = startInterval(handler, ms, ...values)
    if (!isLeft) timers.add(timer)
    return timer
  },
})
leave.push(() => {
  isLeft = true
  for (const timer of timers) clearTimeout(timer)
  Object.assign(globalThis, { setTimeout: startTimeout, setInterval: startInterval, BroadcastChannel: Channel })
})
afterAll(() => {
  for (const end of leave) end()
})

// The first test of a file loads the code of a whole screen. On two busy cores that took more than 25 s; what hangs ends anyway.
vi.setConfig({ testTimeout: 240_000 })
configure({ asyncUtilTimeout: 80_000 })

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

// Roles and names are found by the style of every element, and antd has thousands of rules. What they hide, journeys judge.
Object.defineProperty(HTMLStyleElement.prototype, 'sheet', { get: () => null })
