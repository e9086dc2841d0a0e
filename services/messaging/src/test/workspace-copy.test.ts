import { Readable } from 'node:stream'
import { createLogger } from '@parley/service-kit/core/logger'
import { clearWorkspace, copyWorkspace, differences, digestWorkspace } from '@parley/service-kit/data/copy-workspace'
import { loadMigrations, runMigrations } from '@parley/service-kit/data/migrations'
import { newId } from '@parley/service-kit/data/plain'
import { createMoves } from '@parley/service-kit/data/workspace-moves'
import { createMediaFiles } from '@parley/service-kit/media/media-files'
import { everythingOf, fillEveryCollection } from '@parley/service-kit/testing/every-collection'
import { openTestDatabase, type TestDatabase } from '@parley/service-kit/testing/test-database'
import mongoose, { type Connection } from 'mongoose'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

let databases: [TestDatabase, TestDatabase]
beforeAll(async () => {
  const { mongodb } = inject('stack').urls
  databases = [await openTestDatabase(mongodb), await openTestDatabase(mongodb)]
  const migrations = await loadMigrations(`${import.meta.dirname}/../migrations`)
  for (const { connection } of databases)
    await runMigrations(connection, { migrations, logger: createLogger({ name: 'copy', level: 'silent' }) })
})
afterAll(() => Promise.all(databases.map(({ drop }) => drop())))

const { Double, Long } = mongoose.mongo
const dbOf = ({ db }: Connection) => {
  if (!db) throw new Error('the connection is not open')
  return db
}
/** Has the second database take a workspace. */
const pair = async (workspaceId: string, turn = 1) => {
  const [from, to] = databases
  const moves = createMoves(to.connection)
  expect(await moves.set({ workspaceId }, turn, { from: ['open'], state: 'arriving' })).toBe(true)
  const fenced = moves.fence({ workspaceId }, turn)
  return { source: dbOf(from.connection), target: dbOf(to.connection), workspaceId, fenced, moves }
}
const compared = async ({ source, target, workspaceId }: Awaited<ReturnType<typeof pair>>) =>
  differences(await digestWorkspace(source, workspaceId), await digestWorkspace(target, workspaceId))

const fileCollections = ['media', 'importFiles', 'exportFiles', 'workspaceExports']
async function store(connection: Connection, workspaceId: string, background: string) {
  const picture = await sharp({ create: { width: 40, height: 40, channels: 3, background } })
    .png()
    .toBuffer()
  for (const name of fileCollections)
    await createMediaFiles(connection, name).save(
      { workspaceId },
      { content: Readable.from([picture]), accept: ['image/png'], limitBytes: 1e6 },
    )
  return picture
}

/** Contents of files in a database, of whatever workspace. */
const chunksIn = async ({ connection }: TestDatabase) => {
  const counts = fileCollections.map((name) => connection.collection(`${name}Files.chunks`).countDocuments())
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

test('every collection and file of a workspace is copied, nothing of another, and all of it can be cleared', async () => {
  const [{ connection }, target] = databases
  const [moves, stays] = [newId(), newId()]
  const filled = await fillEveryCollection(connection, [moves, stays], {
    keyed: ['eventHeads'],
    prefixed: ['inbox'],
    others: ['migrations', 'migrationLock', 'readiness', 'cellProcesses', ...fileCollections],
    covered: { events: [{ seq: 1 }, { fresh: true }], auditEntries: [{ fresh: true }] },
  })
  const picture = await store(connection, moves, '#a33')
  await store(connection, stays, '#3a3')
  const of = await pair(moves)
  const added = {
    workspaceId: new connection.base.Types.ObjectId(moves),
    long: Long.fromNumber(5),
    double: new Double(5),
  }
  await connection.collection('contacts').insertOne(added)

  const before = await everythingOf(connection, moves)
  expect(await copyWorkspace(of)).toBeGreaterThan(filled.length)
  expect(await compared(of)).toEqual([])
  const there = await everythingOf(target.connection, moves)
  const names = [...filled, ...fileCollections].filter((name) => name !== 'workspaceMoves')
  expect(Object.keys(there).sort()).toEqual([...names, 'workspaceMoves'].sort())
  for (const name of names) expect(there[name]).toEqual(before[name])
  const contacts = target.connection.collection('contacts')
  expect(await contacts.findOne({ long: { $type: 'long' }, double: { $type: 'double' } })).not.toBeNull()
  expect(Object.keys(await everythingOf(target.connection, stays))).toEqual([])
  const [media] = await target.connection.collection('media').find({ workspaceId: moves }).toArray()
  const read = await createMediaFiles(target.connection).read({ workspaceId: moves }, String(media?._id))
  expect(Buffer.concat(await (read?.open() ?? Readable.from([])).toArray())).toEqual(picture)

  // A comparison tells what is missing, and what is another.
  await contacts.updateOne({ long: { $exists: true } }, { $set: { name: 'Bob' } })
  await target.connection.collection('mediaFiles.chunks').deleteMany({})
  expect((await compared(of)).map(({ collection }) => collection)).toEqual(['contacts', 'mediaFiles.files'])

  expect(await chunksIn(target)).toBeGreaterThan(0)
  expect(await clearWorkspace(of.target, moves, of.fenced)).toBeGreaterThan(names.length)
  expect(Object.keys(await everythingOf(target.connection, moves))).toEqual(['workspaceMoves'])
  expect(await chunksIn(target)).toBe(0)
})

test('a run that has lost its hold writes nothing, and what it has left is erased by one worker', async () => {
  const [{ connection }, target] = databases
  const workspaceId = newId()
  const own = { workspaceId: new connection.base.Types.ObjectId(workspaceId) }
  await connection.collection('contacts').insertMany([{ ...own }, { ...own }])
  const of = await pair(workspaceId)
  const { moves } = of
  expect(await copyWorkspace(of)).toBe(2)
  expect(await moves.takeClearing('early')).toBeUndefined()

  // It has not renewed its hold in time.
  const contacts = target.connection.collection('contacts')
  await target.connection.collection('workspaceMoves').updateOne(own, { $set: { until: new Date(0) } })
  await contacts.deleteOne(own)
  await expect(copyWorkspace(of)).rejects.toThrow('lapsed')
  await expect(moves.renew(of, 1)).rejects.toThrow('lapsed')
  await expect(moves.prepare(of, 1)).rejects.toThrow('lapsed')
  expect(await contacts.countDocuments(own)).toBe(1)
  expect(await moves.closed(of)).toMatchObject({ state: 'arriving' })
  const taken = [await moves.takeClearing('one'), await moves.takeClearing('two')]
  expect(taken.map((one) => one?.workspaceId)).toEqual([workspaceId, undefined])
  // Neither the run, nor a later one, writes into what is erased.
  await expect(copyWorkspace(of)).rejects.toThrow('lapsed')
  expect(await moves.set(of, 2, { from: ['open', 'gone'], state: 'arriving' })).toBe(false)
  expect(await clearWorkspace(of.target, workspaceId, taken[0]?.fenced ?? of.fenced)).toBe(1)
  await moves.cleared(of, 'two')
  expect(await moves.closed(of)).not.toBeNull()
  await moves.cleared(of, 'one')
  expect(await moves.closed(of)).toBeNull()
  // A later run has come, and the earlier one changes nothing any more.
  const later = await pair(workspaceId, 2)
  expect(await moves.set(of, 1, { from: ['arriving', 'switching'], state: 'clearing' })).toBe(false)
  await expect(copyWorkspace(of)).rejects.toThrow('lapsed')
  expect(await copyWorkspace(later)).toBe(2)
})

test('a workspace that leaves is closed while that is held, and its own again afterwards', async () => {
  const [{ connection }] = databases
  const scope = { workspaceId: newId() }
  const own = { workspaceId: new connection.base.Types.ObjectId(scope.workspaceId) }
  const moves = createMoves(connection)
  const set = (change: object) => connection.collection('workspaceMoves').updateOne(own, { $set: change })
  const isActive = async () => (await moves.active()).some(({ workspaceId }) => workspaceId === scope.workspaceId)
  await moves.set(scope, 1, { from: ['open'], state: 'leaving' })
  expect([await moves.closed(scope), await isActive()]).toEqual([expect.objectContaining({ state: 'leaving' }), true])
  await set({ until: new Date(0) })
  expect([await moves.closed(scope), await isActive()]).toEqual([null, false])
  await expect(moves.prepare(scope, 1)).rejects.toThrow('lapsed')
  // Prepared, it waits for the decision.
  await moves.set(scope, 2, { from: ['leaving'], state: 'leaving' })
  await moves.prepare(scope, 2)
  await set({ until: new Date(0) })
  expect([await moves.closed(scope), await isActive()]).toEqual([expect.objectContaining({ state: 'switching' }), true])
  const to = { hooks: 'https://hooks.west.example' }
  await moves.set(scope, 2, { from: ['switching'], state: 'clearing', left: { to, addresses: ['a1'] } })
  await moves.takeClearing('one')
  await moves.cleared(scope, 'one')
  expect([await moves.closed(scope), await isActive()]).toEqual([expect.objectContaining({ state: 'gone', to }), false])
  expect(await moves.ofAddress('a1')).toMatchObject({ to })
})

test('documents that are about to expire are copied, and not compared', async () => {
  const [{ connection }, target] = databases
  const workspaceId = newId()
  const own = { workspaceId: new connection.base.Types.ObjectId(workspaceId) }
  const [{ key, expireAfterSeconds } = { key: {}, expireAfterSeconds: 0 }] = (
    await connection.collection('idempotencyKeys').indexes()
  ).filter((index) => index.expireAfterSeconds !== undefined)
  const [path = ''] = Object.keys(key)
  const expiresIn = (ms: number) => new Date(Date.now() + ms - Number(expireAfterSeconds) * 1000)
  await connection.collection('idempotencyKeys').insertMany([
    { ...own, key: 'soon', [path]: expiresIn(60_000) },
    { ...own, key: 'later', [path]: expiresIn(7_200_000) },
  ])
  const of = await pair(workspaceId)
  expect(await copyWorkspace(of)).toBe(2)
  const keys = target.connection.collection('idempotencyKeys')
  const differ = async () => {
    const until = new Date(Date.now() + 3_600_000)
    const digests = [of.source, of.target].map((db) => digestWorkspace(db, workspaceId, until))
    const [ofSource, ofTarget] = await Promise.all(digests)
    return differences(ofSource ?? new Map(), ofTarget ?? new Map()).length
  }
  await keys.deleteOne({ ...own, key: 'soon' })
  expect(await differ()).toBe(0)
  await keys.deleteOne({ ...own, key: 'later' })
  expect(await differ()).toBe(1)
})

test('a number that is connected in another workspace of the cell, and a document of another, keep the move from being made', async () => {
  const [{ connection }, target] = databases
  const [moves, has] = [newId(), newId()]
  const numberOf = (workspaceId: string) => ({
    workspaceId: new connection.base.Types.ObjectId(workspaceId),
    connected: '10001',
  })
  const { insertedId } = await connection.collection('numbers').insertOne(numberOf(moves))
  await target.connection.collection('numbers').insertOne(numberOf(has))
  const of = await pair(moves)
  await expect(copyWorkspace(of)).rejects.toThrow(/E11000/)
  await target.connection.collection('numbers').deleteMany({})
  await target.connection.collection('numbers').insertOne({ ...numberOf(has), _id: insertedId })
  await expect(copyWorkspace(of)).rejects.toThrow('another document with the id')
})
