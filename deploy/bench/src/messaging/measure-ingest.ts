import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Measure } from '../auth/measures.ts'
import { peakMiB } from '../capacity/costs.ts'
import type { Plan } from './plan.ts'
import type { Rig } from './rig.ts'
import { inboundText, postWebhooks } from './webhooks.ts'

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
  const rates = { stored: [] as number[], bare: [] as number[], p99: [] as number[] }
  try {
    for (const url of Object.values(addresses)) await postWebhooks(webhooks, { ...load, url, seconds: 1 })
    for (let round = 0; round < rounds; round += 1) {
      rates.bare.push((await postWebhooks(webhooks, { ...load, url: addresses.bare })).requestsPerSecond)
      const { requestsPerSecond, p99 } = await postWebhooks(webhooks, { ...load, url: addresses.stored })
      rates.stored.push(requestsPerSecond)
      rates.p99.push(p99)
    }
  } finally {
    await bare.stop()
  }
  await db.collection('rawEvents').deleteMany({})
  return [
    { name: 'the bare route', values: rates.bare, unit: 'events/s' },
    { name: 'ingest', values: rates.stored, unit: 'events/s', goal: { atLeast: 4000 } },
    {
      name: 'ingest, of the bare route',
      values: rates.stored.map((stored, round) => stored / (rates.bare[round] ?? Number.NaN)),
      goal: { atLeast: 0.5 },
    },
    { name: 'ingest, 99 % answered within', values: rates.p99, unit: 'ms' },
    {
      name: 'peak memory of ingest',
      values: [peakMiB(ingest.pid())],
      unit: 'MiB',
      goal: { atMost: mostMiB },
    },
  ]
}
