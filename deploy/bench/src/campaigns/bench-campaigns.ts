import { parseArgs } from 'node:util'
import { startRig } from '../messaging/rig.ts'
import { makeConversations } from '../messaging/worker-runs.ts'
import { withCleanUp } from '../program.ts'
import { loadNow, log, report } from '../report.ts'
import { addAudience, addTemplate } from './audience.ts'
import { createCalls } from './calls.ts'
import { bareRowsPerSecond, bytesOfOne, measureExport, measureFreeze, measurePages, measureRun } from './measure.ts'

/**
 * `npm run bench -- campaigns`: how fast one worker writes an audience down, against a bare loop that does, and sends a campaign;
 * how soon a person's answer leaves meanwhile and a pause is answered; what pages of recipients take in a campaign of a tenth.
 * `--short` proves that the bench itself works.
 */
const { values: flags } = parseArgs({
  options: { audience: { type: 'string', default: '1000000' }, short: { type: 'boolean', default: false } },
})
const audience = flags.short ? 3000 : Number(flags.audience)
const plan = flags.short ? { seconds: 2, answers: 5, pages: 5 } : { seconds: 30, answers: 100, pages: 100 }

console.log(`load before the run ${loadNow()}; an audience of ${audience}`)
await withCleanUp(run)

async function run(cleanUp: AsyncDisposableStack): Promise<void> {
  const rig = await startRig(1, cleanUp)
  const { db } = rig
  const [line] = rig.lines
  const number = await db.collection('numbers').findOne()
  if (!line || !number) throw new Error('no number is connected')
  const workspaceId = number['workspaceId']
  const tenth = Math.ceil(audience / 10)
  await addAudience(db, workspaceId, { tag: 'all', count: audience, block: 0 })
  await addAudience(db, workspaceId, { tag: 'tenth', count: tenth, block: 1 })
  log(`${audience} contacts, and a tenth more`)
  await makeConversations(rig, plan.answers, 4)
  const templateId = await addTemplate(db, workspaceId, line)
  const calls = createCalls(rig.person, { numberId: line.id.toHexString(), templateId })
  const bare = await bareRowsPerSecond(db, workspaceId, 'all')
  cleanUp.use(await rig.startWorker())
  const small = await calls.startReview('tenth')
  await measureFreeze(db, small, tenth)
  await calls.launch(small)
  await calls.change(small, 'pause')
  const large = await calls.startReview('all')
  const freeze = await measureFreeze(db, large, audience)
  await calls.launch(large)
  const rowBytes = await bytesOfOne(db, 'campaignRecipients')
  log(`written down in ${freeze.seconds.toFixed(1)} s; the messages leave …`)
  report([
    { name: 'an audience written down', values: [freeze.seconds], unit: 's', goal: { atMost: 90 } },
    { name: 'rows a second of a bare loop', values: [audience / freeze.seconds / bare] },
    { name: 'its last tenth, of the first', values: [freeze.lastOfFirst], goal: { atMost: 1.3 } },
    { name: 'a row with its indexes', values: [rowBytes], unit: 'bytes' },
    ...(await measureRun(db, { calls, campaignId: large, ...plan })),
    ...(await measurePages(calls, { large, small }, plan.pages)),
    await measureExport(rig, large, audience),
  ])
}
