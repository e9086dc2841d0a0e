import { parseArgs } from 'node:util'
import { ObjectId } from 'mongodb'
import { peakMiB, residentMiB } from '../machine.ts'
import { startOwnServer } from '../messaging/own-server.ts'
import { startNode, withCleanUp } from '../program.ts'
import { loadNow, log, report } from '../report.ts'
import { seedWorkspace, withoutIndexes } from '../seed/seed-workspace.ts'
import { production } from '../stack.ts'
import { createImportCalls } from './import-calls.ts'

/**
 * `npm run bench -- imports`: how fast one worker checks a file of people, imports it into a new workspace and undoes that; imports
 * another one into a large workspace; and the most memory that it ever has. `--short` proves that the bench itself works.
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
const [checked = 0, rows = 0, into = 0, contacts = 0] = flags.short
  ? [5000, 3000, 1000, 3000]
  : [flags.checked, flags.rows, flags.into, flags.contacts].map(Number)

console.log(`load before the run ${loadNow()}; ${JSON.stringify({ checked, rows, into, contacts })}`)
await withCleanUp(run)

async function run(cleanUp: AsyncDisposableStack): Promise<void> {
  const server = await startOwnServer(cleanUp)
  const large = new ObjectId()
  // Other workspaces share the database: a new one is never alone in it.
  const sizes = { contacts, conversations: 0, messages: 0 }
  await withoutIndexes(server.db, () => seedWorkspace(server.db, large, { sizes }))
  log('loaded and indexed')
  // A process of its own: nothing but imports is in its memory.
  const worker = cleanUp.use(
    await startNode({
      name: 'messaging-worker',
      script: 'services/messaging/src/worker.ts',
      env: { ...server.env['messaging-worker'], ...production },
      folder: server.folder,
    }),
  )
  const idleMiB = residentMiB(worker.pid())

  const intoNew = createImportCalls(server, new ObjectId().toHexString())
  const dryRun = await intoNew.rowsPerSecond(await intoNew.upload(0, checked), 'check', checked)
  logRate('dry run', dryRun)
  const id = await intoNew.upload(0, rows)
  await intoNew.rowsPerSecond(id, 'check', rows)
  const run = await intoNew.rowsPerSecond(id, 'run', rows)
  logRate('into a new workspace', run)
  const undo = await intoNew.rowsPerSecond(id, 'undo', rows)
  logRate('undo', undo)

  const intoLarge = createImportCalls(server, large.toHexString())
  const largeId = await intoLarge.upload(contacts, into)
  const dryRunOnLarge = await intoLarge.rowsPerSecond(largeId, 'check', into)
  const runOnLarge = await intoLarge.rowsPerSecond(largeId, 'run', into)
  logRate('into a large workspace', runOnLarge)

  const unit = 'rows/s'
  report([
    { name: 'a dry run', values: [dryRun], unit, goal: { atLeast: 20_000 } },
    { name: 'into a new workspace', values: [run], unit, goal: { atLeast: 5000 } },
    { name: 'its undo', values: [undo], unit },
    { name: 'a dry run against a large workspace', values: [dryRunOnLarge], unit },
    { name: 'into a large workspace', values: [runOnLarge], unit, goal: { atLeast: 1500 } },
    { name: 'memory of the worker at its start', values: [idleMiB], unit: 'MiB' },
    { name: 'peak memory of the worker', values: [peakMiB(worker.pid())], unit: 'MiB', goal: { atMost: 300 } },
  ])
}

function logRate(what: string, perSecond: number): void {
  log(`${what}: ${Math.round(perSecond)} rows/s`)
}
