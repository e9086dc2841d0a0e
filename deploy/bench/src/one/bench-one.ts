import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { MongoClient } from 'mongodb'
import { runLoad } from '../load.ts'
import { peakMiB, residentMiB } from '../machine.ts'
import { connectNumbers, enter } from '../messaging/rig.ts'
import { inboundText } from '../messaging/webhooks.ts'
import { until, withCleanUp } from '../program.ts'
import { loadNow, log, report } from '../report.ts'
import { childrenOf, production, startBenchStack } from '../stack.ts'

/**
 * `npm run bench -- one`: memory of all processes of Parley as one: after a time of rest, and the most that it had while webhooks came
 * for a while and were applied.
 */
const { values: flags } = parseArgs({
  options: { rest: { type: 'string', default: '30' }, seconds: { type: 'string', default: '30' } },
})
const connections = 16
const limits = { idle: 350, loaded: 550 }

console.log(`load before the run ${loadNow()}`)
await withCleanUp(run)

async function run(cleanUp: AsyncDisposableStack): Promise<void> {
  const ours = { ...production, SAMPLE_DATA: 'off', PLAN_LIMITS: 'off' }
  const bench = await startBenchStack({ asOne: true, env: { messaging: ours, profile: ours, automation: ours } })
  const { stack, dataDir } = cleanUp.use(bench)
  const { ask } = await enter(stack.urls.app, stack.env.identity)
  const hook = await connectNumbers(ask, stack.urls.simulator, 1)
  const db = cleanUp.use(new MongoClient(stack.env.messaging['MONGODB_URL'] ?? '')).db()
  const number = await db.collection('numbers').findOne()
  const pid = childrenOf(dataDir)['bff'] ?? 0
  await delay(Number(flags.rest) * 1000)
  const idle = residentMiB(pid)
  log('webhooks …')
  const requests = Array.from({ length: 20_000 }, (_, index) =>
    inboundText(hook, {
      phoneNumberId: String(number?.['phoneNumberId']),
      from: `9197${String(index % 3000).padStart(8, '0')}`,
      wamid: `wamid.${randomUUID()}`,
      text: 'How long does delivery take?',
    }),
  )
  const { requestsPerSecond } = await runLoad({ url: hook.url, connections, requests, seconds: Number(flags.seconds) })
  log('until all are applied …')
  await until(
    'nothing waits',
    async () => !(await db.collection('rawEvents').findOne({ lane: { $gte: '' } }, { hint: 'pending' })),
    { everyMs: 500, limitMs: 240_000 },
  )
  report([
    { name: 'webhooks taken', values: [requestsPerSecond], unit: '/s' },
    { name: 'after a rest', values: [idle], unit: 'MiB', goal: { atMost: limits.idle } },
    { name: 'at most under load', values: [peakMiB(pid)], unit: 'MiB', goal: { atMost: limits.loaded } },
  ])
}
