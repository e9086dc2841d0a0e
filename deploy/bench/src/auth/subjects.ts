import { randomBytes } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { env } from 'node:process'
import { profileApi, userSchema } from '@parley/contracts/profile'
import { acceptsConnections } from '@parley/local/components/health'
import { freePort } from '@parley/service-kit/testing/free-port'
import { createBrowser } from '@parley/service-kit/testing/provider-browser'
import { type LoadRequest, type LoadResult, runLoad } from '../load.ts'
import { cpuMicroseconds } from '../machine.ts'
import { startProgram } from '../program.ts'
import { production } from '../stack.ts'
import { apacheCommand } from './apache.ts'
import type { Bff, Rig } from './rig.ts'

/** One way to reach the same route of the same service. */
export interface Subject {
  readonly url: string
  readonly headers: Record<string, string>
  /** Requests that are sent in turn, for a load of many sessions. */
  readonly requests?: readonly LoadRequest[]
  /** Id of the proxy's own process; it may have children. */
  readonly pid: () => number
}

/** One whose process is Node, so that it can be profiled. */
export interface Inspected extends Subject {
  readonly inspectPort: number
}

export interface Plan {
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
}

/** A round of one proxy. */
export interface Round extends LoadResult {
  /** CPU that the proxy's own process used, in microseconds a request. */
  readonly cpuPerRequest: number
}

export async function measure(
  rig: Rig,
  { connections, seconds }: Omit<Plan, 'rounds'>,
  { pid, headers, ...subject }: Subject,
): Promise<Round> {
  const authorization = await rig.freshBearer()
  const before = cpuMicroseconds(pid())
  const result = await runLoad({ ...subject, headers: { ...headers, authorization }, connections, seconds })
  return { ...result, cpuPerRequest: (cpuMicroseconds(pid()) - before) / (result.requestsPerSecond * seconds) }
}

/** A proxy that answers with anything but the user would be measured for nothing. */
export async function requireUser(rig: Rig, name: string, { url, headers }: Subject): Promise<void> {
  const authorization = await rig.freshBearer()
  const response = await fetch(url, { headers: { ...headers, authorization }, redirect: 'manual' })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${name} answered ${response.status}: ${text.slice(0, 300)}`)
  userSchema.parse(JSON.parse(text))
}

const { path } = profileApi.user

/** A BFF, for a session of its own. */
export const bffSubject = ({ origin, pid, inspectPort }: Bff, cookie: string): Inspected => ({
  url: `${origin}${path}`,
  headers: { cookie },
  pid,
  inspectPort,
})

/** Express and http-proxy-middleware, nothing else. */
export async function bareSubject(rig: Rig): Promise<Inspected> {
  const { origin, ...program } = await startProxy(rig, 'bare-proxy')
  return { url: `${origin}${path}`, headers: {}, ...program }
}

/** express-openid-connect with its Redis store, signed in through the code flow. */
export async function openidSubject(rig: Rig): Promise<Subject> {
  const { urls, secrets } = rig.stack
  const { origin, pid } = await startProxy(rig, 'openid-proxy', {
    REDIS_URL: urls.redis,
    ISSUER: urls.identity,
    PUBLIC_ORIGIN: urls.app,
    CLIENT_SECRET: secrets.bffWebSecret,
    COOKIE_SECRET: randomBytes(32).toString('hex'),
  })
  return { url: `${origin}${path}`, headers: { cookie: await signInThrough(rig, origin, '/login') }, pid }
}

/** Apache with mod_auth_openidc and its Redis cache, signed in through the code flow. */
export async function apacheSubject(rig: Rig): Promise<Subject> {
  const port = await freePort()
  const { folder, cleanUp } = rig
  const isHealthy = () => acceptsConnections(port)
  const command = { ...apacheCommand(rig, port), env: { PATH: env['PATH'] ?? '' }, name: 'apache', folder, isHealthy }
  const { pid } = cleanUp.use(await startProgram(command))
  // It ties a session to the host name under which it began.
  const origin = `http://localhost:${port}`
  return { url: `${origin}${path}`, headers: { cookie: await signInThrough(rig, origin, path) }, pid }
}

async function startProxy({ stack, folder, cleanUp }: Rig, name: string, settings: Record<string, string> = {}) {
  const [port, inspectPort] = [await freePort(), await freePort()]
  const program = await startProgram({
    name,
    folder,
    file: process.execPath,
    isHealthy: () => acceptsConnections(port),
    args: [`--inspect-port=${inspectPort}`, `${import.meta.dirname}/proxy.process.ts`],
    env: { ...production, PORT: String(port), TARGET: stack.env.bff['PROFILE_URL'] ?? '', ...settings },
  })
  const { pid } = cleanUp.use(program)
  return { origin: `http://localhost:${port}`, inspectPort, pid }
}

/**
 * Signs the account in through the code flow of a proxy that believes that it is the app.
 * @param start a page that sends a visitor to the provider. @returns the cookie header of the session.
 */
async function signInThrough({ stack, account }: Rig, origin: string, start: string): Promise<string> {
  const jar = new Map<string, string>()
  const cookieHeader = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const visit = async (target: string): Promise<string> => {
    // Not by `fetch`, which tells a server that it is a script: Apache sends no script to the provider.
    const options = { headers: { accept: 'text/html', cookie: cookieHeader() } }
    const { statusCode = 0, headers } = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${origin}${target}`, options, (answer) => resolve(answer.resume())).once('error', reject)
    })
    for (const line of headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    if (statusCode >= 400) throw new Error(`${target} answered ${statusCode}`)
    return headers.location ?? ''
  }
  const browser = createBrowser(stack.urls.identity)
  const login = await browser.visit(await visit(start))
  const done = await browser.submit(login, { username: account.email, password: account.password })
  if (!done.location?.startsWith(stack.urls.app)) throw new Error(`the provider stopped at ${done.url}`)
  const callback = new URL(done.location)
  await visit(callback.pathname + callback.search)
  return cookieHeader()
}
