import { userSchema } from '@parley/contracts/profile'
import { type LoadResult, runLoad } from '../load.ts'
import { log } from '../report.ts'
import { startAll } from '../stack.ts'
import { apacheMissing } from './apache.ts'
import { cpuMicroseconds } from './cpu-time.ts'
import { inspectProcess } from './inspector.ts'
import type { Measure } from './measures.ts'
import type { Rig } from './rig.ts'
import { selfTime } from './self-time.ts'
import { table } from './statistics.ts'
import {
  apacheSubject,
  bareSubject,
  bffSubject,
  type Inspected,
  openidSubject,
  type Subject,
  uncachedSubject,
} from './subjects.ts'

/** A round of one proxy. */
interface Round extends LoadResult {
  /** CPU that the proxy's own process used, in microseconds a request. */
  readonly cpuPerRequest: number
}
export type ProxyRounds = ReadonlyMap<string, readonly Round[]>

export interface Plan {
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
}

const warmUpSeconds = 3

/** The BFF beside the other proxies, one after the other in each round, each round in another order. */
export async function compareProxies(rig: Rig, plan: Plan & { profile: boolean }) {
  const { bff, uncached, bare, openid, apache, stop } = await startSubjects(rig)
  try {
    const subjects = [bff, uncached, bare, openid, ...(apache ? [apache] : [])]
    for (const subject of subjects) await requireUser(rig, subject)
    const rounds = await measureRounds(rig, plan, subjects)
    const profile = plan.profile ? await profileTable(rig, plan, bff, bare) : undefined
    return { rounds, measures: compare(rounds), profile }
  } finally {
    await stop()
  }
}

const startSubjects = (rig: Rig) =>
  startAll(async (started) => {
    const missing = apacheMissing()
    if (missing) log(`mod_auth_openidc is skipped: ${missing}`)
    return {
      bff: bffSubject(rig),
      uncached: await uncachedSubject(rig, started),
      bare: await bareSubject(rig, started),
      openid: await openidSubject(rig, started),
      apache: missing ? undefined : await apacheSubject(rig, started),
    }
  })

/** A proxy that answers with anything but the user would be measured for nothing. */
async function requireUser(rig: Rig, { name, url, headers }: Subject): Promise<void> {
  const authorization = await rig.freshBearer()
  const response = await fetch(url, { headers: { ...headers, authorization }, redirect: 'manual' })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${name} answered ${response.status}: ${text.slice(0, 300)}`)
  userSchema.parse(JSON.parse(text))
}

async function measureRounds(rig: Rig, plan: Plan, subjects: readonly Subject[]): Promise<ProxyRounds> {
  const rounds = new Map<string, Round[]>(subjects.map(({ name }) => [name, []]))
  for (const subject of subjects) await measure(rig, { ...plan, seconds: warmUpSeconds }, subject)
  for (let round = 0; round < plan.rounds; round++) {
    const turned = [...subjects.slice(round % subjects.length), ...subjects.slice(0, round % subjects.length)]
    for (const subject of turned) rounds.get(subject.name)?.push(await measure(rig, plan, subject))
  }
  return rounds
}

async function measure(rig: Rig, { connections, seconds }: Plan, { url, headers, pid }: Subject): Promise<Round> {
  const authorization = await rig.freshBearer()
  const before = cpuMicroseconds(pid())
  const result = await runLoad({ url, headers: { ...headers, authorization }, connections, seconds })
  const cpuPerRequest = (cpuMicroseconds(pid()) - before) / (result.requestsPerSecond * seconds)
  return { ...result, cpuPerRequest }
}

function compare(rounds: ProxyRounds): Measure[] {
  const [bff = [], uncached = [], bare = [], openid = [], apache] = [...rounds.values()]
  const ratios = (own: readonly Round[], others: readonly Round[], of: (round: Round) => number) =>
    own.flatMap((round, index) => {
      const against = others[index]
      return against ? [of(round) / of(against)] : []
    })
  const throughput = (round: Round) => round.requestsPerSecond
  const cpu = (round: Round) => round.cpuPerRequest
  return [
    { name: 'requests/s, BFF ÷ bare proxy', values: ratios(bff, bare, throughput), goal: { atLeast: 0.8 } },
    {
      name: 'requests/s, BFF ÷ express-openid-connect',
      values: ratios(bff, openid, throughput),
      goal: { atLeast: 1.2 },
    },
    ...(apache
      ? [{ name: 'requests/s, BFF ÷ mod_auth_openidc', values: ratios(bff, apache, throughput), goal: { atLeast: 1 } }]
      : []),
    {
      name: 'requests/s, BFF with the session from Redis each time ÷ bare proxy',
      values: ratios(uncached, bare, throughput),
    },
    { name: 'p99, BFF ÷ bare proxy', values: ratios(bff, bare, (round) => round.p99), goal: { atMost: 2 } },
    { name: 'CPU a request, BFF ÷ bare proxy', values: ratios(bff, bare, cpu) },
    { name: 'CPU a request, BFF ÷ express-openid-connect', values: ratios(bff, openid, cpu) },
  ]
}

/** CPU of a request by module, in the BFF and in the bare proxy, where it is a microsecond at least. */
async function profileTable(rig: Rig, plan: Plan, bff: Inspected, bare: Inspected): Promise<string> {
  const byModule = async (subject: Inspected) => {
    const inspector = await inspectProcess(subject.pid(), subject.inspectPort)
    let cpuPerRequest = 0
    const profile = await inspector.profileWhile(async () => {
      cpuPerRequest = (await measure(rig, plan, subject)).cpuPerRequest
    })
    inspector.close()
    return new Map([...selfTime(profile)].map(([module, share]) => [module, share * cpuPerRequest]))
  }
  const [own, least] = [await byModule(bff), await byModule(bare)]
  const rows = [...new Set([...own.keys(), ...least.keys()])]
    .map((module) => ({ module, own: own.get(module) ?? 0, least: least.get(module) ?? 0 }))
    .filter((row) => Math.max(row.own, row.least) >= 1)
    .sort((a, b) => b.own - b.least - (a.own - a.least))
    .map((row) => [row.module, ...[row.own, row.least, row.own - row.least].map((time) => time.toFixed(1))])
  return table([['CPU µs a request, by module', 'BFF', 'bare proxy', 'more'], ...rows])
}
