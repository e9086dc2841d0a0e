import { randomUUID } from 'node:crypto'
import { inRounds, runLoad } from '../load.ts'
import { peakMiB } from '../machine.ts'
import { withCleanUp } from '../program.ts'
import type { Measure } from '../report.ts'
import type { Rig } from './rig.ts'
import { inboundText } from './webhooks.ts'

/** `seconds` are those of one round. */
type Plan = Readonly<Record<'rounds' | 'seconds' | 'connections' | 'maxMiB', number>>

/** Messages of 3,000 customers in turns. */
const questions = ({ hook, lines }: Rig) =>
  Array.from({ length: 20_000 }, (_, index) =>
    inboundText(hook, {
      phoneNumberId: lines[0]?.phoneNumberId ?? '',
      from: `9197${String(index % 3000).padStart(8, '0')}`,
      wamid: `wamid.${randomUUID()}`,
      text: 'How long does delivery take?',
    }),
  )

/** Measures webhooks that are stored while a worker applies them, against the same without one, in turns. The customers are new to it. */
export async function measureBesideWorker(
  rig: Rig,
  { rounds, seconds, connections }: Pick<Plan, 'rounds' | 'seconds' | 'connections'>,
): Promise<Measure> {
  const load = { connections, seconds, requests: questions(rig), url: rig.hook.url }
  const forget = () => rig.db.collection('rawEvents').deleteMany({})
  const { alone = [], beside = [] } = await inRounds(rounds, {
    alone: () => runLoad(load).finally(forget),
    beside: () =>
      withCleanUp(async (cleanUp) => {
        cleanUp.use(await rig.startWorker())
        return runLoad(load)
      }).finally(forget),
  })
  const shares = beside.map(
    ({ requestsPerSecond }, round) => requestsPerSecond / (alone[round]?.requestsPerSecond ?? 0),
  )
  return { name: 'ingest beside a worker, of it alone', values: shares, goal: { atLeast: 0.6 } }
}

/**
 * Measures webhooks that are stored against the same route with nothing behind it, in turns. No worker applies them meanwhile.
 */
export async function measureIngest(rig: Rig, { rounds, seconds, connections, maxMiB }: Plan): Promise<Measure[]> {
  const { hook, db, ingest } = rig
  const requests = questions(rig)
  const bareUrl = hook.url.replace(new URL(hook.url).origin, await rig.startBareIngest())
  const load = { connections, requests, seconds }
  for (const url of [hook.url, bareUrl]) await runLoad({ ...load, url, seconds: 1 })
  const { stored = [], bare = [] } = await inRounds(rounds, {
    bare: () => runLoad({ ...load, url: bareUrl }),
    stored: () => runLoad({ ...load, url: hook.url }),
  })
  await db.collection('rawEvents').deleteMany({})
  const rates = (results: typeof stored) => results.map(({ requestsPerSecond }) => requestsPerSecond)
  const shares = rates(stored).map((rate, round) => rate / (rates(bare)[round] ?? Number.NaN))
  return [
    { name: 'the bare route', values: rates(bare), unit: 'events/s' },
    { name: 'ingest', values: rates(stored), unit: 'events/s', goal: { atLeast: 4000 } },
    { name: 'ingest, of the bare route', values: shares, goal: { atLeast: 0.5 } },
    { name: 'ingest, 99 % answered within', values: stored.map(({ p99 }) => p99), unit: 'ms' },
    { name: 'peak memory of ingest', values: [peakMiB(ingest.pid())], unit: 'MiB', goal: { atMost: maxMiB } },
  ]
}
