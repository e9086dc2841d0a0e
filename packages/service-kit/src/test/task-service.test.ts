import { Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { createEventPublisher } from '../data/event-stream.ts'
import { createSequencer } from '../data/sequencer.ts'
import { openTaskService } from '../testing/open-task-service.ts'
import { expectIndexed } from '../testing/query-plans.ts'
import { asUser, workspaceId } from '../testing/shop-app.ts'

const ours = { workspaceId }
const theirs = { workspaceId: 'c'.repeat(24) }
let keptCounter: number | Error = 0
let service: Awaited<ReturnType<typeof openTaskService>>
beforeAll(async () => {
  service = await openTaskService(inject('stack').urls, async () => {
    if (keptCounter instanceof Error) throw keptCounter
    return keptCounter
  })
})
afterAll(() => service.stop())
beforeEach(async () => {
  await service.tasks(ours).deleteMany({})
  await service.tasks(theirs).deleteMany({})
})

interface Page {
  items: { id: string; title: string; version: number }[]
  nextCursor: string | null
  previousCursor: string | null
  total: number
  approximate?: true
}
const list = async (query: Record<string, string | number>): Promise<Page> => {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) search.set(key, String(value))
  const { status, body } = await service.call('GET', `/api/tasks?${search}`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}
const titles = ({ items }: Page) => items.map(({ title }) => title)
const day = (date: number) => new Date(Date.UTC(2026, 0, date))

test.each([
  ['title', (a: Task, b: Task) => a.title.localeCompare(b.title) || compare(a, b)],
  ['due', (a: Task, b: Task) => Number(a.dueAt ?? 0) - Number(b.dueAt ?? 0) || compare(a, b)],
  ['latest', (a: Task, b: Task) => Number(b.dueAt ?? 0) - Number(a.dueAt ?? 0) || compare(b, a)],
  ['newest', (a: Task, b: Task) => compare(b, a)],
])(
  'pages by %s, forward and back, hold every record once, those without a value and equal ones too',
  async (sort, by) => {
    await service.tasks(theirs).create({ title: 'theirs' })
    const dues = [null, day(1), day(2), day(2), day(2), null, day(3), null, day(1), day(4), day(2)]
    const created = await service
      .tasks(ours)
      .insertMany(dues.map((dueAt, row) => ({ title: `task ${row % 4}`, dueAt })))
    const expected = [...created].sort(by).map(({ id }) => id)
    const pages: Page[] = []
    for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)?.nextCursor ?? null) {
      pages.push(await list({ sort, limit: 3, ...(cursor && { cursor }) }))
    }
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(expected)
    expect(pages.map(({ total, approximate }) => [total, approximate])).toEqual(pages.map(() => [11, undefined]))
    expect(pages[0]?.previousCursor).toBeNull()
    const back: Page[] = []
    for (let cursor = pages.at(-1)?.previousCursor; cursor; cursor = back.at(-1)?.previousCursor) {
      back.push(await list({ sort, limit: 3, cursor }))
    }
    expect(back.reverse().map(({ items }) => items)).toEqual(pages.slice(0, -1).map(({ items }) => items))
  },
)
interface Task {
  id: string
  title: string
  dueAt: Date | null
}
const compare = (a: Task, b: Task) => (a.id < b.id ? -1 : 1)

test('records that come and go shift no page', async () => {
  const created = await service.tasks(ours).insertMany(['a', 'b', 'c', 'd'].map((title) => ({ title })))
  const first = await list({ limit: 2 })
  await service.tasks(ours).deleteOne({ _id: created[1]?.id ?? '' })
  await service.tasks(ours).create({ title: 'aa' })
  expect(titles(await list({ limit: 2, cursor: first.nextCursor ?? '' }))).toEqual(['c', 'd'])
})

test('a page that has become empty leads back to the last one', async () => {
  const created = await service.tasks(ours).insertMany(['a', 'b', 'c'].map((title) => ({ title })))
  const { nextCursor } = await list({ limit: 2 })
  await service.tasks(ours).deleteOne({ _id: created[2]?.id ?? '' })
  const empty = await list({ limit: 2, cursor: nextCursor ?? '' })
  expect(titles(empty)).toEqual([])
  expect(titles(await list({ limit: 2, cursor: empty.previousCursor ?? '' }))).toEqual(['a', 'b'])
})

test('a cursor that is damaged, or of another list, is refused by name', async () => {
  await service.tasks(ours).insertMany(['a', 'b'].map((title) => ({ title })))
  const { nextCursor } = await list({ limit: 1 })
  const wrong = [
    { cursor: `x${nextCursor}` },
    { cursor: 'x' },
    { cursor: nextCursor?.split('.')[0] ?? '' },
    { cursor: nextCursor ?? '', sort: 'newest' },
  ]
  for (const query of wrong) {
    const { status, body } = await service.call('GET', `/api/tasks?${new URLSearchParams(query)}`)
    expect([status, body.code, Object.keys(body.fields)]).toEqual([400, 'validation_failed', ['cursor']])
  }
})

test('above 10,000 the total is the kept counter, and says that it is approximate', async () => {
  const owner = new Types.ObjectId(workspaceId)
  const rows = Array.from({ length: 10_001 }, (_, row) => ({ workspaceId: owner, title: `t${row}`, dueAt: null }))
  const times = { createdAt: new Date(), updatedAt: new Date(), version: 1 }
  await service.connection.collection('tasks').insertMany(rows.map((row) => ({ ...row, ...times })))
  keptCounter = 12_345
  expect(await list({ limit: 1 })).toMatchObject({ total: 12_345, approximate: true })
  // As MongoDB answers where the count has come to its time limit.
  keptCounter = Object.assign(new Error('operation exceeded time limit'), { code: 50 })
  expect(await list({ limit: 1 })).toMatchObject({ total: 10_000, approximate: true })
  await service.tasks(ours).deleteOne({ title: 't0' })
  const exact = await list({ limit: 1 })
  expect([exact.total, exact.approximate]).toEqual([10_000, undefined])
})

test.each(['title', 'due', 'latest', 'newest'])(
  'the list by %s is read from its index, on every page',
  async (sort) => {
    await service
      .tasks(ours)
      .insertMany([null, day(1), day(2), null].map((dueAt, row) => ({ title: `t${row}`, dueAt })))
    await expectIndexed(service.connection, async () => {
      for (let cursor: string | null = ''; cursor !== null; ) {
        cursor = (await list({ sort, limit: 1, ...(cursor && { cursor }) })).nextCursor
      }
    })
  },
)

test('a list without an index is found out', async () => {
  await service.tasks(ours).insertMany(['b', 'a'].map((title) => ({ title })))
  await expect(expectIndexed(service.connection, () => list({ sort: 'unindexed' }))).rejects.toThrow(/sorts in memory/)
  const walk = () => service.connection.collection('tasks').findOne({ title: 'a' })
  await expect(expectIndexed(service.connection, walk)).rejects.toThrow(/walks all/)
  await expect(expectIndexed(service.connection, async () => undefined)).rejects.toThrow(/no query/)
})

test('of two people who change one record the second is told what it is now, and nothing is lost', async () => {
  const { id, version } = await service.tasks(ours).create({ title: 'first' })
  const answers = await Promise.all(
    ['Ann', 'Bob'].map((title) => service.call('PATCH', `/api/tasks/${id}`, { title, version })),
  )
  const [won, lost] = [...answers].sort((a, b) => a.status - b.status)
  expect([won?.status, won?.body.version]).toEqual([200, 2])
  expect([lost?.status, lost?.body.code, lost?.body.current]).toEqual([409, 'stale_version', won?.body])
  expect(await service.call('PATCH', `/api/tasks/${'d'.repeat(24)}`, { title: 'x', version })).toMatchObject({
    status: 404,
  })
  const events = await service.connection.collection('events').find({ recordId: id }).toArray()
  expect(events.map((event) => event['version'])).toEqual([2])
})

test('a change reaches an open stream, and one that comes back reads on where it was', async () => {
  const publisher = createEventPublisher(service.redis)
  const sequencer = createSequencer({ connection: service.connection, consumers: [], publish: publisher.publish })
  await sequencer.sequence(workspaceId)
  const { id } = await service.tasks(ours).create({ title: 'a' })
  const change = async (version: number) => {
    await service.call('PATCH', `/api/tasks/${id}`, { title: `v${version}`, version })
    await sequencer.sequence(workspaceId)
  }
  const open = await openStream()
  await change(1)
  await expect.poll(() => open.versions(id)).toEqual([2])
  open.close()
  await change(2)
  const again = await openStream(open.lastId())
  await change(3)
  await expect.poll(() => again.versions(id)).toEqual([3, 4])
  again.close()
})

/** A reader of the service's stream of events. */
async function openStream(lastEventId?: string) {
  const leaving = new AbortController()
  const headers = { ...asUser, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) }
  const answer = await fetch(`${service.url}/api/events`, { headers, signal: leaving.signal })
  if (!answer.ok || !answer.body) throw new Error(`stream: ${answer.status}`)
  let text = ''
  const reading = (async () => {
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk
  })().catch(() => undefined)
  const frames = () => [...text.matchAll(/id: (.*)\nevent: (.*)\ndata: (.*)\n\n/g)]
  return {
    versions: (recordId: string) =>
      frames()
        .map(([, , , data = '']) => JSON.parse(data))
        .filter((event) => event.recordId === recordId)
        .map(({ version }) => version),
    lastId: () => frames().at(-1)?.[1] ?? '',
    close: () => {
      leaving.abort()
      return reading
    },
  }
}
