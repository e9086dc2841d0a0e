import { setTimeout as wait } from 'node:timers/promises'
import { figureRowsApi, type RowMetric } from '@parley/contracts/platform/figure-rows'
import { fullConnection } from '@parley/service-kit/data/mongo'
import { inTransaction } from '@parley/service-kit/data/transaction'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { startMessaging } from './start-messaging.ts'

/** `KILLS=50` is the long form. */
const kills = Number(process.env['KILLS'] ?? 10)
const conversations = 20
/** Time limit: a worker starts for each kill, and the next one first notices that it is gone. */
const limitMs = 120_000 * kills

let parley: Awaited<ReturnType<typeof startMessaging>>
beforeAll(async () => {
  parley = await startMessaging()
})
afterAll(() => parley.stop())

/** Statuses as they may come to be: with gaps, failed, sent again by a person, arrived after all. */
const paths = [
  ['sent', 'delivered', 'read'],
  ['delivered'],
  ['failed'],
  ['failed', 'queued', 'sent', 'failed', 'queued', 'delivered'],
  ['failed', 'delivered', 'read'],
  [],
] as const
const isLeft = (status: string | undefined) => status !== undefined && !['queued', 'failed'].includes(status)

const newId = () => new Types.ObjectId().toHexString()
const threads = Array.from({ length: conversations }, () => ({ conversationId: newId(), contactId: newId() }))
const memberId = newId()
/** Expected sums of the rows, by metric. */
const wanted = { received: 0, messagesSent: 0, waits: 0 }
const waiting = new Set<string>()

/** In each conversation the customer writes, and for the most part a member answers: rows and events in one transaction. */
async function converse(round: number): Promise<void> {
  const { messages } = parley.services
  const sentAt = new Date(Date.now() - ((round * 7) % 40) * 3_600_000)
  const common = { numberId: parley.number.id, content: { type: 'text', text: 'Hello' }, statusAt: {}, sentAt }
  const customer = { direction: 'inbound', cause: { kind: 'customer', id: 'x' } } as const
  const member = { direction: 'outbound', status: 'queued', cause: { kind: 'member', id: memberId } } as const
  await inTransaction(parley.database.connection, async (tx) => {
    for (const thread of threads) await messages.create(parley.scope, { ...common, ...thread, ...customer }, tx)
  })
  const answers = await inTransaction(parley.database.connection, async (tx) => {
    const made = []
    for (const thread of threads)
      made.push(await messages.create(parley.scope, { ...common, ...thread, ...member }, tx))
    return made
  })
  const pathOf = (index: number) => paths[(index + round) % paths.length] ?? []
  for (let step = 0; step < Math.max(...paths.map(({ length }) => length)); step += 1)
    await inTransaction(parley.database.connection, async (tx) => {
      const ids = answers.flatMap(({ id }, index) => (pathOf(index)[step] === undefined ? [] : id))
      const known = await messages.known(parley.scope, { waMessageIds: [], ids }, { session: tx.session })
      const changes = known.map(({ id, version, conversationId, status: from }) => {
        const status = pathOf(answers.findIndex((answer) => answer.id === id))[step]
        return { id, version, conversationId, from, set: { status, [`statusAt.${status}`]: new Date() } }
      })
      if (changes.length > 0) await messages.change(parley.scope, changes, tx)
    })
  for (const [index, { conversationId }] of threads.entries()) {
    wanted.received += 1
    if (!waiting.has(conversationId)) wanted.waits += 1
    waiting.add(conversationId)
    if (isLeft(pathOf(index).at(-1))) wanted.messagesSent += 1
    if (pathOf(index).some(isLeft)) waiting.delete(conversationId)
  }
}

const log = (name: string) => fullConnection(parley.database.connection).collection(name)
const numbered = async () =>
  Number((await log('eventHeads').findOne({ _id: parley.inWorkspace.workspaceId }))?.['seq'] ?? 0)
const counted = async () =>
  Number((await log('eventCursors').findOne({ ...parley.inWorkspace, consumer: 'figures' }))?.['seq'] ?? 0)

test(
  `counters and waits are those of the rows after the worker was killed ${kills} times while it counted`,
  async () => {
    await parley.worker.kill()
    let cutShort = 0
    for (let round = 0; round < kills; round += 1) {
      const worker = await parley.startWorker()
      const before = await numbered()
      const writing = converse(round)
      await expect.poll(numbered, { interval: 10 }).toBeGreaterThan(before)
      // Anywhere between an event’s number and its being counted.
      await wait(Math.random() * 250)
      await worker.kill()
      await writing
      if ((await counted()) < (await numbered())) cutShort += 1
    }
    const last = await parley.startWorker()
    await eventually(async () => {
      expect(await log('events').countDocuments({ ...parley.inWorkspace, fresh: true })).toBe(0)
      expect(await counted()).toBe(await numbered())
    })
    expect(cutShort).toBeGreaterThan(0)
    const days = [0, 1, 2, 3].map((ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10))
    for (const day of days) expect(await parley.services.recountFigures(parley.scope, { day })).toEqual([])
    for (const metric of ['received', 'messagesSent', 'waits'] as const) {
      const { rows, figure } = await rowsOf(metric)
      expect([metric, figure, rows]).toEqual([metric, wanted[metric], wanted[metric]])
    }
    await last.stop()
  },
  limitMs,
)

/** Counts the rows behind a figure, page by page. */
async function rowsOf(metric: RowMetric): Promise<{ rows: number; figure: number }> {
  const ann = parley.signIn()
  const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const ids = new Set<string>()
  for (let cursor = ''; ; ) {
    const query = `metric=${metric}&from=${dayIn(-4)}&to=${dayIn(1)}&limit=100${cursor && `&cursor=${cursor}`}`
    const page = figureRowsApi.list.response.parse(await ann.ask('GET', `/api/analytics/rows?${query}`))
    for (const { id } of page.items) ids.add(id)
    if (page.nextCursor === null) return { rows: ids.size, figure: page.figure }
    cursor = page.nextCursor
  }
}
