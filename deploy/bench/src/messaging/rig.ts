import { randomBytes } from 'node:crypto'
import { csrfHeader } from '@parley/contracts/auth'
import { credentialsApi, credentialsSchema } from '@parley/contracts/credentials'
import { signUp } from '@parley/local/testing/app-visitor'
import { memoryVariablesWithoutLimit } from '@parley/processes/memory'
import { freePort } from '@parley/service-kit/testing/free-port'
import { MongoClient, type ObjectId } from 'mongodb'
import { z } from 'zod'
import { type Ask, createAsk } from '../ask.ts'
import { startBff } from '../auth/bff-under-load.ts'
import { startNode } from '../program.ts'
import { production, startAll, startBenchStack } from '../stack.ts'
import type { Hook } from './webhooks.ts'

const account = { email: 'bench@parley.test', password: 'correct horse battery' }
/** The launcher turns them on, and an audience of a million is more than any plan allows. */
const noLimits = { PLAN_LIMITS: 'off' }
const placeSchema = z.object({ phoneNumberId: z.string(), accountId: z.string(), accessToken: z.string() })

/** A number of the workspace, as the database and as the platform know it. */
export interface Line {
  readonly id: ObjectId
  readonly phoneNumberId: string
}

/** Everything of messaging as the launcher starts it, on stores of its own, and one signed-in person with some numbers. */
export const startRig = (numbers: number) =>
  startAll(async (started) => {
    const { stack, folder } = await startBenchStack({
      components: ['mongodb', 'redis', 'mail', 'identity-provider', 'identity', 'profile', 'simulator', 'messaging'],
      env: { messaging: { ...production, ...noLimits, SAMPLE_DATA: 'off' }, profile: production, identity: production },
    })
    started.defer(stack.stop)
    const startProcess = (name: 'messaging-ingest' | 'messaging-worker', script: string) =>
      startNode({ name, script, env: { ...stack.env[name], ...production, ...noLimits }, folder })
    const bff = await startBff(stack.env.bff, folder)
    started.defer(bff.stop)
    const ingest = await startProcess('messaging-ingest', 'services/messaging/src/ingest.ts')
    started.defer(ingest.stop)
    const receiver = await startOwn('graph-receiver.process.ts', {}, folder)
    started.defer(receiver.stop)
    const mongo = new MongoClient(stack.env.messaging['MONGODB_URL'] ?? '')
    started.defer(() => mongo.close())
    const { cookie } = await signUp(bff.origin, account)
    const headers = { cookie, 'sec-fetch-site': 'same-origin', [csrfHeader]: '1' }
    const person = { origin: bff.origin, headers, ask: createAsk(bff.origin, headers) }
    const hook = await connectNumbers(person.ask, stack.urls.simulator, numbers)
    const db = mongo.db()
    // Whatever the platform allows a number is a field of its record; the messages go to the receiver.
    await db
      .collection('numbers')
      .updateMany({}, { $set: { throughputPerSecond: 100_000, messagingLimit: null, graphUrl: receiver.origin } })
    const lines = (await db.collection('numbers').find().toArray()).map(
      ({ _id, phoneNumberId }): Line => ({ id: _id, phoneNumberId: String(phoneNumberId) }),
    )
    return {
      folder,
      db,
      person,
      hook,
      lines,
      ingest,
      startWorker: () => startProcess('messaging-worker', 'services/messaging/src/worker.ts'),
      startBareIngest: () => startOwn('bare-ingest.process.ts', { APP_SECRET: hook.appSecret }, folder),
    }
  })
export type Rig = Awaited<ReturnType<typeof startRig>>

/** Makes numbers on the simulator and connects them as a person would. @returns where their webhooks go. */
async function connectNumbers(ask: Ask, simulator: string, count: number): Promise<Hook> {
  const appSecret = randomBytes(16).toString('hex')
  const hook = { url: '', appSecret, accountId: '' }
  for (let place = 0; place < count; place += 1) {
    const wanted = { name: `Bench ${place}`, ...(hook.accountId && { accountId: hook.accountId }) }
    const made = placeSchema.parse(await createAsk(simulator)('POST', '/sim/numbers', wanted))
    const { accountId: businessAccountId, phoneNumberId, accessToken } = made
    const { method, path } = credentialsApi.update
    const change = { phoneNumberId, businessAccountId, accessToken, appSecret }
    hook.url = credentialsSchema.parse(await ask(method, path, change)).webhook.url
    hook.accountId = businessAccountId
  }
  return hook
}

/** A process of the bench itself, on a free port; it has the memory of those that it is compared with. */
async function startOwn(script: string, env: Record<string, string>, folder: string) {
  const port = await freePort()
  const { stop } = await startNode({
    name: script,
    script: `deploy/bench/src/messaging/${script}`,
    env: { PATH: process.env['PATH'] ?? '', PORT: String(port), ...memoryVariablesWithoutLimit, ...production, ...env },
    folder,
  })
  return { origin: `http://127.0.0.1:${port}`, stop }
}
