import { userSchema } from '@parley/contracts/profile'
import { type LoadResult, runLoad } from '../load.ts'
import { cpuMicroseconds } from './cpu-time.ts'
import type { Measure } from './measures.ts'
import type { Rig } from './rig.ts'
import { bareSubject, bffSubject, type Subject, uncachedSubject } from './subjects.ts'

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

/** The BFF beside a bare proxy, one after the other in each round, each round in another order. */
export async function compareProxies(rig: Rig, plan: Plan) {
  const started: Subject[] = []
  try {
    for (const start of [uncachedSubject, bareSubject]) {
      const subject = await start(rig)
      started.push(subject)
      await requireUser(rig, subject)
    }
    const rounds = await measureRounds(rig, plan, [bffSubject(rig), ...started])
    return { rounds, measures: compare(rounds) }
  } finally {
    for (const subject of started) await subject.stop()
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
  const [bff = [], uncached = [], bare = []] = [...rounds.values()]
  const againstBare = (of: (round: Round) => number, subject = bff) =>
    subject.flatMap((own, index) => {
      const against = bare[index]
      return against ? [of(own) / of(against)] : []
    })
  const throughput = (round: Round) => round.requestsPerSecond
  return [
    { name: 'requests/s, BFF ÷ bare proxy', values: againstBare(throughput), goal: { atLeast: 0.8 } },
    {
      name: 'requests/s, BFF with the session from Redis each time ÷ bare proxy',
      values: againstBare(throughput, uncached),
    },
    { name: 'p99, BFF ÷ bare proxy', values: againstBare((round) => round.p99), goal: { atMost: 2 } },
    { name: 'CPU a request, BFF ÷ bare proxy', values: againstBare((round) => round.cpuPerRequest) },
  ]
}
