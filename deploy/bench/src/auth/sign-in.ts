import { request } from 'node:http'
import { createBrowser } from '@parley/service-kit/testing/provider-browser'
import type { Rig } from './rig.ts'

interface Answer {
  readonly status: number
  readonly location: string | undefined
  readonly cookies: readonly string[]
}

/**
 * Signs in through the code flow of a relying party that listens on `port` and believes that it is the app.
 * @param startPath a page that sends a visitor to the provider.
 * @returns the cookies of the session.
 */
export async function signInThroughProvider({ stack, account }: Rig, port: number, startPath: string): Promise<string> {
  const { app, identity } = stack.urls
  const jar = new Map<string, string>()
  const visit = async (path: string): Promise<Answer> => {
    const answer = await get({ port, host: new URL(app).host }, path, cookieHeader(jar))
    for (const line of answer.cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }
  const start = await visit(startPath)
  if (!start.location?.startsWith(identity)) throw new Error(`${startPath} answered ${start.status}, not the provider`)
  const browser = createBrowser(identity)
  const login = await browser.visit(start.location)
  const done = await browser.submit(login, { username: account.email, password: account.password })
  if (!done.location?.startsWith(app)) throw new Error(`the provider stopped at ${done.url}`)
  const callback = new URL(done.location)
  const end = await visit(callback.pathname + callback.search)
  if (end.status >= 400) throw new Error(`the callback answered ${end.status}`)
  return cookieHeader(jar)
}

const cookieHeader = (jar: ReadonlyMap<string, string>) =>
  [...jar].map(([name, value]) => `${name}=${value}`).join('; ')

/** As a browser would ask the app: `fetch` does not let a caller choose the Host header. */
function get({ port, host }: { port: number; host: string }, path: string, cookie: string) {
  const headers = { host, accept: 'text/html', ...(cookie && { cookie }) }
  return new Promise<Answer>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume()
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          location: response.headers.location,
          cookies: response.headers['set-cookie'] ?? [],
        }),
      )
    })
      .once('error', reject)
      .end()
  })
}
