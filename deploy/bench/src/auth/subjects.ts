import { join } from 'node:path'
import { env } from 'node:process'
import { profileApi } from '@parley/contracts/profile'
import { acceptsConnections } from '@parley/local/components/health'
import { freePort } from '@parley/service-kit/testing/free-port'
import { startProgram } from '../program.ts'
import { production } from '../stack.ts'
import { startAnotherBff } from './bff-under-load.ts'
import type { Rig } from './rig.ts'

/** One way to reach the same route of the same service. */
export interface Subject {
  readonly name: string
  readonly url: string
  readonly headers: Record<string, string>
  /** Id of the proxy's own process. */
  readonly pid: () => number
  readonly stop: () => Promise<void>
}

const { path } = profileApi.user

/** The BFF as it is, with its signed-in account. */
export const bffSubject = ({ bff, cookie }: Rig): Subject => ({
  name: 'BFF',
  url: `${bff.origin}${path}`,
  headers: { cookie },
  pid: bff.pid,
  stop: async () => {},
})

/** The BFF as it is for a session that nothing has asked for in the last second. */
export async function uncachedSubject({ stack, folder, cookie }: Rig): Promise<Subject> {
  const { origin, pid, stop } = await startAnotherBff(stack.env.bff, folder, { SESSION_CACHE_MS: '0' })
  return { name: 'BFF, session from Redis', url: `${origin}${path}`, headers: { cookie }, pid, stop }
}

/** Express and http-proxy-middleware, nothing else. */
export async function bareSubject({ stack, folder }: Rig): Promise<Subject> {
  const port = await freePort()
  const { pid, stop } = await startProgram({
    file: process.execPath,
    args: [join(import.meta.dirname, 'bare-proxy.process.ts')],
    logFile: join(folder, 'bare-proxy.log'),
    env: {
      ...production,
      PATH: env['PATH'] ?? '',
      PORT: String(port),
      TARGET: stack.env.bff['PROFILE_URL'] ?? '',
    },
    isHealthy: () => acceptsConnections(port),
  })
  return { name: 'bare proxy', url: `http://127.0.0.1:${port}${path}`, headers: {}, pid, stop }
}
