import type { Readable } from 'node:stream'
import type { OutboundHttp } from '@parley/service-kit/core/outbound-http'
import { FileFault, HostBusy, statusFault } from './file-faults.ts'

const maxRedirects = 3
/** Calls to one server at the same time, and the milliseconds between two: it may be a small shop's. */
const maxPerHost = 4
const apartMs = 50
/** Milliseconds that a file waits for its turn at a host: it holds a place that others need meanwhile. */
const maxTurnMs = 20_000

interface FoundFile {
  readonly body: Readable
  /** Size as its server names it; undefined where it does not. */
  readonly sizeBytes: number | undefined
}
export type FetchFile = ReturnType<typeof createFetchFile>

/** Fetches files from addresses that people wrote: each redirect is checked as the first address is. */
export function createFetchFile(http: Pick<OutboundHttp, 'receive'>, turnMs = maxTurnMs) {
  const inTurn = createTurns(turnMs)

  /** @throws FileFault, HostBusy where others have their turn for long, OutboundError, and what `use` throws. */
  return async function fetchFile<T>(
    address: string,
    { limitBytes, timeoutMs }: { limitBytes: number; timeoutMs: number },
    use: (file: FoundFile) => Promise<T>,
  ): Promise<T> {
    let url = address
    const until = Date.now() + timeoutMs + turnMs
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const came = await inTurn(new URL(url).host, () =>
        http.receive(
          { url, timeoutMs: Math.max(1, Math.min(timeoutMs, until - Date.now())) },
          async ({ status, headers, body }) => {
            const { location } = headers
            if (status >= 300 && status < 400 && typeof location === 'string') return { next: location }
            const fault = statusFault(status, headers['retry-after'])
            if (fault) throw fault
            const sizeBytes = headers['content-length'] === undefined ? undefined : Number(headers['content-length'])
            if (sizeBytes !== undefined && sizeBytes > limitBytes)
              throw new FileFault('too_large', `It has ${sizeBytes} bytes; WhatsApp takes ${limitBytes}.`)
            return { used: await use({ body, sizeBytes }) }
          },
        ),
      )
      if ('used' in came) return came.used
      const next = URL.parse(came.next, url)
      if (!next) break
      url = next.href
    }
    throw new FileFault('refused', 'Its server leads from one address to another.')
  }
}

/** Lets few calls of this process go to one host at a time, and a moment between two. */
function createTurns(turnMs: number) {
  const hosts = new Map<string, { active: number; next: number; waiting: (() => void)[] }>()

  async function enter(host: string) {
    const state = hosts.get(host) ?? { active: 0, next: 0, waiting: [] }
    hosts.set(host, state)
    if (state.active >= maxPerHost) await turnOf(state)
    else state.active += 1
    const now = Date.now()
    const at = Math.max(now, state.next)
    state.next = at + apartMs
    if (at > now) await new Promise((go) => setTimeout(go, at - now))
    return state
  }

  /** @throws HostBusy */
  function turnOf({ waiting }: { waiting: (() => void)[] }): Promise<void> {
    return new Promise((done, refuse) => {
      const go = () => {
        clearTimeout(tooLong)
        done()
      }
      const tooLong = setTimeout(() => {
        waiting.splice(waiting.indexOf(go), 1)
        refuse(new HostBusy())
      }, turnMs)
      waiting.push(go)
    })
  }

  return async function inTurn<T>(host: string, work: () => Promise<T>): Promise<T> {
    const state = await enter(host)
    try {
      return await work()
    } finally {
      const next = state.waiting.shift()
      if (next) next()
      else state.active -= 1
      if (state.active === 0) hosts.delete(host)
    }
  }
}
