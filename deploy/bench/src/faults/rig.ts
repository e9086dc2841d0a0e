import { rmSync } from 'node:fs'
import type { Environment } from '@parley/local/component'
import { respondsOk } from '@parley/local/components/health'
import { throwAwayFolder } from '@parley/local/testing/throw-away-folder'
import { freePort } from '@parley/service-kit/testing/free-port'
import { MongoClient } from 'mongodb'
import { startNode, until } from '../program.ts'
import { bffEnvironment, production, startBenchStack } from '../stack.ts'
import { startBalancer } from './balancer.ts'
import { startReplicaSet } from './replica-set.ts'
import { numberIn, type Stored } from './verdict.ts'

/** Token lifetime, short, so that tokens are renewed all the time. */
const tokenSeconds = '100'

/** Starts Parley as a small cluster: two BFFs and two profile services, each pair behind a balancer, and three MongoDB members. */
export async function startRig(cleanUp: AsyncDisposableStack) {
  const folder = throwAwayFolder()
  cleanUp.defer(async () => rmSync(folder, { recursive: true, force: true }))
  const mongodb = await startReplicaSet(folder, cleanUp)
  const bench = await startBenchStack({
    components: ['redis', 'mail', 'identity-provider', 'identity'],
    env: { 'identity-provider': { TOKEN_LIFESPAN_SECONDS: tokenSeconds, LOG_LEVEL: 'error' } },
    environment: { MONGODB_URL: mongodb.url },
  })
  const { stack } = cleanUp.use(bench)
  const balance = async (port: number, targets: readonly number[]) => cleanUp.use(await startBalancer(port, targets))
  const issuer = new URL(stack.urls.identity)
  const linkPort = await freePort()
  const link = await balance(linkPort, [Number(issuer.port)])

  const profile = await startPair('profile', 'services/profile/src/server.ts', stack.env.profile)
  const bff = await startPair('bff', 'bff/src/server.ts', {
    ...bffEnvironment(bench),
    OIDC_INTERNAL_ISSUER: `http://127.0.0.1:${linkPort}${issuer.pathname}`,
  })
  const ports = (replicas: readonly Replica[]) => replicas.map(({ port }) => port)
  await balance(Number(stack.env.bff['MANAGEMENT_PORT']), [bff[0].managementPort, bff[1].managementPort])
  await balance(Number(new URL(stack.env.bff['PROFILE_URL'] ?? '').port), ports(profile))
  await balance(Number(stack.env.bff['PORT']), ports(bff))
  await Promise.all([...profile, ...bff].map((replica) => replica.untilReady()))
  const database = cleanUp.use(new MongoClient(stack.env.profile['MONGODB_URL'] ?? ''))
  return { mongodb, link, stack, profile, bff, stored: () => readStored(database) }

  async function startPair(name: string, script: string, env: Environment) {
    const start = async (replica: number) => {
      const [port, managementPort] = [await freePort(), await freePort()]
      const portVariables = { PORT: String(port), MANAGEMENT_PORT: String(managementPort) }
      const settings = { ...env, ...portVariables, ...production, LOG_LEVEL: 'warn' }
      // The BFF is ready once it has met the profile service, which is behind a balancer that comes later.
      const program = await startNode({ name: `${name}-${replica}`, script, env: settings, folder, restarts: true })
      const untilReady = () => until(`${name} is ready`, () => respondsOk(`http://127.0.0.1:${port}/readyz`))
      return { ...cleanUp.use(program), port, managementPort, untilReady }
    }
    return [await start(0), await start(1)] as const
  }
}
export type Rig = Awaited<ReturnType<typeof startRig>>
type Replica = Rig['bff'][number]

async function readStored(client: MongoClient): Promise<Stored[]> {
  const users = await client.db().collection('users').find({}, { readConcern: 'majority' }).toArray()
  return users.map(({ email, address, version }) => ({
    email: String(email),
    number: numberIn(String(address)),
    version: Number(version),
  }))
}
