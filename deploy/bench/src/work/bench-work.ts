import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ObjectId } from 'mongodb'
import { addAudience, addTemplate } from '../campaigns/audience.ts'
import { createCalls } from '../campaigns/calls.ts'
import { runLoad } from '../load.ts'
import { type Rig, startRig } from '../messaging/rig.ts'
import { inboundText, statusOf, type Webhook } from '../messaging/webhooks.ts'
import { until, withCleanUp } from '../program.ts'
import { loadNow, log, type Measure, report } from '../report.ts'
import { readWork, type Work, workOfEach } from './work.ts'

/**
 * `npm run bench -- work`: what one message of a campaign, its statuses, and messages of customers take of MongoDB and of a worker: CPU,
 * statements, documents and index keys. They compare two versions on a machine that does other work as well, which rates do not.
 * `--only campaign` leaves out statuses and customers. `--short` proves that the bench itself works.
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
const connections = 64
const numbers = 4
const idleMs = 5000

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
  const pids = { mongodb: rig.mongodbPid, worker: worker.pid() }

  /** Work of a second while nothing is asked for. */
  let idle: Work = {}
  async function measureIdle(): Promise<Work> {
    await until('nothing is going on', () => isIdle(rig))
    const before = await readWork(db, pids)
    await delay(idleMs)
    return workOfEach({ before, after: await readWork(db, pids) }, idleMs / 1000)
  }

  async function measureFrom(before: Work, begunAt: number, of: number, work: () => Promise<unknown>): Promise<Work> {
    await work()
    const perSecond = (of / (performance.now() - begunAt)) * 1000
    await until('nothing is going on', () => isIdle(rig))
    const seconds = (performance.now() - begunAt) / 1000
    return { ...workOfEach({ before, after: await readWork(db, pids), seconds, idle }, of), 'a second': perSecond }
  }

  /** Measures a backlog of webhooks: the worker stands still until all of it is stored. */
  async function measureApplied(webhooks: readonly Webhook[]): Promise<Work> {
    process.kill(pids.worker, 'SIGSTOP')
    try {
      await runLoad({ url: rig.hook.url, requests: webhooks, connections })
      const [before, begunAt] = [await readWork(db, pids), performance.now()]
      process.kill(pids.worker, 'SIGCONT')
      return await measureFrom(before, begunAt, webhooks.length, () => untilApplied(rig))
    } finally {
      process.kill(pids.worker, 'SIGCONT')
    }
  }

  async function measureCampaign(tag: string): Promise<{ work: Work; id: string }> {
    const id = await calls.startReview(tag)
    await until('its audience is written down', () => isFrozen(rig, id))
    await until('nothing is going on', () => isIdle(rig))
    const [before, begunAt] = [await readWork(db, pids), performance.now()]
    await calls.launch(id)
    const completed = { _id: new ObjectId(id), status: 'completed' }
    const isCompleted = async () => (await db.collection('campaigns').findOne(completed)) !== null
    const work = await measureFrom(before, begunAt, messages, () =>
      until('the campaign is completed', isCompleted, { everyMs: 250, limitMs: 600_000 }),
    )
    return { work, id }
  }

  const results: Record<string, Work[]> = {}
  const add = (name: string, work: Work) => {
    results[name] = [...(results[name] ?? []), work]
  }
  // The first round warms up the worker.
  for (let round = 0; round <= rounds; round += 1) {
    const keep = (name: string, work: Work) => round > 0 && add(name, work)
    idle = await measureIdle()
    const tag = `round${round}`
    await addAudience(db, number['workspaceId'], { tag, count: messages, block: round })
    log(`round ${round} of ${rounds}: a campaign …`)
    const { work, id } = await measureCampaign(tag)
    keep('campaign', work)
    if (flags.only === 'campaign') continue
    log('its statuses …')
    const statuses = await statusesOf(rig, id)
    keep('status', await measureApplied(statuses))
    log('messages of new customers, and of the same again …')
    keep('new customer', await measureApplied(customersWrite(rig, round)))
    keep('customer', await measureApplied(customersWrite(rig, round)))
  }
  report(
    Object.entries(results).flatMap(([name, works]) =>
      Object.keys(works[0] ?? {}).map(
        (kind): Measure => ({ name: `${name}: ${kind}`, values: works.map((work) => work[kind] ?? Number.NaN) }),
      ),
    ),
  )
}

async function isFrozen({ db }: Rig, id: string): Promise<boolean> {
  const campaign = await db.collection('campaigns').findOne({ _id: new ObjectId(id) })
  return Boolean(campaign?.['frozen']?.done)
}

/** Tells whether every event has its number and every consumer has read it. */
async function isIdle({ db }: Rig): Promise<boolean> {
  if ((await db.collection('rawEvents').countDocuments({ lane: { $gte: '' } }, { hint: 'pending', limit: 1 })) > 0)
    return false
  if ((await db.collection('events').countDocuments({ fresh: true }, { hint: 'fresh', limit: 1 })) > 0) return false
  return (await db.collection('eventHeads').countDocuments({ 'due.0': { $exists: true } })) === 0
}

/** Resolves once every stored webhook is applied. */
function untilApplied({ db }: Rig): Promise<void> {
  const left = () => db.collection('rawEvents').countDocuments({ lane: { $gte: '' } }, { hint: 'pending', limit: 1 })
  return until('nothing is left', async () => (await left()) === 0, { everyMs: 100, limitMs: 600_000 })
}

async function statusesOf({ db, hook, lines }: Rig, campaignId: string): Promise<Webhook[]> {
  const phoneNumberId = lines[0]?.phoneNumberId ?? ''
  const sent = await db.collection('messages').find({ 'cause.id': campaignId }).toArray()
  const contacts = await db
    .collection('contacts')
    .find({ _id: { $in: sent.map(({ contactId }) => contactId) } })
    .toArray()
  const phones = new Map(contacts.map(({ _id, phone }) => [String(_id), String(phone).slice(1)]))
  return (['sent', 'delivered', 'read'] as const).flatMap((status) =>
    sent.map(({ _id, waMessageId, contactId }) =>
      statusOf(hook, {
        phoneNumberId,
        to: phones.get(String(contactId)) ?? '',
        wamid: String(waMessageId),
        status,
        callbackData: String(_id),
      }),
    ),
  )
}

function customersWrite({ hook, lines }: Rig, round: number): Webhook[] {
  return Array.from({ length: messages }, (_, index) =>
    inboundText(hook, {
      phoneNumberId: lines[index % lines.length]?.phoneNumberId ?? '',
      from: `9197${round}${String(index).padStart(7, '0')}`,
      wamid: `wamid.${randomUUID()}`,
      text: 'Is it here yet?',
    }),
  )
}
