import { profileApi } from '@parley/contracts/profile'
import { inTurns } from '../in-turns.ts'
import { runLoad } from '../load.ts'
import { log } from '../report.ts'
import { type BffUnderLoad, startAnotherBff } from './bff-under-load.ts'
import type { Plan } from './compare-proxies.ts'
import { cpuMicroseconds } from './cpu-time.ts'
import { inspectProcess } from './inspector.ts'
import { addSessions, redisDataBytes, writeCookies } from './many-sessions.ts'
import type { Measure } from './measures.ts'
import type { Rig } from './rig.ts'

const few = 10
const tenThousand = 10_000
const mebibyte = 1024 * 1024

/**
 * What live sessions cost: memory, and whether a request grows dearer with their number. Two BFFs take turns, one whose
 * Redis database holds ten sessions and one whose database holds them all.
 */
export async function measureSessions(rig: Rig, plan: Plan & { sessions: number }): Promise<Measure[]> {
  const full = rig.bff
  const { env, urls } = rig.stack
  const sparse = await startAnotherBff(env.bff, rig.folder, { REDIS_URL: `${urls.redis}/1` })
  try {
    const memory = await fill(rig, plan)
    const sparseFew = writeCookies(rig.folder, 'sparse', await addSessions(sparse, rig.hot, few))
    const fullFew = writeCookies(rig.folder, 'few', memory.cookies.slice(0, few))
    const fullAll = writeCookies(rig.folder, 'all', memory.cookies)
    const load = (bff: BffUnderLoad, file: string, seconds = plan.seconds) =>
      loadWithCookies(bff, { file, seconds, connections: plan.connections })
    await load(sparse, sparseFew, 2)
    await load(full, fullFew, 2)
    const rounds: { sparse: Cost; full: Cost; all: Cost }[] = []
    for (let round = 0; round < plan.rounds; round++) {
      const first = round % 2 === 0 ? await load(sparse, sparseFew) : undefined
      const fullCost = await load(full, fullFew)
      const sparseCost = first ?? (await load(sparse, sparseFew))
      rounds.push({ sparse: sparseCost, full: fullCost, all: await load(full, fullAll) })
    }
    const label = `${plan.sessions} live sessions ÷ ${few}`
    return [
      ...memory.measures,
      {
        name: `CPU a request, ${label}`,
        values: rounds.map((round) => round.full.cpuPerRequest / round.sparse.cpuPerRequest),
        goal: { atMost: 1.05 },
      },
      {
        name: `requests/s, ${label}`,
        values: rounds.map((round) => round.full.requestsPerSecond / round.sparse.requestsPerSecond),
      },
      {
        name: 'CPU a request, each from another of them ÷ from ten',
        values: rounds.map((round) => round.all.cpuPerRequest / round.sparse.cpuPerRequest),
      },
    ]
  } finally {
    await sparse.stop()
  }
}

interface Cost {
  readonly requestsPerSecond: number
  /** Microseconds in the BFF's process: steadier than the throughput on a machine with other work. */
  readonly cpuPerRequest: number
}

async function loadWithCookies(
  bff: BffUnderLoad,
  load: { file: string; seconds: number; connections: number },
): Promise<Cost> {
  const before = cpuMicroseconds(bff.pid())
  const { requestsPerSecond } = await runLoad({ ...load, url: `${bff.origin}${profileApi.user.path}` })
  return {
    requestsPerSecond,
    cpuPerRequest: (cpuMicroseconds(bff.pid()) - before) / (requestsPerSecond * load.seconds),
  }
}

/** Makes the sessions, and uses ten thousand of them once each. */
async function fill({ bff, hot }: Rig, { sessions }: { sessions: number }) {
  const redisBefore = await redisDataBytes(bff)
  const startedAt = performance.now()
  const cookies = await addSessions(bff, hot, sessions)
  log(`\n${sessions} sessions made in ${Math.round((performance.now() - startedAt) / 1000)} s`)
  const redisPerSession = ((await redisDataBytes(bff)) - redisBefore) / sessions

  const inspector = await inspectProcess(bff.pid(), bff.inspectPort)
  const heapBefore = await inspector.heapBytes()
  const used = Math.min(tenThousand, sessions)
  await inTurns({ count: used, atOnce: 200 }, async (index) => {
    const headers = { cookie: cookies[index] ?? '' }
    const response = await fetch(`${bff.origin}${profileApi.user.path}`, { headers })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`a made session was refused: ${response.status}`)
  })
  const heapPerSession = ((await inspector.heapBytes()) - heapBefore) / used
  inspector.close()
  const perTenThousand = (bytes: number) => [(bytes * tenThousand) / mebibyte]
  const measures: Measure[] = [
    { name: 'Redis, 10,000 sessions', values: perTenThousand(redisPerSession), unit: 'MiB' },
    { name: 'BFF heap, 10,000 sessions in use', values: perTenThousand(heapPerSession), unit: 'MiB' },
  ]
  return { cookies, measures }
}
