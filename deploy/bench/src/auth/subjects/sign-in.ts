import { request } from 'node:http'
import { createBrowser } from '@parley/service-kit/testing/provider-browser'

interface Answer {
  readonly status: number
  readonly location: string | undefined
  readonly cookies: readonly string[]
}

/**
 * Signs in through the code flow of a relying party that listens on `port` and believes that it is `publicOrigin`.
 * @param startPath a page that sends a visitor to the provider.
 * @returns the cookies of the session.
 */
export async function signInThroughProvider(options: {
  port: number
  publicOrigin: string
  startPath: string
  issuer: string
  account: { email: string; password: string }
}): Promise<string> {
  const { account, issuer } = options
  const jar = new Map<string, string>()
  const visit = async (path: string): Promise<Answer> => {
    const answer = await get(options, path, cookieHeader(jar))
    for (const line of answer.cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }
  const start = await visit(options.startPath)
  if (!start.location?.startsWith(issuer))
    throw new Error(`${options.startPath} answered ${start.status}, not the provider`)
  const browser = createBrowser(issuer)
  const login = await browser.visit(start.location)
  const done = await browser.submit(login, { username: account.email, password: account.password })
  if (!done.location?.startsWith(options.publicOrigin)) throw new Error(`the provider stopped at ${done.url}`)
  const callback = new URL(done.location)
  const end = await visit(callback.pathname + callback.search)
  if (end.status >= 400) throw new Error(`the callback answered ${end.status}`)
  return cookieHeader(jar)
}

const cookieHeader = (jar: ReadonlyMap<string, string>) =>
  [...jar].map(([name, value]) => `${name}=${value}`).join('; ')

/** As a browser would ask at the public origin: `fetch` does not let a caller choose the Host header. */
function get({ port, publicOrigin }: { port: number; publicOrigin: string }, path: string, cookie: string) {
  const headers = { host: new URL(publicOrigin).host, accept: 'text/html', ...(cookie && { cookie }) }
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
