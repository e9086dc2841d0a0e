import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { numberIn } from '@parley/k6/step'
import type { Environment } from '@parley/local/component'
import { respondsOk } from '@parley/local/components/health'
import { freePort } from '@parley/service-kit/testing/free-port'
import { MongoClient } from 'mongodb'
import { type Program, startNode } from '../program.ts'
import { createFolders, emptySite, startAll, startBenchStack } from '../stack.ts'
import { startBalancer } from './balancer.ts'
import { startReplicaSet } from './replica-set.ts'
import { startSlowLink } from './slow-link.ts'
import type { Stored } from './verdict.ts'

const replicas = 2
/** Short, so that tokens are renewed all the time. */
const tokenSeconds = '100'

/** Parley as a small cluster has it: two BFFs and two profile services, each pair behind a balancer, three MongoDB members. */
export const startRig = () =>
  startAll(async (started) => {
    const start = async <T extends { stop: () => Promise<void> }>(starting: Promise<T>): Promise<T> => {
      const component = await starting
      started.defer(component.stop)
      return component
    }
    const folders = createFolders()
    const { folder } = folders
    const mongodb = await startReplicaSet(folder)
    const { stack } = await startBenchStack(
      {
        components: ['redis', 'mail', 'identity-provider', 'identity'],
        env: { 'identity-provider': { TOKEN_LIFESPAN_SECONDS: tokenSeconds, LOG_LEVEL: 'error' } },
        environment: { MONGODB_URL: mongodb.url },
      },
      folders,
    ).catch(async (error: unknown) => {
      await mongodb.stop()
      throw error
    })
    // The stack's folder holds everything: it goes last.
    started.defer(stack.stop)
    started.defer(mongodb.stop)
    const link = await start(startSlowLink(new URL(stack.urls.identity).origin, join(folder, 'toxiproxy.log')))
    const internalIssuer = `${link.origin}${new URL(stack.urls.identity).pathname}`
    const managementPorts = await freePorts(replicas)
    const profile = await startReplicas('profile', (port) => ({ ...stack.env.profile, PORT: String(port) }))
    const bff = await startReplicas('bff', (port, index) => ({
      ...stack.env.bff,
      PORT: String(port),
      MANAGEMENT_PORT: String(managementPorts[index]),
      OIDC_INTERNAL_ISSUER: internalIssuer,
      STATIC_DIR: emptySite(folder),
    }))
    const portsOf = (processes: readonly Replica[]) => processes.map(({ port }) => port)
    await start(startBalancer(Number(stack.env.bff['MANAGEMENT_PORT']), managementPorts))
    await start(startBalancer(Number(new URL(stack.env.bff['PROFILE_URL'] ?? '').port), portsOf(profile)))
    await start(startBalancer(Number(stack.env.bff['PORT']), portsOf(bff)))
    await Promise.all([...profile, ...bff].map((process) => process.untilReady()))
    const target = {
      TARGET: stack.urls.app,
      OIDC_ISSUER: stack.urls.identity,
      ADMIN_CLIENT_SECRET: stack.secrets.svcIdentitySecret,
    }
    const stored = () => readStored(stack.env.profile['MONGODB_URL'] ?? '')
    return { folder, mongodb, link, stack, profile, bff, target, stored }

    async function startReplicas(name: 'bff' | 'profile', envOf: (port: number, index: number) => Environment) {
      const script = name === 'bff' ? 'bff/src/server.ts' : 'services/profile/src/server.ts'
      const processes: Replica[] = []
      for (const [index, port] of (await freePorts(replicas)).entries()) {
        const env = { ...envOf(port, index), NODE_ENV: 'production', LOG_LEVEL: 'warn' }
        // The BFF is ready once it has met the profile service, which is behind a balancer that comes later.
        const program = await start(startNode({ name: `${name}-${index}`, script, env, folder, restarts: true }))
        processes.push({ ...program, port, untilReady: () => untilOk(`http://127.0.0.1:${port}/readyz`) })
      }
      return processes
    }
  })
export type Rig = Awaited<ReturnType<typeof startRig>>

type Replica = Program & { readonly port: number; readonly untilReady: () => Promise<void> }

async function untilOk(url: string): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await respondsOk(url))) {
    if (performance.now() > deadline) throw new Error(`${url} is not ready`)
    await delay(50)
  }
}

async function readStored(url: string): Promise<Stored[]> {
  const client = new MongoClient(url)
  try {
    const users = client
      .db()
      .collection('users')
      .find({ email: /@load\.parley\.test$/ }, { readConcern: 'majority' })
    return (await users.toArray()).map(({ email, address, version }) => ({
      email: String(email),
      number: numberIn(String(address)),
      version: Number(version),
    }))
  } finally {
    await client.close()
  }
}

async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) ports.push(await freePort())
  return ports
}
