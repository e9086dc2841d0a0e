import { parseArgs } from 'node:util'
import { defineEndpoint } from '@parley/contracts/core/endpoint'
import { createAuditIndexes, createAuditLog } from '@parley/service-kit/data/audit-log'
import { createEventIndexes } from '@parley/service-kit/data/event-log'
import { workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { inTransaction } from '@parley/service-kit/data/transaction'
import { mount } from '@parley/service-kit/http/mount'
import { startBareApp } from '@parley/service-kit/testing/bare-app'
import { asUser, userId, workspaceId } from '@parley/service-kit/testing/shop-app'
import { openTestDatabase } from '@parley/service-kit/testing/test-database'
import { z } from 'zod'
import { inRounds, runLoad } from '../load.ts'
import { cpuMicroseconds } from '../machine.ts'
import { withCleanUp } from '../program.ts'
import { loadNow, report, spread, table } from '../report.ts'
import { startBenchStack } from '../stack.ts'
import { measureVerify } from './measure-verify.ts'

/**
 * `npm run bench -- audit`: what an entry of the audit log costs the change that it is about. The same change, of one of many records in a
 * transaction with its event, is made by a service with the log and by one without, in the same process and run. Only the ratio is compared.
 * With `--verify <entries>` alone how fast so many are verified.
 */
const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '4' },
    verify: { type: 'string' },
  },
})
const [rounds, seconds, connections] = [Number(flags.rounds), Number(flags.seconds), 16]
const records = 2000

interface Thing {
  readonly id: string
  readonly name: string
  readonly colour: string
}
const change = defineEndpoint({
  operation: 'things.change',
  method: 'POST',
  path: '/things/:id',
  access: 'session',
  permission: 'member',
  summary: 'Changes a thing.',
  params: z.object({ id: z.string() }),
  body: z.object({ name: z.string(), colour: z.enum(['red', 'blue']) }),
  status: 204,
  errors: [],
})

console.log(`load before the run ${loadNow()}; ${rounds} rounds of ${seconds} s, ${connections} connections`)
await withCleanUp(async (cleanUp) => {
  if (flags.verify === undefined) await measureChanges(cleanUp)
  else report(await measureVerify(Number(flags.verify), rounds, cleanUp))
})

async function measureChanges(cleanUp: AsyncDisposableStack): Promise<void> {
  const { stack } = cleanUp.use(await startBenchStack({ components: ['mongodb'] }))
  const database = await openTestDatabase(stack.urls.mongodb)
  cleanUp.defer(() => database.drop())
  const { connection } = database
  if (!connection.db) throw new Error('the database is not open')
  await createAuditIndexes(connection.db)
  await createEventIndexes(connection.db)
  const { Schema } = connection.base
  const schema = new Schema(
    { workspaceId: Schema.Types.ObjectId, name: String, colour: String },
    { versionKey: false, strict: 'throw' },
  )
  const things = workspaceCollection<Thing>({ connection, name: 'things', schema })
  const ids = (
    await things({ workspaceId }).insertMany(
      Array.from({ length: records }, (_, index) => ({ name: `Thing ${index}`, colour: 'red' })),
    )
  ).map(({ id }) => id)
  let next = 0
  const modules = (scope: Parameters<typeof mount>[0]) =>
    mount(scope, change, async ({ ctx, body }) => {
      // Connections change records of their own: two changes of one at once would wait for each other.
      const id = ids[next++ % ids.length] ?? ''
      await inTransaction(connection, async (tx) => {
        await things(ctx).findOneAndUpdate({ _id: id }, { $set: body }, { session: tx.session })
        tx.emit({
          workspaceId,
          type: 'sample_data.changed',
          by: { kind: 'user', id: userId },
          data: { state: 'cleared' },
        })
      })
    })
  const [audited, plain] = [
    await startBareApp({ modules, audit: createAuditLog(connection) }),
    await startBareApp({ modules }),
  ]
  cleanUp.defer(async () => void (await Promise.all([audited.app.close(), plain.app.close()])))
  const databasePid = Number((await connection.db.admin().serverStatus())['pid'])
  /** `service` and `database` are the microseconds of CPU that a change takes; the service's with the load that is made for it. */
  const measure = async (url: string, forSeconds: number) => {
    const pids = { service: process.pid, database: databasePid }
    const before = { service: cpuMicroseconds(pids.service), database: cpuMicroseconds(pids.database) }
    const result = await runLoad({
      url: `${url}/things/${ids[0]}`,
      headers: { ...asUser, 'content-type': 'application/json' },
      connections,
      seconds: forSeconds,
      requests: ['red', 'blue'].map((colour) => ({ headers: {}, body: JSON.stringify({ name: 'Another', colour }) })),
    })
    const of = (who: 'service' | 'database') =>
      (cpuMicroseconds(pids[who]) - before[who]) / (result.requestsPerSecond * forSeconds)
    return { ...result, service: of('service'), database: of('database') }
  }
  for (const { url } of [audited, plain]) await measure(url, 2)
  const measured = await inRounds(rounds, {
    'with the audit log': () => measure(audited.url, seconds),
    without: () => measure(plain.url, seconds),
  })
  const keys = ['requestsPerSecond', 'p50', 'p99', 'service', 'database'] as const
  const rows = Object.entries(measured).map(([name, results]) => [
    name,
    ...keys.map((key) =>
      spread(
        results.map((round) => round[key]),
        0,
      ),
    ),
  ])
  console.log(`\n${table([['a change', 'requests/s', 'p50 ms', 'p99 ms', 'own CPU µs', 'database µs'], ...rows])}`)
  const base = measured['without'] ?? []
  const ratios = (pick: (of: (typeof base)[number]) => number) =>
    (measured['with the audit log'] ?? []).map(
      (run, index) => pick(run) / (base[index] ? pick(base[index]) : Number.NaN),
    )
  report([
    {
      name: 'changes/s, with the audit log ÷ without',
      values: ratios(({ requestsPerSecond }) => requestsPerSecond),
      goal: { atLeast: 0.9 },
    },
    { name: 'CPU a change, with the audit log ÷ without', values: ratios((run) => run.service + run.database) },
  ])
}
