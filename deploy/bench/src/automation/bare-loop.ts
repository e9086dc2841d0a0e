import { createHash } from 'node:crypto'
import { type Document, ObjectId } from 'mongodb'
import { createAsk } from '../calls.ts'
import type { Rig } from './rig.ts'

const batchSize = 100
/** Deliveries at once of one workspace, as in the worker. */
const atOnce = 16

interface Event {
  readonly seq: number
  readonly id: string
  readonly contactId: string
  readonly conversationId: string
  readonly data: { readonly said: { readonly text: string } }
}
interface Run extends Document {
  readonly _id: ObjectId
}

/**
 * The same reads, writes and calls as the worker's, written down for these two texts: no interpreter, no schemas, no queues. Records
 * are copies of those that the worker has stored, in collections of their own with the same indexes.
 */
export async function createBareLoop({ db, client, messaging, bareIds }: Rig) {
  const names = { runs: 'bareRuns', steps: 'bareSteps', inputs: 'bareInputs', cursors: 'bareCursors' } as const
  for (const [from, to] of [
    ['runs', names.runs],
    ['steps', names.steps],
    ['runInputs', names.inputs],
    ['feedCursors', names.cursors],
  ] as const) {
    await db.createCollection(to)
    for (const { key, name, v: _v, ...options } of await db.collection(from).indexes())
      if (name !== '_id_') await db.collection(to).createIndex(key, { ...options, name: String(name) })
  }
  const [runs, steps, inputs, cursors] = [
    db.collection<Run>(names.runs),
    db.collection(names.steps),
    db.collection(names.inputs),
    db.collection(names.cursors),
  ]
  const one = async (collection: string, filter: object) => {
    const found = await db.collection(collection).findOne(filter)
    if (!found) throw new Error(`the worker has left no such record in ${collection}`)
    return found
  }
  const ended = await one('runs', { status: 'ended', outcome: 'completed' })
  const step = await one('steps', { action: 'send' })
  const input = await one('runInputs', {})
  const todo = { inputNo: 1, message: ended['startedBy'], actions: [], results: [], trace: ended['legs'], since: 0 }
  /** Text of the size that state, message and actions have in a run that has something to do. */
  const filler = 'x'.repeat(1500)
  const copyOf = (event: Event, workspaceId: ObjectId): Run => ({
    ...ended,
    _id: new ObjectId(),
    workspaceId,
    contactId: new ObjectId(event.contactId),
    conversationId: new ObjectId(event.conversationId),
    startedBy: { eventId: event.id, triggerId: 'start' },
    status: 'working',
    live: true,
    holds: true,
    lane: home(event.contactId),
    home: home(event.contactId),
    retryAt: new Date(),
    todo: { ...todo, filler },
    version: 1,
  })
  await cursors.insertMany(bareIds.map((id) => ({ workspaceId: new ObjectId(id), seq: 0 })))

  /** Reads and answers everything that customers of a workspace have written. */
  async function work(wid: string): Promise<void> {
    const claims = Buffer.from(JSON.stringify({ wid })).toString('base64url')
    const ask = createAsk(messaging, { authorization: `Bearer x.${claims}.x` })
    const workspaceId = new ObjectId(wid)
    for (;;) {
      await ask('GET', '/internal/events/due')
      const from = Number((await cursors.findOne({ workspaceId }))?.['seq'])
      const page = (await ask('GET', `/internal/events?after=${from}&limit=${batchSize}`)) as {
        items: Event[]
        upTo: number
      }
      if (page.items.length === 0) return
      const changed = await apply(workspaceId, page.items, { from, to: page.upTo })
      await ask('POST', '/internal/events/read', { upTo: page.upTo, passed: [] })
      for (let at = 0; at < changed.length; at += atOnce)
        await deliver(workspaceId, changed.slice(at, at + atOnce), ask)
    }
  }

  async function apply(workspaceId: ObjectId, events: Event[], { from, to }: { from: number; to: number }) {
    await db.collection('routing').findOne({ workspaceId })
    await db.collection('automationSettings').findOne({ workspaceId })
    const session = client.startSession()
    const touched: Run[] = []
    try {
      await session.withTransaction(async () => {
        touched.length = 0
        await cursors.updateOne({ workspaceId, seq: from }, { $set: { seq: to, failures: 0 } }, { session })
        const ids = events.map(({ contactId }) => new ObjectId(contactId))
        const live = await runs.find({ workspaceId, contactId: { $in: ids }, live: true }, { session }).toArray()
        const known = new Map(live.map((run) => [String(run['contactId']), run]))
        const begun: Run[] = []
        const going: Run[] = []
        for (const event of events) {
          const run = known.get(event.contactId)
          if (run) going.push({ ...run, status: 'working', lane: run['home'], todo: { ...todo, filler, inputNo: 2 } })
          else begun.push(copyOf(event, workspaceId))
        }
        const conversationId = { $in: events.map((event) => new ObjectId(event.conversationId)) }
        if (begun.length > 0)
          await runs
            .aggregate([
              { $match: { workspaceId, conversationId } },
              { $sort: { conversationId: 1, _id: -1 } },
              { $group: { _id: '$conversationId', recent: { $first: '$recent' } } },
            ])
            .toArray()
        if (going.length > 0) await runs.bulkWrite(going.map(writeOf), { session })
        if (begun.length > 0) await runs.insertMany(begun, { session })
        touched.push(...begun, ...going)
      })
    } finally {
      await session.endSession()
    }
    return touched
  }

  /** Delivers some runs side by side, and stores what they have done together, as the worker does. */
  async function deliver(workspaceId: ObjectId, some: Run[], ask: ReturnType<typeof createAsk>): Promise<void> {
    const done = await Promise.all(some.map((run) => act(run, ask)))
    const taken = done.flatMap((actions, index) => {
      const run = some[index]
      const first = run?.['todo'].inputNo * 10
      return actions.map((_, n) => ({ ...fieldsOf(step), workspaceId, runId: run?._id, n: n + first }))
    })
    await steps.insertMany(taken, { ordered: false })
    const asked = some.map((run) => ({ workspaceId, runId: run._id, inputNo: run['todo'].inputNo }))
    await inputs.insertMany(
      asked.map((about) => ({ ...fieldsOf(input), ...about })),
      { ordered: false },
    )
    await runs.bulkWrite(some.map((run) => writeOf(afterwards(run))))
  }

  async function act(run: Run, ask: ReturnType<typeof createAsk>): Promise<readonly object[]> {
    const key = (index: number) => `${run._id.toHexString()}.${run['todo'].inputNo}.${index}`
    const send = (index: number) => ({
      key: key(index),
      type: 'send',
      content: { type: 'text', text: 'Which colour?' },
    })
    const actions =
      run['todo'].inputNo === 1
        ? [{ key: key(9), type: 'claim', botId: String(run['flowId']) }, send(0)]
        : [{ key: key(0), type: 'set_attribute', attribute: 'colour', value: 'blue' }, send(1), release(key(2))]
    await ask('POST', '/internal/actions', {
      conversationId: String(run['conversationId']),
      by: { kind: 'bot', id: String(run['flowId']), runId: run._id.toHexString() },
      chain: [],
      actions,
    })
    return actions
  }

  return () => Promise.all(bareIds.map(work))
}

/** The run as it is once its work is done: it waits, or has ended. */
function afterwards(run: Run): Run {
  const { todo, lane: _lane, retryAt: _retryAt, ...rest } = run
  if (todo.inputNo !== 1) return { ...rest, status: 'ended', live: undefined, holds: undefined }
  return { ...rest, status: 'waiting', dueAt: new Date(Date.now() + 3_600_000), dueFor: 'timer', dueLane: run['home'] }
}

const release = (key: string) => ({ key, type: 'release', resolved: true })
const home = (contactId: string) => String(createHash('sha256').update(contactId).digest().readUInt32BE(0) % 64)

function writeOf({ _id, ...fields }: Run) {
  const entries = Object.entries(fields)
  const $set = Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null))
  const absent = ['todo', 'lane', 'retryAt', 'dueAt', 'dueFor', 'dueLane', 'live', 'holds'].filter(
    (name) => !($set[name] !== undefined),
  )
  return {
    updateOne: { filter: { _id }, update: { $set, $unset: Object.fromEntries(absent.map((name) => [name, ''])) } },
  }
}

const fieldsOf = ({ _id, workspaceId: _w, runId: _r, n: _n, ...fields }: Document) => fields
