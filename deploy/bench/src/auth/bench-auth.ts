import { parseArgs } from 'node:util'
import { loadNow, log, report } from '../report.ts'
import { apacheMissing, installApache } from './apache.ts'
import { compareProxies, type ProxyRounds } from './compare-proxies.ts'
import { measureSessions } from './measure-sessions.ts'
import { startRig } from './rig.ts'
import { spread, table } from './statistics.ts'

/**
 * `npm run bench:auth`: what a signed-in request costs, against other ways to the same route on the same machine in the same
 * run. Only ratios are compared; requests a second belong to this machine and moment. `--apache` installs Apache where it is
 * missing.
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

console.log(
  `load before the run ${loadNow()}; ${plan.rounds} rounds of ${plan.seconds} s, ${plan.connections} connections`,
)
if (flags.apache && apacheMissing()) installApache()
const rig = await startRig()
try {
  const { rounds, measures, profile } = await compareProxies(rig, { ...plan, profile: flags.profile })
  console.log(`\n${proxyTable(rounds)}`)
  log('All requests are of one session, which the BFF keeps in memory for a second: the first line is its best case.')
  log('It writes a log line, metrics and security headers for each request, which the other proxies do not.')
  if (profile) console.log(`\n${profile}`)
  report('auth', [...measures, ...(await measureSessions(rig, { ...plan, sessions: Number(flags.sessions) }))])
} finally {
  await rig.stop()
}

function proxyTable(rounds: ProxyRounds): string {
  const rows = [...rounds].map(([name, measured]) => [
    name,
    ...(['requestsPerSecond', 'p50', 'p99', 'cpuPerRequest'] as const).map((key) =>
      spread(
        measured.map((round) => round[key]),
        0,
      ),
    ),
  ])
  return table([['GET /api/auth/user', 'requests/s', 'p50 ms', 'p99 ms', 'own CPU µs a request'], ...rows])
}
