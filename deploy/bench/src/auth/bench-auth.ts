import { parseArgs } from 'node:util'
import { withCleanUp } from '../program.ts'
import { loadNow, report } from '../report.ts'
import { apacheMissing, installApache } from './apache.ts'
import { compareProxies } from './compare-proxies.ts'
import { measureSessions } from './measure-sessions.ts'
import { startRig } from './rig.ts'

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
await withCleanUp(run)

async function run(cleanUp: AsyncDisposableStack): Promise<void> {
  const rig = await startRig(cleanUp)
  const proxies = await compareProxies(rig, { ...plan, profile: flags.profile })
  report([...proxies, ...(await measureSessions(rig, { ...plan, sessions: Number(flags.sessions) }))])
}
