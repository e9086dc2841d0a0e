import { parseArgs } from 'node:util'
import { eventFeedApi } from '@parley/contracts/platform/event-feed'
import { webhooksApi } from '@parley/contracts/platform/webhook-endpoints'
import { createLogger } from '@parley/service-kit/core/logger'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { laneOf } from '@parley/service-kit/queue/lanes'
import { createQueues } from '@parley/service-kit/queue/queues'
import { freePort } from '@parley/service-kit/testing/free-port'
import { startInternalAuthority } from '@parley/service-kit/testing/internal-authority'
import { MongoClient, ObjectId } from 'mongodb'
import { z } from 'zod'
import { createAsk } from '../calls.ts'
import { startNode, until, withCleanUp } from '../program.ts'
import { loadNow, log, percentile, report } from '../report.ts'
import { startBenchStack } from '../stack.ts'

/**
 * `npm run bench -- webhooks`: deliveries of one sender at a receiver of 5 ms, how soon events are sent beside a receiver that never
 * answers and without one, and the feed. `--short` proves that the bench itself works.
 */
const { values: flags } = parseArgs({ options: { short: { type: 'boolean', default: false } } })
const plan = flags.short ? { backlog: 500, steady: 50, rounds: 1 } : { backlog: 10_000, steady: 400, rounds: 3 }
const steadyEveryMs = 25
const figuresSchema = z.object({ delays: z.array(z.number()), seconds: z.number() })

console.log(`load before the run ${loadNow()}; a backlog of ${plan.backlog}, ${plan.rounds} rounds`)
await withCleanUp(run)

async function run(cleanUp: AsyncDisposableStack): Promise<void> {
  const rig = await startRig(cleanUp)
  const [live, dead] = [await rig.webhook('live'), await rig.webhook('dead')]
  await rig.setStatus(dead, 'disabled')
  log(`${plan.backlog} events wait …`)
  await rig.happen(plan.backlog)
  await until('they are written down', async () => (await rig.rows({ webhookId: live })) >= plan.backlog, {
    limitMs: 300_000,
  })
  const sender = await rig.startSender()
  await until('all are sent', async () => (await rig.rows({ webhookId: live, state: 'delivered' })) >= plan.backlog, {
    limitMs: 300_000,
  })
  const { seconds } = await rig.figures('live')
  const alone: number[] = []
  const beside: number[] = []
  for (let round = 1; round <= plan.rounds; round += 1) {
    log(`events one after the other, round ${round} …`)
    alone.push(...(await rig.steady(live)))
    await rig.setStatus(dead, 'active')
    beside.push(...(await rig.steady(live)))
    await rig.setStatus(dead, 'disabled')
  }
  log('the feed …')
  const feed = await rig.readFeed()
  await sender[Symbol.asyncDispose]()
  report([
    { name: 'deliveries of one sender', values: [plan.backlog / seconds], unit: '/s', goal: { atLeast: 500 } },
    {
      name: 'first attempt after the event, p95',
      values: [percentile(alone, 0.95)],
      unit: 'ms',
      goal: { atMost: 1000 },
    },
    {
      name: 'the same beside a receiver that never answers',
      values: [percentile(beside, 0.95) / percentile(alone, 0.95)],
      goal: { atMost: 1.2 },
    },
    { name: 'feed', values: [feed], unit: 'envelopes/s', goal: { atLeast: 5000 } },
  ])
}

async function startRig(cleanUp: AsyncDisposableStack) {
  const authority = await startInternalAuthority()
  cleanUp.defer(() => authority.close())
  const bench = await startBenchStack({
    components: ['mongodb', 'redis', 'messaging', 'messaging-worker'],
    env: { messaging: { INTERNAL_ISSUERS: authority.issuers, SAMPLE_DATA: 'off' } },
  })
  const { stack, folder } = cleanUp.use(bench)
  const port = String(await freePort())
  const script = 'deploy/bench/src/webhooks/receiver.process.ts'
  cleanUp.use(await startNode({ name: 'receiver', script, env: { PORT: port }, folder }))
  const receiver = `http://127.0.0.1:${port}`
  const queues = createQueues({
    url: stack.env.messaging['REDIS_URL'] ?? '',
    service: 'messaging',
    logger: createLogger({ name: 'bench', level: 'silent' }),
    metrics: createMetrics('bench'),
  })
  cleanUp.defer(() => queues.close(0))
  const db = cleanUp.use(new MongoClient(stack.env.messaging['MONGODB_URL'] ?? '')).db()
  const workspaceId = new ObjectId()
  const numberId = new ObjectId()
  await db.collection('numbers').insertOne({
    _id: numberId,
    workspaceId,
    displayName: 'Bench',
    phoneNumber: '+15550001111',
    phoneNumberId: 'bench',
    version: 1,
  })
  const origin = `http://127.0.0.1:${stack.env.messaging['PORT']}`
  const askWith = (token: string) => createAsk(origin, { authorization: `Bearer ${token}` })
  const wid = workspaceId.toHexString()
  const about = { wid, aud: 'messaging' } as const

  async function webhook(name: string): Promise<ObjectId> {
    const token = await authority.userToken({ ...about, sub: 'b'.repeat(24), role: 'owner' })
    const body = { name, url: `${receiver}/${name}`, events: ['status.update'] }
    const made = await askWith(token)('POST', webhooksApi.create.path, body)
    return new ObjectId(webhooksApi.create.response.parse(made).id)
  }

  const happen = async (count: number): Promise<void> => {
    const now = new Date()
    const became = { quality: { before: 'high', after: 'medium' } }
    await db.collection('events').insertMany(
      Array.from({ length: count }, () => ({
        workspaceId,
        type: 'number.changed',
        at: now,
        recordedAt: now,
        by: { kind: 'system' },
        chain: [],
        data: { numberId: numberId.toHexString(), removed: false, became },
        fresh: true,
      })),
    )
    await queues.lanes('events').wake([laneOf(wid)])
  }
  const figures = async (name: string) => figuresSchema.parse(await (await fetch(`${receiver}/figures/${name}`)).json())
  const rows = (filter: object) => db.collection('webhookDeliveries').countDocuments(filter)

  /** @returns how late each event came, in milliseconds. */
  async function steady(live: ObjectId): Promise<number[]> {
    await fetch(`${receiver}/reset`)
    const before = await rows({ webhookId: live })
    for (let index = 0; index < plan.steady; index += 1) {
      await happen(1)
      await new Promise((resolve) => setTimeout(resolve, steadyEveryMs))
    }
    const isSent = async () => (await rows({ webhookId: live, state: 'delivered' })) >= before + plan.steady
    await until('all are sent', isSent, { limitMs: 120_000 })
    return (await figures('live')).delays
  }

  /** @returns envelopes per second, a page at a time from the oldest on. */
  async function readFeed(): Promise<number> {
    let envelopes = 0
    const begun = performance.now()
    for (let after: string | undefined, hasMore = true; hasMore; ) {
      const token = await authority.keyToken({ ...about, sub: 'key:bench', scopes: ['events:read'] })
      const query = `limit=500${after === undefined ? '' : `&after=${after}`}`
      const page = eventFeedApi.list.response.parse(await askWith(token)('GET', `${eventFeedApi.list.path}?${query}`))
      envelopes += page.items.length
      after = page.nextCursor
      hasMore = page.hasMore
    }
    return (envelopes / (performance.now() - begun)) * 1000
  }

  const startSender = async () =>
    cleanUp.use(
      await startNode({
        name: 'messaging-webhooks',
        script: 'services/messaging/src/webhooks.ts',
        env: { ...stack.env['messaging-webhooks'] },
        folder,
      }),
    )
  const setStatus = (id: ObjectId, status: string) =>
    db.collection('webhooks').updateOne({ _id: id }, { $set: { status }, $unset: { failing: 1, dueAt: 1 } })
  return { webhook, happen, figures, rows, steady, readFeed, startSender, setStatus }
}
