import { parseArgs } from 'node:util'
import type { Measure } from '../auth/measures.ts'
import { percentile } from '../auth/statistics.ts'
import { makeConversations } from '../messaging/make-conversations.ts'
import { startRig } from '../messaging/rig.ts'
import { loadNow, log, report } from '../report.ts'
import { addAudience, addTemplate } from './audience.ts'
import { createCalls } from './calls.ts'
import { measureExport } from './measure-export.ts'
import { bareRowsPerSecond, bytesOfOne, measureFreeze } from './measure-freeze.ts'
import { measurePages } from './measure-pages.ts'
import { measureRun } from './measure-run.ts'

/**
 * `npm run bench:campaigns`: how fast one worker writes an audience down, against a bare loop that does, and sends a campaign;
 * how soon a person's answer leaves meanwhile and a pause is answered; what pages of recipients take in a campaign of a tenth.
 * `--short` proves that the bench itself works.
 */
const { values: flags } = parseArgs({
  options: { audience: { type: 'string', default: '1000000' }, short: { type: 'boolean', default: false } },
})
const audience = flags.short ? 3000 : Number(flags.audience)
const plan = flags.short ? { seconds: 2, answers: 5, pages: 5 } : { seconds: 30, answers: 100, pages: 100 }

console.log(`load before the run ${loadNow()}; an audience of ${audience}`)
const rig = await startRig(1)
try {
  const [line] = rig.lines
  const number = await rig.db.collection('numbers').findOne()
  if (!line || !number) throw new Error('no number is connected')
  const workspaceId = number['workspaceId']
  const tags = [
    { tag: 'all', count: audience, place: 0 },
    { tag: 'tenth', count: Math.ceil(audience / 10), place: 1 },
  ]
  for (const each of tags) await addAudience(rig.db, workspaceId, each)
  log(`${audience} contacts, and a tenth more`)
  await makeConversations(rig, plan.answers, 4)
  const templateId = await addTemplate(rig.db, workspaceId, line)
  const calls = createCalls(rig.person, { numberId: line.id.toHexString(), templateId })
  const bare = await bareRowsPerSecond(rig.db, workspaceId, 'all')
  const measures: Measure[] = []
  const worker = await rig.startWorker()
  try {
    const small = await calls.startReview('tenth')
    await measureFreeze(rig.db, small, Math.ceil(audience / 10))
    await calls.launch(small)
    await calls.change(small, 'pause')
    const large = await calls.startReview('all')
    const freeze = await measureFreeze(rig.db, large, audience)
    await calls.launch(large)
    const rowBytes = await bytesOfOne(rig.db, 'campaignRecipients')
    log(`written down in ${freeze.seconds.toFixed(1)} s; the messages leave …`)
    const run = await measureRun(rig.db, { calls, campaignId: large, ...plan })
    const pages = await measurePages(calls, { large, small, asked: plan.pages })
    const exported = await measureExport(rig.person, { campaignId: large, rows: audience })
    measures.push(
      { name: 'an audience written down', values: [freeze.seconds], unit: 's', goal: { atMost: 90 } },
      { name: 'rows a second of a bare loop', values: [audience / freeze.seconds / bare] },
      { name: 'its last tenth, of the first', values: [freeze.lastOfFirst], goal: { atMost: 1.3 } },
      { name: 'a row with its indexes', values: [rowBytes], unit: 'bytes' },
      { name: 'sends of one worker', values: [run.perSecond], unit: 'messages/s', goal: { atLeast: 1000 } },
      {
        name: 'an answer meanwhile, until its request, p95',
        values: [
          percentile(
            run.answers.map(({ requestedMs }) => requestedMs),
            0.95,
          ),
        ],
        unit: 'ms',
        goal: { atMost: 300 },
      },
      {
        name: 'until it was accepted, p95',
        values: [
          percentile(
            run.answers.map(({ acceptedMs }) => acceptedMs),
            0.95,
          ),
        ],
        unit: 'ms',
      },
      { name: 'a pause is answered', values: [run.pauseMs], unit: 'ms', goal: { atMost: 1000 } },
      { name: 'under way when it was answered', values: [run.underWayAtPause], unit: 'messages' },
      ...pages,
      exported,
    )
  } finally {
    await worker.stop()
  }
  report('campaigns', measures)
} finally {
  await rig.stop()
}
