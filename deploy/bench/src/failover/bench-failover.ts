import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '@parley/service-kit/testing/free-port'
import { type Rig, startRig } from '../messaging/rig.ts'
import { makeConversations } from '../messaging/worker-runs.ts'
import { until, withCleanUp } from '../program.ts'
import { loadNow, log, table } from '../report.ts'
import { startStores } from './stores.ts'
import { createTraffic, type Sent, startReceiver } from './traffic.ts'

/**
 * `npm run bench -- failover`: messages through two ingests and two workers while one thing after the other breaks: the primary of three
 * MongoDB members, Redis, a worker, an ingest. Each message that was taken must be stored, and leave, once; how long it took at most.
 * `--election`: time-out of MongoDB's elections, in milliseconds. `--only`: the faults whose name contains this.
 */
const { values: flags } = parseArgs({
  options: { election: { type: 'string', default: '10000' }, only: { type: 'string', default: '' } },
})
const electionMs = Number(flags.election)
const frozenMs = 15_000
const settleMs = 10_000
/** Each message is where it belongs this soon after a fault. */
const maxRecoveryMs = 12_000

interface Window {
  readonly name: string
  readonly from: number
  readonly until: number
}

console.log(`load before the run ${loadNow()}; MongoDB elects after ${electionMs / 1000} s`)
await withCleanUp(run)

async function run(cleanUp: AsyncDisposableStack): Promise<void> {
  const { mongodb, redisUrl, failOver } = await startStores(cleanUp, electionMs)
  const environment = { MONGODB_URL: mongodb.url, REDIS_URL: redisUrl }
  const rig = await startRig(1, cleanUp, { environment, restarts: true })
  const { db } = rig
  const receiver = await startReceiver(cleanUp)
  await db.collection('numbers').updateMany({}, { $set: { graphUrl: receiver.url } })
  await makeConversations(rig, 20, 4)
  const port = await freePort()
  const ingests = [rig.ingest, cleanUp.use(await rig.startIngest(port))] as const
  const workers = [cleanUp.use(await rig.startWorker()), cleanUp.use(await rig.startWorker())] as const
  const otherUrl = new URL(rig.hook.url)
  otherUrl.port = String(port)
  const conversations = await db.collection('conversations').find().toArray()
  const traffic = createTraffic(
    rig,
    [rig.hook.url, otherUrl.href],
    conversations.map(({ _id }) => _id.toHexString()),
  )

  const windows: Window[] = []
  const faults: Readonly<Record<string, () => Promise<unknown>>> = {
    nothing: () => delay(settleMs),
    'MongoDB primary killed (of three)': async () => {
      await (await mongodb.primary()).kill()
      await mongodb.untilWhole()
    },
    [`MongoDB primary frozen for ${frozenMs / 1000} s`]: async () => {
      await (await mongodb.primary()).freeze(frozenMs)
      await mongodb.untilWhole()
    },
    'Redis failed over (REPLICAOF)': failOver,
    'one of two workers killed': () => workers[0].kill(),
    'one of two ingests killed': () => ingests[0].kill(),
  }
  for (const [name, fault] of Object.entries(faults)) {
    if (!name.includes(flags.only)) continue
    log(`${name} …`)
    const from = Date.now()
    await fault()
    await delay(settleMs)
    windows.push({ name, from, until: Date.now() })
  }
  await traffic.stop()
  await until('nothing waits', () => isDone(rig), { limitMs: 180_000 })

  const stored = await db
    .collection('messages')
    .find({ waMessageId: { $in: traffic.webhooks.map(({ id }) => id) } })
    .toArray()
  const storedAt = new Map<string, number[]>()
  for (const { waMessageId, createdAt } of stored)
    storedAt.set(waMessageId, [...(storedAt.get(waMessageId) ?? []), Number(createdAt)])
  const delays = {
    taken: traffic.webhooks.map((sent) => waitOf(sent, sent.takenAt)),
    stored: traffic.webhooks.map((sent) => waitOf(sent, storedAt.get(sent.id)?.[0])),
    left: traffic.answers.map((sent) => waitOf(sent, receiver.received.get(sent.messageId)?.at)),
  }
  const maxIn = ({ from, until: to }: Window, waits: typeof delays.stored) =>
    Math.max(0, ...waits.filter(({ begunAt }) => begunAt >= from && begunAt < to).map(({ ms }) => ms))
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s${ms > maxRecoveryMs ? ' missed' : ''}`
  console.log(
    `\n${table([
      ['fault', 'webhook taken, at most', 'stored, at most', 'answer left, at most'],
      ...windows.map((window) => [
        window.name,
        seconds(maxIn(window, delays.taken)),
        seconds(maxIn(window, delays.stored)),
        seconds(maxIn(window, delays.left)),
      ]),
    ])}\n`,
  )
  const isUncertain = { 'dispatch.state': 'uncertain' }
  const uncertain = new Set((await db.collection('messages').find(isUncertain).toArray()).map(({ _id }) => String(_id)))
  const notLeft = traffic.answers.filter(({ messageId }) => !receiver.received.has(messageId))
  const verdicts = {
    [`of ${traffic.webhooks.length} webhooks that were taken all are stored`]: traffic.webhooks.filter(
      ({ id }) => !storedAt.has(id),
    ).length,
    'none is stored twice': [...storedAt.values()].filter(({ length }) => length > 1).length,
    [`of ${traffic.answers.length} answers all have left, or are named as uncertain (${uncertain.size})`]:
      notLeft.filter(({ messageId }) => !uncertain.has(messageId)).length,
    'none has left twice': [...receiver.received.values()].filter(({ times }) => times > 1).length,
  }
  for (const [name, bad] of Object.entries(verdicts)) console.log(`${bad === 0 ? '✓' : `✗ (${bad})`} ${name}`)
  console.log(`load after the run ${loadNow()}`)
  process.exitCode = Object.values(verdicts).every((bad) => bad === 0) ? 0 : 1
}

/** Time that a message took; one that never came there is in the verdicts. */
function waitOf({ begunAt }: Sent, at = begunAt) {
  return { begunAt, ms: at - begunAt }
}

async function isDone({ db }: Rig): Promise<boolean> {
  const waits = await db.collection('rawEvents').countDocuments({ lane: { $gte: '' } }, { hint: 'pending', limit: 1 })
  const leaves = await db
    .collection('messages')
    .countDocuments({ sendLane: { $gte: '' } }, { hint: 'outbox', limit: 1 })
  return waits + leaves === 0
}
