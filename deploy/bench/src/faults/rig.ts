import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { numberIn } from '@parley/k6/step'
import type { Environment } from '@parley/local/component'
import { repoRoot } from '@parley/local/paths'
import { type Stack, startStack } from '@parley/local/stack'
import { throwAwayFolder } from '@parley/local/testing/throw-away-folder'
import { freePort } from '@parley/service-kit/testing/free-port'
import { MongoClient } from 'mongodb'
import { startBalancer } from './balancer.ts'
import { answersOk, type KeptProcess, keepRunning } from './kept-process.ts'
import { startReplicaSet } from './replica-set.ts'
import { startSlowLink } from './slow-link.ts'
import type { Stored } from './verdict.ts'

const replicas = 2
/** Short, so that tokens are renewed all the time. */
const tokenSeconds = '100'

/** Parley as a small cluster has it: two BFFs and two profile services, each pair behind a balancer, three MongoDB members. */
export async function startRig(say: (line: string) => void) {
  const dataDir = throwAwayFolder()
  const folder = join(dataDir, 'faults')
  mkdirSync(folder, { recursive: true })
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const step of stops) await step()
  }
  const started = <T extends { stop: () => Promise<void> }>(part: T): T => {
    stops.unshift(part.stop)
    return part
  }
  try {
    const mongodb = await startReplicaSet(folder, say)
    const stack = await startStack({
      dataDir,
      throwAway: true,
      components: ['redis', 'mail', 'identity-provider', 'identity'],
      env: { 'identity-provider': { TOKEN_LIFESPAN_SECONDS: tokenSeconds, LOG_LEVEL: 'error' } },
      environment: { MONGODB_URL: mongodb.url },
      onProgress: (progress) => {
        if (progress.kind === 'note') say(progress.line)
      },
    })
    // Its folder holds everything: it goes last.
    stops.push(mongodb.stop, stack.stop)
    const link = started(await startSlowLink(new URL(stack.urls.identity).origin, join(folder, 'toxiproxy.log')))
    const { profile, bff, management } = await startProcesses(stack, { folder, provider: link.origin })
    for (const process of [...profile, ...bff]) started(process)
    const front = { bff: Number(stack.env.bff['PORT']), profile: portOf(stack.env.bff['PROFILE_URL']) }
    started(await startBalancer(Number(stack.env.bff['MANAGEMENT_PORT']), management.ports))
    started(
      await startBalancer(
        front.profile,
        profile.map(({ port }) => port),
      ),
    )
    started(
      await startBalancer(
        front.bff,
        bff.map(({ port }) => port),
      ),
    )
    await Promise.all([...profile, ...bff].map((process) => process.untilReady()))
    const target = {
      TARGET: stack.urls.app,
      OIDC_ISSUER: stack.urls.identity,
      ADMIN_CLIENT_SECRET: stack.secrets.svcIdentitySecret,
    }
    const stored = () => readStored(stack.env.profile['MONGODB_URL'] ?? '')
    return { folder, mongodb, link, stack, profile, bff, target, stored, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
export type Rig = Awaited<ReturnType<typeof startRig>>

type Replica = KeptProcess & { readonly port: number }

async function startProcesses(stack: Stack, { folder, provider }: { folder: string; provider: string }) {
  const internalIssuer = `${provider}${new URL(stack.urls.identity).pathname}`
  const ports = await freePorts(replicas)
  const profile = await eachReplica('profile', (port) => ({ ...stack.env.profile, PORT: String(port) }))
  const bff = await eachReplica('bff', (port, index) => ({
    ...stack.env.bff,
    PORT: String(port),
    MANAGEMENT_PORT: String(ports[index]),
    OIDC_INTERNAL_ISSUER: internalIssuer,
    STATIC_DIR: emptySite(folder),
  }))
  return { profile, bff, management: { ports } }

  async function eachReplica(name: 'bff' | 'profile', envOf: (port: number, index: number) => Environment) {
    const script = name === 'bff' ? 'bff/src/server.ts' : 'services/profile/src/server.ts'
    const started: Replica[] = []
    for (const [index, port] of (await freePorts(replicas)).entries()) {
      const env = { ...envOf(port, index), NODE_ENV: 'production', LOG_LEVEL: 'warn' }
      // The BFF is ready once it has met the profile service, which is behind a balancer that comes later.
      const alive = () => answersOk(`http://127.0.0.1:${port}/healthz`)
      const kept = await keepRunning({
        file: process.execPath,
        args: [join(repoRoot, script)],
        env,
        logFile: join(folder, `${name}-${index}.log`),
        answers: alive,
      })
      started.push({ ...kept, port, untilReady: () => untilOk(`http://127.0.0.1:${port}/readyz`) })
    }
    return started
  }
}

async function untilOk(url: string): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await answersOk(url).catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`${url} is not ready`)
    await new Promise((resolve) => setTimeout(resolve, 50))
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

const portOf = (url: string | undefined) => Number(new URL(url ?? '').port)

/** The BFF needs a page to serve, and nobody asks for it here. */
function emptySite(folder: string): string {
  const site = join(folder, 'site')
  mkdirSync(site, { recursive: true })
  writeFileSync(join(site, 'index.html'), '')
  return site
}
