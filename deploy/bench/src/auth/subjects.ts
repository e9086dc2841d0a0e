import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { env } from 'node:process'
import { profileApi } from '@parley/contracts/profile'
import { acceptsConnections } from '@parley/local/components/health'
import { freePort } from '@parley/service-kit/testing/free-port'
import { startProgram } from '../program.ts'
import { production } from '../stack.ts'
import { apacheCommand } from './apache.ts'
import { startAnotherBff } from './bff-under-load.ts'
import type { Rig } from './rig.ts'
import { signInThroughProvider } from './sign-in.ts'

/** One way to reach the same route of the same service. */
export interface Subject {
  readonly name: string
  readonly url: string
  readonly headers: Record<string, string>
  /** Id of the proxy's own process; it may have children. */
  readonly pid: () => number
}

/** One whose process is Node, so that it can be profiled. */
export interface Inspected extends Subject {
  readonly inspectPort: number
}

const { path } = profileApi.user

/** The BFF as it is, with its signed-in account. */
export const bffSubject = ({ bff, cookie }: Rig): Inspected => ({
  name: 'BFF',
  url: `${bff.origin}${path}`,
  headers: { cookie },
  pid: bff.pid,
  inspectPort: bff.inspectPort,
})

/** The BFF as it is for a session that nothing has asked for in the last second. */
export async function uncachedSubject({ stack, folder, cookie }: Rig, started: AsyncDisposableStack): Promise<Subject> {
  const { origin, pid, stop } = await startAnotherBff(stack.env.bff, folder, { SESSION_CACHE_MS: '0' })
  started.defer(stop)
  return { name: 'BFF, session from Redis', url: `${origin}${path}`, headers: { cookie }, pid }
}

/** Express and http-proxy-middleware, nothing else. */
export async function bareSubject(rig: Rig, started: AsyncDisposableStack): Promise<Inspected> {
  const { port, inspectPort, pid } = await startProxy(rig, started, 'bare-proxy')
  return { name: 'bare proxy', url: at(port), headers: {}, pid, inspectPort }
}

/** express-openid-connect with its Redis store, signed in through the code flow. */
export async function openidSubject(rig: Rig, started: AsyncDisposableStack): Promise<Subject> {
  const { urls, secrets } = rig.stack
  const { port, pid } = await startProxy(rig, started, 'openid-proxy', {
    REDIS_URL: urls.redis,
    ISSUER: urls.identity,
    PUBLIC_ORIGIN: urls.app,
    CLIENT_SECRET: secrets.bffWebSecret,
    COOKIE_SECRET: randomBytes(32).toString('hex'),
  })
  const cookie = await signInThroughProvider(rig, port, '/login')
  return { name: 'express-openid-connect', url: at(port), headers: { cookie }, pid }
}

/** Apache with mod_auth_openidc and its Redis cache. */
export async function apacheSubject(rig: Rig, started: AsyncDisposableStack): Promise<Subject> {
  const port = await freePort()
  const { pid, stop } = await startProgram({
    ...apacheCommand(rig, port),
    env: { PATH: env['PATH'] ?? '' },
    logFile: join(rig.folder, 'apache.log'),
    isHealthy: () => acceptsConnections(port),
  })
  started.defer(stop)
  const cookie = await signInThroughProvider(rig, port, path)
  // It ties a session to the host name under which it began.
  return { name: 'mod_auth_openidc', url: at(port).replace('127.0.0.1', 'localhost'), headers: { cookie }, pid }
}

const at = (port: number) => `http://127.0.0.1:${port}${path}`

async function startProxy(
  { stack, folder }: Rig,
  started: AsyncDisposableStack,
  name: string,
  settings: Record<string, string> = {},
) {
  const [port, inspectPort] = [await freePort(), await freePort()]
  const { pid, stop } = await startProgram({
    file: process.execPath,
    args: [`--inspect-port=${inspectPort}`, join(import.meta.dirname, `${name}.process.ts`)],
    logFile: join(folder, `${name}.log`),
    env: {
      ...production,
      PATH: env['PATH'] ?? '',
      PORT: String(port),
      TARGET: stack.env.bff['PROFILE_URL'] ?? '',
      ...settings,
    },
    isHealthy: () => acceptsConnections(port),
  })
  started.defer(stop)
  return { port, inspectPort, pid }
}
