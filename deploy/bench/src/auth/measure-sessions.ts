import { inRounds, inTurns } from '../load.ts'
import { log, type Measure } from '../report.ts'
import { inspectProcess } from './profile.ts'
import type { Bff, Rig } from './rig.ts'
import { bffSubject, measure, type Plan, type Round } from './subjects.ts'

const few = 10
const tenThousand = 10_000
const tokenLength = 1100
const atOnce = 200

/**
 * What live sessions cost: memory, and whether a request grows dearer with their number. Two BFFs take turns, one whose
 * Redis database holds ten sessions and one whose database holds them all.
 */
export async function measureSessions(rig: Rig, plan: Plan & { sessions: number }): Promise<Measure[]> {
  const sparse = await rig.startAnotherBff({ REDIS_URL: `${rig.stack.urls.redis}/1` })
  const { cookies, measures } = await fill(rig, plan.sessions)
  const load = (bff: Bff, of: readonly string[]) => {
    const subject = { ...bffSubject(bff, ''), requests: of.map((cookie) => ({ headers: { cookie } })) }
    return (seconds = plan.seconds) => measure(rig, { ...plan, seconds }, subject)
  }
  const loads = {
    sparse: load(sparse, await addSessions(sparse, rig, few)),
    full: load(rig.bff, cookies.slice(0, few)),
    all: load(rig.bff, cookies),
  }
  for (const warmUp of [loads.sparse, loads.full]) await warmUp(2)
  const {
    sparse: fewRounds = [],
    full = [],
    all = [],
  } = await inRounds(plan.rounds, {
    sparse: () => loads.sparse(),
    full: () => loads.full(),
    all: () => loads.all(),
  })
  const ratios = (own: readonly Round[], of: keyof Round) =>
    own.map((round, index) => round[of] / (fewRounds[index]?.[of] ?? Number.NaN))
  const label = `${plan.sessions} live sessions ÷ ${few}`
  return [
    ...measures,
    { name: `CPU a request, ${label}`, values: ratios(full, 'cpuPerRequest'), goal: { atMost: 1.05 } },
    { name: `requests/s, ${label}`, values: ratios(full, 'requestsPerSecond') },
    { name: 'CPU a request, each from another of them ÷ from ten', values: ratios(all, 'cpuPerRequest') },
  ]
}

/** Makes the sessions, and uses ten thousand of them once each. */
async function fill(rig: Rig, sessions: number) {
  const { bff } = rig
  const redisBefore = await redisDataBytes(bff)
  const startedAt = performance.now()
  const cookies = await addSessions(bff, rig, sessions)
  log(`\n${sessions} sessions made in ${Math.round((performance.now() - startedAt) / 1000)} s`)
  const redisPerSession = ((await redisDataBytes(bff)) - redisBefore) / sessions

  const inspector = await inspectProcess(bff.pid(), bff.inspectPort)
  const heapBefore = await inspector.heapBytes()
  const used = Math.min(tenThousand, sessions)
  await inTurns({ count: used, atOnce }, async (index) => {
    const { url, headers } = bffSubject(bff, cookies[index] ?? '')
    const response = await fetch(url, { headers })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`a made session was refused: ${response.status}`)
  })
  const heapPerSession = ((await inspector.heapBytes()) - heapBefore) / used
  inspector.close()
  const perTenThousand = (bytes: number) => ({ values: [(bytes * tenThousand) / 1024 ** 2], unit: 'MiB' })
  const measures: Measure[] = [
    { name: 'Redis, 10,000 sessions', ...perTenThousand(redisPerSession) },
    { name: 'BFF heap, 10,000 sessions in use', ...perTenThousand(heapPerSession) },
  ]
  return { cookies, measures }
}

/**
 * Adds live sessions through the BFF's own store, each of another account at the provider, with tokens as long as real ones.
 * @returns their cookie headers.
 */
async function addSessions({ dependencies }: Bff, { hot }: Rig, count: number): Promise<string[]> {
  const token = 't'.repeat(tokenLength)
  const tokens = { idToken: token, accessToken: token, refreshToken: token }
  const visitor = { ip: '203.0.113.7', device: 'Chrome on Linux' }
  // Nothing is to be renewed while the load runs.
  const tokenExpiresAt = Math.floor(hot.endsAt / 1000)
  const cookies: string[] = []
  await inTurns({ count, atOnce }, async () => {
    const own = { sub: crypto.randomUUID(), sid: crypto.randomUUID() }
    const record = { ...hot, tokenExpiresAt, claims: { ...hot.claims, ...own } }
    const { secret } = await dependencies.store.create(record, tokens, visitor)
    cookies.push(`${dependencies.cookie.name}=${secret}`)
  })
  return cookies
}

/** Bytes that the data of the BFF's Redis takes (`MEMORY STATS`). */
async function redisDataBytes({ dependencies: { redis } }: Bff): Promise<number> {
  const stats: unknown[] = await redis.call('MEMORY', 'STATS').then((answer) => (Array.isArray(answer) ? answer : []))
  return Number(stats[stats.indexOf('dataset.bytes') + 1])
}
