import { randomBytes } from 'node:crypto'
import { csrfHeader } from '@parley/contracts/account/auth'
import { credentialsApi, credentialsSchema } from '@parley/contracts/channel/credentials'
import type { Environment } from '@parley/local/component'
import { signIn, signUp } from '@parley/local/testing/app-visitor'
import { memoryVariablesWithoutLimit } from '@parley/processes/memory'
import { freePort } from '@parley/service-kit/testing/free-port'
import { createProviderAdmin } from '@parley/service-kit/testing/provider-admin'
import { Redis } from 'ioredis'
import { MongoClient, type ObjectId } from 'mongodb'
import { z } from 'zod'
import { type Ask, createAsk } from '../calls.ts'
import { startNode, until } from '../program.ts'
import { bffEnvironment, childrenOf, production, startBenchStack } from '../stack.ts'
import { emptyWebhook, type Hook } from './webhooks.ts'

const account = { email: 'bench@parley.test', password: 'correct horse battery' }
/** The launcher turns them on, and an audience of a million is more than any plan allows. */
const noLimits = { PLAN_LIMITS: 'off' }
const simulatedNumberSchema = z.object({ phoneNumberId: z.string(), accountId: z.string(), accessToken: z.string() })

/** Says in the place of a mail that the account's address is its person's own. */
async function verifyAddress(identity: Environment): Promise<void> {
  const { OIDC_ISSUER: issuer = '', IDENTITY_CLIENT_ID: clientId = '', IDENTITY_CLIENT_SECRET = '' } = identity
  const provider = createProviderAdmin({ issuer, clientId, clientSecret: IDENTITY_CLIENT_SECRET })
  const found = await provider.findAccount(account.email)
  await provider.call('PUT', `/users/${found?.id}`, { ...found, emailVerified: true })
}

/** A number of the workspace, as the database and as the platform know it. */
export interface Line {
  readonly id: ObjectId
  readonly phoneNumberId: string
}

interface RigOptions {
  /** Stores of others, as the launcher takes them. */
  readonly environment?: Environment
  /** Starts processes again that have ended, as a cluster would. */
  readonly restarts?: boolean
}

/** Starts messaging as the launcher does, on stores of its own, with one signed-in person and some numbers. */
export async function startRig(
  numbers: number,
  cleanUp: AsyncDisposableStack,
  { environment = {}, restarts = false }: RigOptions = {},
) {
  const bench = await startBenchStack({
    environment,
    components: ['mongodb', 'redis', 'mail', 'identity-provider', 'identity', 'profile', 'simulator', 'messaging'],
    env: { messaging: { ...production, ...noLimits, SAMPLE_DATA: 'off' }, profile: production, identity: production },
  })
  const { stack, folder, dataDir } = cleanUp.use(bench)
  const startProcess = (name: 'messaging-ingest' | 'messaging-worker', script: string, ports: Environment = {}) =>
    startNode({ name, script, env: { ...stack.env[name], ...production, ...noLimits, ...ports }, folder, restarts })
  /** A process of the bench itself, on a free port; it has the memory of those that it is compared with. */
  async function startOwn(name: string, environment: Record<string, string> = {}) {
    const port = String(await freePort())
    const env = { PORT: port, ...memoryVariablesWithoutLimit, ...production, ...environment }
    const script = `deploy/bench/src/messaging/${name}.process.ts`
    cleanUp.use(await startNode({ name, script, env, folder }))
    return `http://127.0.0.1:${port}`
  }
  const env = bffEnvironment(bench)
  cleanUp.use(await startNode({ name: 'bff', script: 'bff/src/server.ts', env, folder }))
  const ingest = cleanUp.use(await startProcess('messaging-ingest', 'services/messaging/src/ingest.ts'))
  const graphUrl = await startOwn('graph-receiver')
  const db = cleanUp.use(new MongoClient(stack.env.messaging['MONGODB_URL'] ?? '')).db()

  const redis = new Redis(stack.urls.redis)
  cleanUp.defer(async () => redis.disconnect())

  const person = await enter(`http://127.0.0.1:${env['PORT']}`, stack.env.identity)
  const hook = await connectNumbers(person.ask, stack.urls.simulator, numbers)
  // The platform's limits of a number are fields of its record; messages go to the receiver.
  await db
    .collection('numbers')
    .updateMany({}, { $set: { throughputPerSecond: 100_000, messagingLimit: null, graphUrl } })
  const lines = (await db.collection('numbers').find().toArray()).map(
    ({ _id, phoneNumberId }): Line => ({ id: _id, phoneNumberId: String(phoneNumberId) }),
  )
  /** Ports of a process beside others of its kind. */
  const ownPorts = async (port?: number) => ({
    PORT: String(port ?? (await freePort())),
    MANAGEMENT_PORT: String(await freePort()),
  })
  /** Another process that takes webhooks. */
  const startIngest = async (port: number) =>
    startProcess('messaging-ingest', 'services/messaging/src/ingest.ts', await ownPorts(port))
  const startWorker = async () => startProcess('messaging-worker', 'services/messaging/src/worker.ts', await ownPorts())
  const startBareIngest = () => startOwn('bare-ingest', { APP_SECRET: hook.appSecret })
  const mongodbPid = childrenOf(dataDir)['mongodb'] ?? 0
  return { db, redis, person, hook, lines, ingest, startIngest, startWorker, startBareIngest, dataDir, mongodbPid }
}
export type Rig = Awaited<ReturnType<typeof startRig>>

/** Signs a person up and in at an app. */
export async function enter(origin: string, identity: Environment) {
  await signUp(origin, account)
  await verifyAddress(identity)
  const { cookie } = await signIn(origin, account)
  const headers = { cookie, 'sec-fetch-site': 'same-origin', [csrfHeader]: '1' }
  return { origin, headers, ask: createAsk(origin, headers) }
}

/** Makes numbers on the simulator and connects them as a person would. @returns where their webhooks go. */
export async function connectNumbers(ask: Ask, simulator: string, count: number): Promise<Hook> {
  const appSecret = randomBytes(16).toString('hex')
  const hook = { url: '', appSecret, accountId: '' }
  for (let index = 0; index < count; index += 1) {
    const wanted = { name: `Bench ${index}`, ...(hook.accountId && { accountId: hook.accountId }) }
    const made = simulatedNumberSchema.parse(await createAsk(simulator)('POST', '/sim/numbers', wanted))
    const { accountId: businessAccountId, phoneNumberId, accessToken } = made
    const { method, path } = credentialsApi.update
    const change = { phoneNumberId, businessAccountId, accessToken, appSecret }
    hook.url = credentialsSchema.parse(await ask(method, path, change)).webhook.url
    hook.accountId = businessAccountId
  }
  // Ingest looks a secret up again once a second at most.
  await until('ingest knows the secret', async () => {
    const answer = await fetch(hook.url, { method: 'POST', ...emptyWebhook(hook) })
    await answer.arrayBuffer()
    return answer.ok
  })
  return hook
}
