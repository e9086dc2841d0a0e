import { parseArgs } from 'node:util'
import { ObjectId } from 'mongodb'
import type { Measure } from '../auth/measures.ts'
import { peakMiB, residentMiB } from '../capacity/costs.ts'
import { type OwnServer, startOwnServer } from '../messaging/own-server.ts'
import { startNode } from '../program.ts'
import { loadNow, log, report } from '../report.ts'
import { seedWorkspace } from '../seed/seed-workspace.ts'
import { withoutIndexes } from '../seed/without-indexes.ts'
import { production } from '../stack.ts'
import { bareInsertsPerSecond } from './bare-inserts.ts'
import { createImportCalls } from './import-calls.ts'
import { peopleFile } from './people-file.ts'

/**
 * `npm run bench:imports`: how fast one worker checks a file of people, imports it into a new workspace and undoes that, against
 * a bare loop of inserts; imports another one into a large workspace; and the most memory that it ever has. `--short` proves
 * that the bench itself works.
 */
const { values: flags } = parseArgs({
  options: {
    checked: { type: 'string', default: '1000000' },
    rows: { type: 'string', default: '200000' },
    into: { type: 'string', default: '100000' },
    contacts: { type: 'string', default: '1000000' },
    short: { type: 'boolean', default: false },
  },
})
const plan = flags.short
  ? { checked: 5000, rows: 3000, into: 1000, contacts: 3000 }
  : {
      checked: Number(flags.checked),
      rows: Number(flags.rows),
      into: Number(flags.into),
      contacts: Number(flags.contacts),
    }
const mostMiB = 300
const logRate = (what: string, perSecond: number) => log(`${what}: ${Math.round(perSecond)} rows/s`)

console.log(`load before the run ${loadNow()}; ${JSON.stringify(plan)}`)
const server = await startOwnServer()
try {
  const large = new ObjectId()
  // Others share the database: a new workspace is never alone in it.
  await withoutIndexes(server.db, () =>
    seedWorkspace(server.db, large, { sizes: { contacts: plan.contacts, conversations: 0, messages: 0 } }),
  )
  log('loaded and indexed')
  const worker = await startWorker(server)
  try {
    const pid = worker.pid()
    const idleMiB = residentMiB(pid)
    const measures = [...(await intoNew(server)), ...(await intoLarge(server, large))]
    report('imports', [
      ...measures,
      { name: 'memory of the worker at its start', values: [idleMiB], unit: 'MiB' },
      { name: 'peak memory of the worker', values: [peakMiB(pid)], unit: 'MiB', goal: { atMost: mostMiB } },
    ])
  } finally {
    await worker.stop()
  }
} finally {
  await server.stop()
}

async function intoNew({ db, call }: OwnServer): Promise<Measure[]> {
  const workspaceId = new ObjectId()
  const { upload, rowsPerSecond } = createImportCalls({ call }, workspaceId.toHexString())
  const full = await upload(peopleFile({ from: 0, count: plan.checked }))
  const checked = await rowsPerSecond(full, 'check', plan.checked)
  logRate('dry run', checked)
  const id = await upload(peopleFile({ from: 0, count: plan.rows }))
  await rowsPerSecond(id, 'check', plan.rows)
  const run = await rowsPerSecond(id, 'run', plan.rows)
  logRate('into a new workspace', run)
  const bare = await bareInsertsPerSecond(db, workspaceId)
  logRate('a bare loop', bare)
  const undo = await rowsPerSecond(id, 'undo', plan.rows)
  logRate('undo', undo)
  return [
    { name: 'a dry run', values: [checked], unit: 'rows/s', goal: { atLeast: 20_000 } },
    { name: 'into a new workspace', values: [run], unit: 'rows/s', goal: { atLeast: 5000 } },
    { name: 'rows a second of a bare loop', values: [run / bare] },
    { name: 'its undo', values: [undo], unit: 'rows/s' },
  ]
}

async function intoLarge({ call }: OwnServer, workspaceId: ObjectId): Promise<Measure[]> {
  const { upload, rowsPerSecond } = createImportCalls({ call }, workspaceId.toHexString())
  const id = await upload(peopleFile({ from: plan.contacts, count: plan.into }))
  const checked = await rowsPerSecond(id, 'check', plan.into)
  const run = await rowsPerSecond(id, 'run', plan.into)
  logRate('into a large workspace', run)
  return [
    { name: 'a dry run against a large workspace', values: [checked], unit: 'rows/s' },
    { name: 'into a large workspace', values: [run], unit: 'rows/s', goal: { atLeast: 1500 } },
  ]
}

/** A process of its own: nothing but imports is in its memory. */
function startWorker({ folder, env }: OwnServer) {
  return startNode({
    name: 'messaging-worker',
    script: 'services/messaging/src/worker.ts',
    env: { ...env['messaging-worker'], ...production },
    folder,
  })
}
