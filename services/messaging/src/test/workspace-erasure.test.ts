import { Readable } from 'node:stream'
import { createWorkspaceEraser, eraseWorkspace } from '@parley/service-kit/data/erase-workspace'
import { fullConnection } from '@parley/service-kit/data/mongo'
import { newId } from '@parley/service-kit/data/plain'
import { createMediaFiles } from '@parley/service-kit/media/media-files'
import { everythingOf, fillEveryCollection, unindexedParts } from '@parley/service-kit/testing/every-collection'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { closingWorkspaces } from '../platform/closings.model.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const files = () =>
  ['media', 'importFiles', 'exportFiles', 'workspaceExports'].map((name) => {
    const store = createMediaFiles(parley.database.connection, name)
    return { name, ...store }
  })
const pictureOf = (background: string) =>
  sharp({ create: { width: 40, height: 40, channels: 3, background } })
    .png()
    .toBuffer()
const contentsOf = async () => {
  const { db } = parley.database.connection
  const counts = files().map(({ name }) => db?.collection(`${name}Files.chunks`).countDocuments())
  return Promise.all(counts)
}

const fill = (workspaceIds: readonly string[]) =>
  fillEveryCollection(parley.database.connection, workspaceIds, {
    keyed: ['eventHeads'],
    prefixed: ['inbox'],
    // A file lies apart from its record: files are stored below.
    others: [
      'migrations',
      'migrationLock',
      'readiness',
      'cellProcesses',
      'media',
      'importFiles',
      'exportFiles',
      'workspaceExports',
    ],
    covered: {
      events: [{ seq: 1 }, { fresh: true }],
      auditEntries: [{ fresh: true }],
    },
  })

test('an erased workspace is in no collection and no file any more, and nothing of another has changed', async () => {
  const { connection } = parley.database
  const [gone, other] = [newId(), newId()]
  const filled = await fill([gone, other])
  expect(filled.length).toBeGreaterThan(60)
  for (const { save } of files())
    for (const [workspaceId, color] of [
      [gone, '#a33'],
      [other, '#3a3'],
    ] as const)
      await save(
        { workspaceId },
        { content: Readable.from([await pictureOf(color)]), accept: ['image/png'], limitBytes: 1e6 },
      )
  const before = await everythingOf(connection, other)
  const contents = await contentsOf()
  const stored = [...filled, ...files().map(({ name }) => name)]
  expect(Object.keys(await everythingOf(connection, gone)).sort()).toEqual(stored.sort())

  const erased = await eraseWorkspace(connection, gone, { files: files() })
  expect(erased.done).toBe(true)
  expect(erased.removed).toBeGreaterThan(filled.length)
  expect(await everythingOf(connection, gone)).toEqual({})
  expect(await everythingOf(connection, other)).toEqual(before)
  expect(await contentsOf()).toEqual(contents.map((count = 0) => count - 1))
  expect(await eraseWorkspace(connection, gone, { files: files() })).toEqual({ removed: 0, done: true })
})

test('a workspace is known as closed for as long as anything of it could be sent', async () => {
  const { connection } = parley.database
  const gone = newId()
  await fill([gone])
  const { db } = fullConnection(connection)
  if (!db) throw new Error('the database is not open')
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).filter(
    ({ name }) => !name.startsWith('system.'),
  )
  const isMark = ({ name }: { name: string }) => (name === closingWorkspaces ? 0 : 1)
  const inOrder = { toArray: async () => names.toSorted((left, right) => isMark(left) - isMark(right)) }
  vi.spyOn(db, 'listCollections').mockImplementation(() => inOrder as ReturnType<typeof db.listCollections>)
  const isThere = async (name: string) =>
    (await db.collection(name).countDocuments({ workspaceId: new connection.base.Types.ObjectId(gone) })) > 0
  const removed: number[] = []
  for (let batches = 30; removed.at(-1) !== 0; batches += 60) {
    let left = batches
    const run = await eraseWorkspace(connection, gone, {
      last: [closingWorkspaces],
      now: () => {
        left -= 1
        return left > 0 ? 0 : Number.MAX_SAFE_INTEGER
      },
    })
    if (run.done) removed.push(run.removed)
    const unsent = await Promise.all(['messages', 'numbers', 'webhooks', 'webhookDeliveries'].map(isThere))
    if (unsent.includes(true)) expect(await isThere(closingWorkspaces)).toBe(true)
  }
  expect(await isThere(closingWorkspaces)).toBe(false)
  vi.restoreAllMocks()
})

test('each query of an erasure has an index', async () => {
  expect(await unindexedParts(parley.database.connection, newId())).toEqual([])
})

test('a run that has no time left says so, and the next ones go on', async () => {
  const { connection } = parley.database
  const workspaceId = newId()
  await connection.collection('contacts').insertMany(
    Array.from({ length: 2500 }, (_, index) => ({
      workspaceId: new connection.base.Types.ObjectId(workspaceId),
      phone: `+91${index}`,
    })),
  )
  let time = 0
  const now = () => {
    time += 10_000
    return time
  }
  expect(await eraseWorkspace(connection, workspaceId, { now })).toMatchObject({ done: false })
  const reports: number[] = []
  const run = createWorkspaceEraser({
    connection,
    due: async () => [workspaceId],
    report: async (_id, removed) => void reports.push(removed),
    logger: { info: () => undefined },
  })
  await run()
  await run()
  expect(reports).toHaveLength(2)
  expect(reports[1]).toBe(0)
  expect(Object.keys(await everythingOf(connection, workspaceId))).toEqual([])
})
