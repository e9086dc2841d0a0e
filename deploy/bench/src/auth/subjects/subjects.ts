import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { env } from 'node:process'
import { profileApi } from '@parley/contracts/profile'
import { freePort } from '@parley/service-kit/testing/free-port'
import { startAnotherBff } from '../bff-under-load.ts'
import type { Rig } from '../rig.ts'
import { apacheCommand } from './apache.ts'
import { type Child, startChild } from './child.ts'
import { signInThroughProvider } from './sign-in.ts'

/** One way to reach the same route of the same service. */
export interface Subject {
  readonly name: string
  readonly url: string
  readonly headers: Record<string, string>
  /** The proxy's own process; it may have children. */
  readonly process: ChildProcess
  readonly stop: () => Promise<void>
}

const { path } = profileApi.user
const subjectFile = (name: string) => new URL(`${name}.process.ts`, import.meta.url).pathname

/** The BFF as it is, with its signed-in account. */
export const bffSubject = ({ bff, cookie }: Rig): Subject => ({
  name: 'BFF',
  url: `${bff.origin}${path}`,
  headers: { cookie },
  process: bff.process,
  stop: async () => {},
})

/** The BFF as it is for a session that nothing has asked for in the last second. */
export async function uncachedSubject({ stack, folder, cookie }: Rig): Promise<Subject> {
  const bff = await startAnotherBff(stack.env.bff, folder, { SESSION_CACHE_MS: '0' })
  return {
    name: 'BFF, session from Redis',
    url: `${bff.origin}${path}`,
    headers: { cookie },
    process: bff.process,
    stop: bff.stop,
  }
}

/** (a) Express and http-proxy-middleware, nothing else. */
export async function bareSubject(rig: Rig): Promise<Subject> {
  const port = await freePort()
  const child = await startChild(
    node(rig, 'bare-proxy', { PORT: port, TARGET: rig.stack.env.bff['PROFILE_URL'] }),
    at(port),
  )
  return { name: 'bare proxy', url: at(port), headers: {}, process: child.process, stop: child.stop }
}

/** (b) express-openid-connect with its Redis store, signed in through the code flow. */
export async function openidSubject(rig: Rig): Promise<Subject> {
  const port = await freePort()
  const child = await startChild(
    node(rig, 'openid-proxy', {
      PORT: port,
      TARGET: rig.stack.env.bff['PROFILE_URL'],
      REDIS_URL: rig.stack.urls.redis,
      ISSUER: rig.stack.urls.identity,
      PUBLIC_ORIGIN: rig.stack.urls.app,
      CLIENT_SECRET: rig.stack.secrets.bffWebSecret,
      COOKIE_SECRET: randomBytes(32).toString('hex'),
    }),
    at(port),
  )
  const cookie = await signIn(rig, port, '/login').catch(giveUp(child))
  return {
    name: 'express-openid-connect',
    url: at(port),
    headers: { cookie },
    process: child.process,
    stop: child.stop,
  }
}

/** (c) Apache with mod_auth_openidc and its Redis cache. */
export async function apacheSubject(rig: Rig): Promise<Subject> {
  const port = await freePort()
  const command = apacheCommand({
    folder: join(rig.folder, 'apache'),
    port,
    target: rig.stack.env.bff['PROFILE_URL'] ?? '',
    redisUrl: rig.stack.urls.redis,
    issuer: rig.stack.urls.identity,
    publicOrigin: rig.stack.urls.app,
    clientSecret: rig.stack.secrets.bffWebSecret,
    cookieSecret: randomBytes(32).toString('hex'),
  })
  const child = await startChild(
    { ...command, env: { PATH: env['PATH'] ?? '' }, logFile: join(rig.folder, 'apache.log') },
    at(port),
  )
  const cookie = await signIn(rig, port, path).catch(giveUp(child))
  // It ties a session to the host name under which it began.
  const url = at(port).replace('127.0.0.1', 'localhost')
  return { name: 'mod_auth_openidc', url, headers: { cookie }, process: child.process, stop: child.stop }
}

const at = (port: number) => `http://127.0.0.1:${port}${path}`

const node = ({ folder }: Rig, name: string, settings: Record<string, string | number | undefined>) => ({
  file: process.execPath,
  args: ['--inspect-port=0', subjectFile(name)],
  logFile: join(folder, `${name}.log`),
  env: {
    PATH: env['PATH'] ?? '',
    NODE_ENV: 'production',
    ...Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, String(value)])),
  },
})

/** A failed start leaves nothing running. */
const giveUp = (child: Child) => async (error: unknown) => {
  await child.stop()
  throw new Error(child.errors(), { cause: error })
}

const signIn = ({ stack, account }: Rig, port: number, startPath: string) =>
  signInThroughProvider({
    port,
    publicOrigin: stack.urls.app,
    startPath,
    issuer: stack.urls.identity,
    account,
  })
