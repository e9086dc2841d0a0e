import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Measure } from '../auth/measures.ts'
import { peakMiB } from '../capacity/costs.ts'
import type { Plan } from './plan.ts'
import type { Rig } from './rig.ts'
import { postWebhooks } from './webhook-load.ts'
import { inboundText } from './webhooks.ts'

/** Webhooks that are stored, against the same route with nothing behind it, in turns. Nobody applies them meanwhile. */
export async function measureIngest(rig: Rig, { rounds, seconds, connections, mostMiB }: Plan): Promise<Measure[]> {
  const { hook, folder, db, ingest } = rig
  const [line] = rig.lines
  const webhooks = Array.from({ length: 20_000 }, (_, index) =>
    inboundText(hook, {
      phoneNumberId: line?.phoneNumberId ?? '',
      from: `9197${String(index % 3000).padStart(8, '0')}`,
      wamid: `wamid.${randomUUID()}`,
      text: 'How long does delivery take?',
    }),
  )
  const bare = await rig.startBareIngest()
  const load = { file: join(folder, 'ingest.json'), connections, seconds }
  const addresses = { stored: hook.url, bare: hook.url.replace(new URL(hook.url).origin, bare.origin) }
  const figures = { stored: [] as number[], bare: [] as number[], p99: [] as number[] }
  try {
    for (const url of Object.values(addresses)) await postWebhooks(webhooks, { ...load, url, seconds: 1 })
    for (let round = 0; round < rounds; round += 1) {
      figures.bare.push((await postWebhooks(webhooks, { ...load, url: addresses.bare })).requestsPerSecond)
      const { requestsPerSecond, p99 } = await postWebhooks(webhooks, { ...load, url: addresses.stored })
      figures.stored.push(requestsPerSecond)
      figures.p99.push(p99)
    }
  } finally {
    await bare.stop()
  }
  await db.collection('rawEvents').deleteMany({})
  return [
    { name: 'the bare route', values: figures.bare, unit: 'events/s' },
    { name: 'ingest', values: figures.stored, unit: 'events/s', goal: { atLeast: 4000 } },
    {
      name: 'ingest, of the bare route',
      values: figures.stored.map((stored, round) => stored / (figures.bare[round] ?? Number.NaN)),
      goal: { atLeast: 0.5 },
    },
    { name: 'ingest, 99 % answered within', values: figures.p99, unit: 'ms' },
    {
      name: 'peak memory of ingest',
      values: [peakMiB(ingest.pid())],
      unit: 'MiB',
      goal: { atMost: mostMiB },
    },
  ]
}
