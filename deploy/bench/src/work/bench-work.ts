import { parseArgs } from 'node:util'
import { addAudience, addTemplate } from '../campaigns/audience.ts'
import { createCalls } from '../campaigns/calls.ts'
import { startRig } from '../messaging/rig.ts'
import { reportStoredBytes } from '../messaging/stored-bytes.ts'
import { withCleanUp } from '../program.ts'
import { loadNow, log, type Measure, report } from '../report.ts'
import type { Work } from './work.ts'
import { createWorkload, customersWrite, statusesOf } from './workload.ts'

/**
 * `npm run bench -- work`: what one message of a campaign, its statuses, and messages of customers take of MongoDB and of a worker: CPU,
 * statements, documents and index keys, and what all messages then take on disk. They compare two versions on a machine that does other
 * work as well, which rates do not. `--only campaign` leaves out statuses and customers, `--only statuses` customers alone. `--short`
 * proves that the bench itself works.
 */
const { values: flags } = parseArgs({
  options: {
    messages: { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '1' },
    only: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
})
const [messages, rounds] = flags.short ? [100, 1] : [Number(flags.messages), Number(flags.rounds)]
const numbers = 4

console.log(`load before the run ${loadNow()}; ${rounds} rounds of ${messages} messages`)
await withCleanUp(run)

async function run(cleanUp: AsyncDisposableStack): Promise<void> {
  const rig = await startRig(numbers, cleanUp)
  const { db } = rig
  const [line] = rig.lines
  const number = await db.collection('numbers').findOne()
  if (!line || !number) throw new Error('no number is connected')
  console.log(`MongoDB ${(await db.admin().serverInfo())['version']}, data in ${rig.dataDir}`)
  const templateId = await addTemplate(db, number['workspaceId'], line)
  const calls = createCalls(rig.person, { numberId: line.id.toHexString(), templateId })
  const worker = cleanUp.use(await rig.startWorker())
  const workload = await createWorkload(rig, [worker])

  const results: Record<string, Work[]> = {}
  const add = (name: string, work: Work) => {
    results[name] = [...(results[name] ?? []), work]
  }
  // The first round warms up the worker.
  for (let round = 0; round <= rounds; round += 1) {
    const keep = (name: string, work: Work) => round > 0 && add(name, work)
    await workload.measureIdle()
    const tag = `round${round}`
    await addAudience(db, number['workspaceId'], { tag, count: messages, block: round })
    log(`round ${round} of ${rounds}: a campaign …`)
    const { work, id } = await workload.measureCampaign(calls, { tag, count: messages })
    keep('campaign', work)
    if (flags.only === 'campaign') continue
    log('its statuses …')
    const statuses = await statusesOf(rig, id)
    keep('status', await workload.measureApplied(statuses))
    if (flags.only === 'statuses') continue
    log('messages of new customers, and of the same again …')
    keep('new customer', await workload.measureApplied(customersWrite(rig, round, messages)))
    keep('customer', await workload.measureApplied(customersWrite(rig, round, messages)))
  }
  report(
    Object.entries(results).flatMap(([name, works]) =>
      Object.keys(works[0] ?? {}).map(
        (kind): Measure => ({ name: `${name}: ${kind}`, values: works.map((work) => work[kind] ?? Number.NaN) }),
      ),
    ),
  )
  await reportStoredBytes(db)
}
