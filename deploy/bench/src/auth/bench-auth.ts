import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repoRoot } from '@parley/local/paths'
import { compareProxies, type ProxyRounds } from './compare-proxies.ts'
import { measureSessions } from './measure-sessions.ts'
import { type Measure, record, verdict } from './measures.ts'
import { startRig } from './rig.ts'
import { spread, table } from './statistics.ts'
import { apacheMissing, installApache } from './subjects/apache.ts'

/**
 * `npm run bench:auth`: what a signed-in request costs, against other ways to the same route on the same machine in the same
 * run. Only ratios are compared; figures in requests a second belong to this machine and moment. `--apache` installs Apache
 * where it is missing.
 */
const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '5' },
    sessions: { type: 'string', default: '100000' },
    profile: { type: 'boolean', default: true },
    apache: { type: 'boolean', default: false },
  },
  allowNegative: true,
})
const plan = { rounds: Number(flags.rounds), seconds: Number(flags.seconds), connections: 32 }

const say = (line: string) => console.log(line)
const load = () => loadavg()[0]?.toFixed(2)
say(`${cpus().length} cores, load before the run ${load()}; ${plan.rounds} rounds of ${plan.seconds} s, 32 connections`)

if (flags.apache && apacheMissing()) installApache()
const rig = await startRig(say)
const measures: Measure[] = []
try {
  const proxies = await compareProxies(rig, { ...plan, profile: flags.profile, say })
  say(`\n${proxyTable(proxies.rounds)}`)
  say('All requests are of one session, which the BFF keeps in memory for a second: the first line is its best case.')
  say('It writes a log line, metrics and security headers for each request, which the other proxies do not.')
  measures.push(...proxies.measures)
  if (proxies.profile) say(`\n${proxies.profile}`)
  measures.push(...(await measureSessions(rig, { ...plan, sessions: Number(flags.sessions), say })))
} finally {
  await rig.stop()
}

say(`\n${table([['measure', 'median (range)', 'goal', ''], ...measures.map(verdict)])}`)
say(`load after the run ${load()}`)
const file = join(repoRoot, '.parley/bench-auth.json')
mkdirSync(join(repoRoot, '.parley'), { recursive: true })
writeFileSync(file, `${JSON.stringify(measures.map(record), null, 2)}\n`)

function proxyTable(rounds: ProxyRounds): string {
  const rows = [...rounds].map(([name, figures]) => [
    name,
    ...(['requestsPerSecond', 'p50', 'p99', 'cpuPerRequest'] as const).map((key) =>
      spread(
        figures.map((round) => round[key]),
        0,
      ),
    ),
  ])
  return table([['GET /api/auth/user', 'requests/s', 'p50 ms', 'p99 ms', 'own CPU µs a request'], ...rows])
}
