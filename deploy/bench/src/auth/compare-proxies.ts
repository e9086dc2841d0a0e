import { inRounds } from '../load.ts'
import { log, type Measure, spread, table } from '../report.ts'
import { apacheMissing } from './apache.ts'
import { inspectProcess } from './profile.ts'
import type { Rig } from './rig.ts'
import {
  apacheSubject,
  bareSubject,
  bffSubject,
  type Inspected,
  measure,
  openidSubject,
  type Plan,
  type Round,
  requireUser,
  type Subject,
} from './subjects.ts'

const warmUpSeconds = 3

/** The BFF beside the other proxies, one after the other in each round, each round in another order. Prints what each costs. */
export async function compareProxies(rig: Rig, plan: Plan & { profile: boolean }): Promise<Measure[]> {
  const missing = apacheMissing()
  if (missing) log(`mod_auth_openidc is skipped: ${missing}`)
  const uncached = await rig.startAnotherBff({ SESSION_CACHE_MS: '0' })
  const subjects = {
    BFF: bffSubject(rig.bff, rig.cookie),
    /** For a session that nothing has asked for in the last second. */
    'BFF, session from Redis': bffSubject(uncached, rig.cookie),
    'bare proxy': await bareSubject(rig),
    'express-openid-connect': await openidSubject(rig),
    ...(!missing && { mod_auth_openidc: await apacheSubject(rig) }),
  }
  for (const [name, subject] of Object.entries<Subject>(subjects)) {
    await requireUser(rig, name, subject)
    await measure(rig, { ...plan, seconds: warmUpSeconds }, subject)
  }
  const measures = Object.entries<Subject>(subjects).map(
    ([name, subject]) => [name, () => measure(rig, plan, subject)] as const,
  )
  const rounds = await inRounds(plan.rounds, Object.fromEntries(measures))
  console.log(`\n${proxyTable(rounds)}`)
  log('All requests are of one session, which the BFF keeps in memory for a second: the first line is its best case.')
  log('It writes a log line, metrics and security headers for each request, which the other proxies do not.')
  if (plan.profile) console.log(`\n${await profileTable(rig, plan, subjects.BFF, subjects['bare proxy'])}`)
  return compare(rounds)
}

type Rounds = Readonly<Record<string, readonly Round[]>>

function proxyTable(rounds: Rounds): string {
  const keys = ['requestsPerSecond', 'p50', 'p99', 'cpuPerRequest'] as const
  const rows = Object.entries(rounds).map(([name, measured]) => [
    name,
    ...keys.map((key) => {
      const values = measured.map((round) => round[key])
      return spread(values, 0)
    }),
  ])
  return table([['GET /api/auth/user', 'requests/s', 'p50 ms', 'p99 ms', 'own CPU µs a request'], ...rows])
}

function compare(rounds: Rounds): Measure[] {
  const ratios = (of: keyof Round, other: string, own = 'BFF') =>
    (rounds[own] ?? []).map((round, index) => round[of] / (rounds[other]?.[index]?.[of] ?? Number.NaN))
  const [bare, openid, apache] = ['bare proxy', 'express-openid-connect', 'mod_auth_openidc']
  const throughput = (other: string, atLeast: number): Measure => ({
    name: `requests/s, BFF ÷ ${other}`,
    values: ratios('requestsPerSecond', other),
    goal: { atLeast },
  })
  const fromRedis = 'requests/s, BFF with the session from Redis each time ÷ bare proxy'
  return [
    throughput(bare, 0.8),
    throughput(openid, 1.2),
    { name: `requests/s, bare proxy ÷ ${openid}`, values: ratios('requestsPerSecond', openid, bare) },
    ...(rounds[apache] ? [throughput(apache, 1)] : []),
    { name: fromRedis, values: ratios('requestsPerSecond', bare, 'BFF, session from Redis') },
    { name: 'p99, BFF ÷ bare proxy', values: ratios('p99', bare), goal: { atMost: 2 } },
    { name: 'CPU a request, BFF ÷ bare proxy', values: ratios('cpuPerRequest', bare) },
    { name: 'CPU a request, BFF ÷ express-openid-connect', values: ratios('cpuPerRequest', openid) },
  ]
}

/** CPU of a request by module, in the BFF and in the bare proxy, where it is a microsecond at least. */
async function profileTable(rig: Rig, plan: Plan, bff: Inspected, bare: Inspected): Promise<string> {
  const byModule = async (subject: Inspected) => {
    let cpuPerRequest = 0
    const inspector = await inspectProcess(subject.pid(), subject.inspectPort)
    const shares = await inspector.selfTimeWhile(async () => {
      cpuPerRequest = (await measure(rig, plan, subject)).cpuPerRequest
    })
    inspector.close()
    return new Map([...shares].map(([module, share]) => [module, share * cpuPerRequest]))
  }
  const [own, least] = [await byModule(bff), await byModule(bare)]
  const rows = [...new Set([...own.keys(), ...least.keys()])]
    .map((module) => ({ module, own: own.get(module) ?? 0, least: least.get(module) ?? 0 }))
    .filter((row) => Math.max(row.own, row.least) >= 1)
    .sort((a, b) => b.own - b.least - (a.own - a.least))
    .map((row) => [row.module, ...[row.own, row.least, row.own - row.least].map((time) => time.toFixed(1))])
  return table([['CPU µs a request, by module', 'BFF', 'bare proxy', 'more'], ...rows])
}
