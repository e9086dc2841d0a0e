import { userSchema } from '@parley/contracts/profile'
import { cpuMicroseconds } from './cpu-time.ts'
import { inspectProcess } from './inspector.ts'
import { type Figures, runLoad } from './load.ts'
import type { Measure } from './measures.ts'
import type { Rig } from './rig.ts'
import { selfTime } from './self-time.ts'
import { table } from './statistics.ts'
import { apacheMissing } from './subjects/apache.ts'
import {
  apacheSubject,
  bareSubject,
  bffSubject,
  openidSubject,
  type Subject,
  uncachedSubject,
} from './subjects/subjects.ts'

/** A round of one proxy. */
interface Round extends Figures {
  /** CPU that the proxy's own process used, in microseconds a request. */
  readonly cpuPerRequest: number
}
export type ProxyRounds = ReadonlyMap<string, readonly Round[]>

export interface Plan {
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  readonly say: (line: string) => void
}

const warmUpSeconds = 3

/** The BFF beside the other proxies, one after the other in each round, each round in another order. */
export async function compareProxies(rig: Rig, plan: Plan & { profile: boolean }) {
  const subjects = await startSubjects(rig, plan.say)
  try {
    const rounds = await measureRounds(rig, plan, subjects)
    const profile = plan.profile ? await profileOf(rig, plan, subjects) : undefined
    return { rounds, measures: compare(rounds, subjects), profile }
  } finally {
    for (const subject of Object.values(subjects)) await subject?.stop()
  }
}

interface Subjects {
  readonly bff: Subject
  readonly uncached: Subject
  readonly bare: Subject
  readonly openid: Subject
  readonly apache: Subject | undefined
}

async function startSubjects(rig: Rig, say: Plan['say']): Promise<Subjects> {
  const started: Subject[] = []
  const start = async (starting: Promise<Subject>) => {
    const subject = await starting
    started.push(subject)
    await requireUser(rig, subject)
    return subject
  }
  try {
    const uncached = await start(uncachedSubject(rig))
    const bare = await start(bareSubject(rig))
    const openid = await start(openidSubject(rig))
    const missing = apacheMissing()
    if (missing) say(`mod_auth_openidc is skipped: ${missing}`)
    const apache = missing ? undefined : await start(apacheSubject(rig))
    return { bff: bffSubject(rig), uncached, bare, openid, apache }
  } catch (error) {
    for (const subject of started) await subject.stop()
    throw error
  }
}

/** A proxy that answers with anything but the user would be measured for nothing. */
async function requireUser(rig: Rig, { name, url, headers }: Subject): Promise<void> {
  const authorization = await rig.freshBearer()
  const response = await fetch(url, { headers: { ...headers, authorization }, redirect: 'manual' })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${name} answered ${response.status}: ${text.slice(0, 300)}`)
  userSchema.parse(JSON.parse(text))
}

async function measureRounds(rig: Rig, plan: Plan, { bff, uncached, bare, openid, apache }: Subjects) {
  const subjects = [bff, uncached, bare, openid, ...(apache ? [apache] : [])]
  const rounds = new Map<string, Round[]>(subjects.map(({ name }) => [name, []]))
  for (const subject of subjects) await measure(rig, { ...plan, seconds: warmUpSeconds }, subject)
  for (let round = 0; round < plan.rounds; round++) {
    const turned = [...subjects.slice(round % subjects.length), ...subjects.slice(0, round % subjects.length)]
    for (const subject of turned) rounds.get(subject.name)?.push(await measure(rig, plan, subject))
  }
  return rounds
}

async function measure(rig: Rig, { connections, seconds }: Plan, { url, headers, process }: Subject): Promise<Round> {
  const { pid = 0 } = process
  const authorization = await rig.freshBearer()
  const before = cpuMicroseconds(pid)
  const figures = await runLoad({ url, headers: { ...headers, authorization }, connections, seconds })
  const cpuPerRequest = (cpuMicroseconds(pid) - before) / (figures.requestsPerSecond * seconds)
  return { ...figures, cpuPerRequest }
}

function compare(rounds: ProxyRounds, { bff, uncached, bare, openid, apache }: Subjects): Measure[] {
  const perRound = (other: Subject, of: (round: Round) => number, subject = bff) =>
    (rounds.get(subject.name) ?? []).flatMap((own, index) => {
      const against = rounds.get(other.name)?.[index]
      return against ? [of(own) / of(against)] : []
    })
  const throughput = (other: Subject, atLeast: number): Measure => ({
    name: `requests/s, BFF ÷ ${other.name}`,
    values: perRound(other, (round) => round.requestsPerSecond),
    goal: { atLeast },
  })
  return [
    throughput(bare, 0.8),
    throughput(openid, 1.2),
    ...(apache ? [throughput(apache, 1)] : []),
    {
      name: 'requests/s, BFF with the session from Redis each time ÷ bare proxy',
      values: perRound(bare, (round) => round.requestsPerSecond, uncached),
    },
    { name: 'p99, BFF ÷ bare proxy', values: perRound(bare, (round) => round.p99), goal: { atMost: 2 } },
    { name: 'CPU a request, BFF ÷ bare proxy', values: perRound(bare, (round) => round.cpuPerRequest) },
    { name: 'CPU a request, BFF ÷ express-openid-connect', values: perRound(openid, (round) => round.cpuPerRequest) },
  ]
}

/** CPU of a request by module, in the BFF and in the bare proxy, where it is a microsecond at least. */
async function profileOf(rig: Rig, plan: Plan, { bff, bare }: Subjects): Promise<string> {
  const byModule = async (subject: Subject) => {
    const inspector = await inspectProcess(subject.process)
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
