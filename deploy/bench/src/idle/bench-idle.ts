import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '@parley/service-kit/testing/free-port'
import { Redis } from 'ioredis'
import { MongoClient } from 'mongodb'
import { z } from 'zod'
import { commandCalls } from '../capacity/costs.ts'
import { startNode, withCleanUp } from '../program.ts'
import { loadNow, log, table } from '../report.ts'
import { production, startBenchStack } from '../stack.ts'

/**
 * `npm run bench -- idle`: what workers ask of MongoDB and Redis while nobody does anything: each worker alone, then more replicas of the one of messaging.
 * Counts, which other work on the machine does not change. `--short` proves that the bench itself works.
 */
const { values: flags } = parseArgs({ options: { short: { type: 'boolean', default: false } } })
/** Sweeps that find nothing have their longest pauses after a minute; each is then seen once at least. */
const plan = flags.short
  ? { settleMs: 1000, seconds: 3, replicas: [1, 2] }
  : { settleMs: 75_000, seconds: 60, replicas: [1, 2, 4] }
const goals = { queries: 2, redis: 15, clients: 8 }

const workers = {
  'messaging-worker': 'services/messaging/src/worker.ts',
  'messaging-webhooks': 'services/messaging/src/webhooks.ts',
  'automation-worker': 'services/automation/src/worker.ts',
  'profile-worker': 'services/profile/src/worker.ts',
} as const
type Worker = keyof typeof workers

/** Commands that read or write data; a driver's own watch over its servers is not among them. */
const dataCommands = [
  'find',
  'aggregate',
  'getMore',
  'count',
  'distinct',
  'insert',
  'update',
  'delete',
  'findAndModify',
]
const statusSchema = z.object({
  metrics: z.object({
    commands: z.record(z.string(), z.union([z.object({ total: z.coerce.number() }), z.coerce.number()])),
  }),
})

console.log(`load before the run ${loadNow()}; ${plan.seconds} s each`)
await withCleanUp(run)

async function run(cleanUp: AsyncDisposableStack): Promise<void> {
  const { stack, folder } = cleanUp.use(
    await startBenchStack({
      components: [
        'mongodb',
        'redis',
        'mail',
        'identity-provider',
        'identity',
        'profile',
        'simulator',
        'messaging',
        'automation',
      ],
      env: {
        messaging: { ...production, SAMPLE_DATA: 'off' },
        automation: production,
        profile: production,
        identity: production,
      },
    }),
  )
  const redis = new Redis(stack.urls.redis)
  cleanUp.defer(async () => redis.disconnect())
  const mongodb = cleanUp.use(new MongoClient(stack.urls.mongodb))

  /** Counts what servers and stores have done up to now. */
  async function counted() {
    const { metrics } = statusSchema.parse(await mongodb.db('admin').command({ serverStatus: 1 }))
    const totals = dataCommands.map((name) => metrics.commands[name])
    const queries = totals.reduce<number>((sum, count) => sum + (typeof count === 'object' ? count.total : 0), 0)
    const calls = Object.values(commandCalls(await redis.info('commandstats')))
    const clients = Number(/^connected_clients:(\d+)/m.exec(await redis.info('clients'))?.[1])
    return { queries, redis: calls.reduce((sum, count) => sum + count, 0), clients }
  }
  async function rates() {
    const before = await counted()
    await delay(plan.seconds * 1000)
    const after = await counted()
    const perSecond = (of: 'queries' | 'redis') => (after[of] - before[of]) / plan.seconds
    return { queries: perSecond('queries'), redis: perSecond('redis'), clients: after.clients }
  }

  const without = await rates()
  /** Measures what replicas of a worker add to servers alone. */
  const measure = (name: Worker, replicas: number): Promise<string[]> =>
    withCleanUp(async (running) => {
      log(`${replicas} × ${name} …`)
      for (let number = 1; number <= replicas; number += 1) {
        const env = { ...stack.env[name], ...production, PORT: String(await freePort()) }
        running.use(await startNode({ name: `${name}-${number}`, script: workers[name], env, folder }))
      }
      await delay(plan.settleMs)
      const found = await rates()
      const of = (value: number, most: number) => `${value.toFixed(1)}${value > most ? ' (missed)' : ''}`
      return [
        `${replicas} × ${name}`,
        of(found.queries - without.queries, goals.queries),
        of((found.redis - without.redis) / replicas, goals.redis),
        of((found.clients - without.clients) / replicas, goals.clients),
      ]
    })

  const rows: string[][] = []
  for (const name of Object.keys(workers) as Worker[])
    for (const replicas of name === 'messaging-worker' ? plan.replicas : [1]) rows.push(await measure(name, replicas))
  const goalRow = ['goal', `≤ ${goals.queries}`, `≤ ${goals.redis}`, `≤ ${goals.clients}`]
  const head = ['idle', 'queries/s of all', 'Redis commands/s of each', 'Redis clients of each']
  console.log(`\n${table([head, ...rows, goalRow])}`)
  console.log('Commands within scripts of Redis count; servers alone are taken off.')
  console.log(`load after the run ${loadNow()}`)
}
