import { createServer, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import {
  automationExportFiles,
  profileExportFiles,
  type WorkspaceExport,
} from '@parley/contracts/account/workspace-export'
import { fullConnection } from '@parley/service-kit/data/mongo'
import { createMediaFiles } from '@parley/service-kit/media/media-files'
import { Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { exportedFiles } from '../modules/privacy/workspace-export/exported-collections.ts'
import { eventually } from './campaign-fixtures.ts'
import { withChats } from './chat-fixtures.ts'
import { jobEnded } from './contact-fixtures.ts'
import { unzipped } from './files.ts'
import { startMessaging } from './start-messaging.ts'

const path = '/api/workspace/exports'
const flow = { id: 'f1', name: 'Welcome' }
const answerWhole = (res: ServerResponse) => void res.end(`${JSON.stringify(flow)}\n`)

/** Answers for automation, in whose place the test decides how. */
let answer = answerWhole
const automation = createServer((_req, res) => {
  res.writeHead(200, { 'content-type': 'application/x-ndjson' })
  answer(res)
})

let parley: Awaited<ReturnType<typeof startMessaging>>
let ann: ReturnType<(typeof parley)['signIn']>
let chats: ReturnType<typeof withChats>
beforeAll(async () => {
  parley = await startMessaging()
  ann = parley.signIn()
  await (await parley.members()).join(ann, 'Ann Stone', 'active', 'owner')
  chats = withChats(parley, ann)
  await new Promise<void>((resolve) => automation.listen(parley.automationPort, '127.0.0.1', resolve))
})
beforeEach(() => {
  answer = answerWhole
})
afterAll(async () => {
  automation.closeAllConnections()
  automation.close()
  await parley.stop()
})

const collection = (name: string) => fullConnection(parley.database.connection).collection(name)
const mine = () => ({ workspaceId: { $in: [new Types.ObjectId(ann.workspaceId), ann.workspaceId] } })
const exports = async (): Promise<WorkspaceExport[]> => (await ann.ask('GET', path)).items
const begin = async (): Promise<WorkspaceExport> => ann.ask('POST', path)
const inState = (id: string, ...states: string[]) =>
  eventually(async () => {
    const found = (await exports()).find((one) => one.id === id)
    expect(states).toContain(found?.state)
    return found
  })
const storedFiles = () => collection('workspaceExports').countDocuments(mine())

/** Holds the answer of automation in the middle of a file. @returns when it is asked, and what lets it go. */
function hold() {
  const asked = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  answer = (res) => {
    res.write(`${JSON.stringify(flow)}\n`)
    asked.resolve()
    void held.promise.then(() => res.end())
  }
  return { asked: asked.promise, release: held.resolve }
}

test('an owner exports the workspace: all of it and nothing of another, without a secret; the bell tells', async () => {
  const eve = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  await eve.ask('POST', '/api/contacts', { name: 'Eve of another shop', phone: '+919812399999' })
  await chats.write('919812370101', 'Priya', 'Is it in stock? ✓')
  await ann.ask('POST', '/api/contacts', { name: 'Ravi', phone: '+919812370102', tags: ['fair'] })

  const { id } = await begin()
  const done = await inState(id, 'done')
  expect(done).toMatchObject({ problem: null, startedBy: ann.userId, file: { name: /^parley-workspace-.*\.zip$/ } })
  const file = await ann.request('GET', `${path}/${id}/file`)
  expect(file.headers.get('content-type')).toBe('application/zip')
  expect(file.headers.get('cache-control')).toBe('no-store')
  const bytes = Buffer.from(await file.arrayBuffer())
  expect(bytes.length).toBe(done?.file?.sizeBytes)
  const parts = await unzipped(bytes)
  const linesOf = (name: string) =>
    String(parts.get(`${name}.ndjson`))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  const named = [...Object.keys(exportedFiles), ...automationExportFiles, ...profileExportFiles]
  expect([...parts.keys()]).toEqual(['README.txt', ...named.map((name) => `${name}.ndjson`), 'manifest.json'])

  const counts = new Map<string, number>()
  for (const [name, sources] of Object.entries(exportedFiles)) {
    let stored = 0
    for (const { collection: of } of sources) stored += await collection(of).countDocuments(mine())
    expect([name, linesOf(name).length]).toEqual([name, stored])
    expect(new Set(linesOf(name).map(({ id: of, setting }) => of ?? setting)).size).toBe(stored)
    counts.set(`${name}.ndjson`, stored)
  }
  const manifest = JSON.parse(String(parts.get('manifest.json')))
  expect(manifest.workspaceId).toBe(ann.workspaceId)
  for (const { file: name, records } of manifest.files) expect(records).toBe(counts.get(name) ?? records)
  expect(linesOf('contacts')).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: 'Ravi', phone: '+919812370102' })]),
  )
  expect(linesOf('messages')).toEqual([
    expect.objectContaining({ content: { type: 'text', text: 'Is it in stock? ✓' } }),
  ])
  expect(linesOf('bots')).toEqual([flow])
  expect(linesOf('members')).toEqual([
    expect.objectContaining({ userId: ann.userId, name: 'Ann Stone', role: 'owner' }),
  ])
  expect(String(parts.get('README.txt'))).toContain('messages.ndjson')
  const everything = [...parts.values()].join('\n')
  expect(everything).not.toContain('Eve of another shop')
  expect(everything).not.toMatch(/secret"|token"|Hash"|sealed/i)
  expect(everything).not.toContain(parley.simulatedNumber.accessToken)

  const rows = (await ann.ask('GET', '/api/notifications')).items
  expect(rows.map(({ title }: { title: string }) => title)).toContain('The export of the workspace is ready')

  for (const role of ['admin', 'agent', 'viewer'] as const) {
    const other = parley.signIn({ role })
    const calls = [
      ['GET', path],
      ['POST', path],
      ['POST', `${path}/${id}/cancel`],
      ['GET', `${path}/${id}/file`],
      ['DELETE', `${path}/${id}/file`],
    ] as const
    for (const [method, to] of calls)
      expect([role, method, (await other.call(method, to)).status]).toEqual([role, method, 403])
    const seen = (await other.ask('GET', '/api/notifications')).items
    expect(seen.map(({ title }: { title: string }) => title)).not.toContain('The export of the workspace is ready')
  }
  expect((await eve.call('GET', `${path}/${id}/file`)).status).toBe(404)
  expect((await eve.call('POST', `${path}/${id}/cancel`)).status).toBe(404)
  expect((await eve.ask('GET', path)).items).toEqual([])

  // The next one takes its place.
  const { id: next } = await begin()
  await inState(next, 'done')
  await eventually(async () => expect(await storedFiles()).toBe(1))
  expect((await exports()).find((one) => one.id === id)).toMatchObject({ file: null, problem: /newer export/ })
  expect((await ann.call('GET', `${path}/${id}/file`)).status).toBe(404)
  expect((await ann.call('DELETE', `${path}/${next}/file`)).status).toBe(204)
  expect(await storedFiles()).toBe(0)

  // One that is too large has ended without a file, which is no success.
  const result = { problem: 'The workspace is too large.', isTooLarge: true }
  await collection('jobs').updateOne({ _id: new Types.ObjectId(next) }, { $set: { result } })
  expect((await exports()).find((one) => one.id === next)).toMatchObject({ state: 'failed', problem: result.problem })
})

test('one is written at a time; cancelled, it leaves no file, and the one before is there', async () => {
  const { id: before } = await begin()
  await inState(before, 'done')
  const { asked, release } = hold()
  const { id } = await begin()
  await asked
  const again = await ann.call('POST', path)
  expect([again.status, again.body.code]).toEqual([409, 'wrong_state'])
  expect((await ann.ask('POST', `${path}/${id}/cancel`)).state).toBe('cancelled')
  release()
  await eventually(async () => expect(await storedFiles()).toBe(1))
  expect((await ann.call('GET', `${path}/${id}/file`)).status).toBe(404)
  expect((await ann.request('GET', `${path}/${before}/file`)).status).toBe(200)
  expect((await ann.call('POST', `${path}/${id}/cancel`)).body.code).toBe('wrong_state')
  answer = answerWhole
  expect(await inState((await begin()).id, 'done')).toMatchObject({ problem: null })
})

test('where another service breaks off, the export is written again, whole', async () => {
  let broken = 0
  answer = (res) => {
    if (broken > 0) return answerWhole(res)
    broken += 1
    res.write('{"id":"f1","na')
    setImmediate(() => res.destroy())
  }
  const { id } = await begin()
  await inState(id, 'done')
  expect(broken).toBe(1)
  const parts = await unzipped(Buffer.from(await (await ann.request('GET', `${path}/${id}/file`)).arrayBuffer()))
  for (const name of automationExportFiles)
    expect(String(parts.get(`${name}.ndjson`))).toBe(`${JSON.stringify(flow)}\n`)
  expect(await storedFiles()).toBe(1)
})

test('erasing a person deletes the file, and ends an export that is being written', async () => {
  const contact = await ann.ask('POST', '/api/contacts', { name: 'Meera', phone: '+919812370103' })
  const other = await ann.ask('POST', '/api/contacts', { name: 'Nisha', phone: '+919812370104' })
  const first = await begin()
  await inState(first.id, 'done')
  await ann.ask('POST', `/api/contacts/${contact.id}/erase`, { name: 'Meera' })
  await eventually(async () => expect(await storedFiles()).toBe(0))
  await eventually(async () =>
    expect((await exports()).find(({ id }) => id === first.id)).toMatchObject({ file: null, problem: /erased/ }),
  )
  const { asked, release } = hold()
  const second = await begin()
  await asked
  // An erasure may wait for a while: this export begins after it, and has read the person all the same.
  const later = { $set: { createdAt: new Date(Date.now() + 60_000) } }
  expect((await collection('jobs').updateOne({ _id: new Types.ObjectId(second.id) }, later)).matchedCount).toBe(1)
  await ann.ask('POST', `/api/contacts/${other.id}/erase`, { name: 'Nisha' })
  expect(await inState(second.id, 'failed')).toMatchObject({ file: null, problem: /erased/ })
  await eventually(async () => {
    const { items } = await ann.ask('GET', '/api/notifications')
    expect(items).toContainEqual(
      expect.objectContaining({
        title: 'The export of the workspace is not there any more',
        body: expect.stringMatching(/stopped/),
      }),
    )
  })
  release()
  await eventually(async () => expect(await storedFiles()).toBe(0))
})

test('an erased person is in no line of a service that has not heard of the erasure yet', async () => {
  const gone = await ann.ask('POST', '/api/contacts', { name: 'Kiran', phone: '+919812370105' })
  const kept = await ann.ask('POST', '/api/contacts', { name: 'Lata', phone: '+919812370106' })
  await jobEnded(ann, (await ann.ask('POST', `/api/contacts/${gone.id}/erase`, { name: 'Kiran' })).id)
  const lines = [
    { id: 'r1', contactId: gone.id, conversationId: 'c1', status: 'ended' },
    { id: 'k1', contactId: gone.id, runId: 'r1', fields: [{ name: 'phone', value: '+919812370105' }] },
    { id: 'r2', contactId: kept.id, conversationId: 'c2', status: 'ended' },
  ]
  answer = (res) => void res.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const { id } = await begin()
  await inState(id, 'done')
  const parts = await unzipped(Buffer.from(await (await ann.request('GET', `${path}/${id}/file`)).arrayBuffer()))
  const left = [{ id: 'r1', status: 'ended' }, { id: 'k1', fields: [] }, lines[2]]
  const runs = String(parts.get('flow-runs.ndjson')).trim().split('\n')
  expect(runs.map((line) => JSON.parse(line))).toEqual(left)
  for (const name of automationExportFiles)
    expect([name, String(parts.get(`${name}.ndjson`))]).toEqual([name, String(parts.get('flow-runs.ndjson'))])
})

test('a file that a killed worker has left without its record goes with the next attempt', async () => {
  const scope = { workspaceId: ann.workspaceId }
  const files = createMediaFiles(parley.database.connection, 'workspaceExports')
  const left = await files.save(scope, { content: Readable.from([Buffer.from('PK')]), accept: 'any', limitBytes: 100 })
  const { id } = await begin()
  await inState(id, 'done')
  await eventually(async () => expect([await storedFiles(), await files.read(scope, left.id)]).toEqual([1, undefined]))
  expect((await ann.request('GET', `${path}/${id}/file`)).status).toBe(200)
})

test('a file is deleted when its time is over, not before', async () => {
  const { id } = await begin()
  const { file } = (await inState(id, 'done')) ?? {}
  const until = Date.parse(file?.availableUntil ?? '')
  const { workspaceExports } = parley.services
  await workspaceExports.sweep(new Date(until - 5000))
  expect((await ann.request('GET', `${path}/${id}/file`)).status).toBe(200)
  await workspaceExports.sweep(new Date(until + 5000))
  expect((await ann.call('GET', `${path}/${id}/file`)).status).toBe(404)
  expect(await storedFiles()).toBe(0)
})

test('a long export is not taken for an interrupted upload', async () => {
  const { asked, release } = hold()
  const { id } = await begin()
  await asked
  const hours = (count: number) => new Date(Date.now() + count * 3600_000)
  await parley.services.workspaceExports.sweep(hours(20))
  await parley.services.contactJobs.sweepFiles(hours(20))
  release()
  await inState(id, 'done')
  expect((await ann.request('GET', `${path}/${id}/file`)).status).toBe(200)
})

/** Bookkeeping, caches, counts that are made of what is exported, queues, and what another service exports. */
const notExported =
  `absences acceptances accountEvents actionKeys assignmentTurns auditEntries automationStates campaignBlocks cellProcesses changedContacts
  closingWorkspaces contactCounts departures endpoints eventCursors eventHeads events exportFiles figures forms handOvers idempotencyKeys importFiles
  importRows inbox jobs limits mediaUploads messageSearch migrationLock migrations notificationSettings notifications numberActivity
  parked rawEvents readiness recipientFiles releasedFiles rollups sampleData snapshots suppressions takeOvers templateReads templateSyncRuns templateSyncs thumbnails uploadedFiles
  usageCounts usageEntries usagePeriods usageWatches webhookDeliveries workspaceExports workspaceMoves`.split(/\s+/)

test('a worker that is killed between the file and its record is followed by another: one file, told once', async () => {
  const before = await collection('workspaceExports').distinct('_id', mine())
  const { id } = await begin()
  // The worker's notice to owners waits for this transaction, and with it the record of the file.
  const notifications = collection('notifications')
  const ready = { workspaceId: new Types.ObjectId(ann.workspaceId), key: `workspace_export/${id}/ready` }
  const session = await parley.database.connection.startSession()
  session.startTransaction()
  await notifications.insertOne({ ...ready }, { session })
  const written = await eventually(async () => {
    const file = await collection('workspaceExports').findOne({ ...mine(), _id: { $nin: before } })
    expect(file).not.toBeNull()
    return file
  })
  await parley.worker.kill()
  expect((await exports()).find((one) => one.id === id)).toMatchObject({ state: 'running' })
  await session.abortTransaction()
  await session.endSession()
  const second = await parley.startWorker()
  try {
    await inState(id, 'done')
    await eventually(async () => {
      const files = await collection('workspaceExports').distinct('_id', mine())
      expect([files.length, files.map(String)]).toEqual([1, expect.not.arrayContaining([String(written?._id)])])
    })
    expect((await ann.request('GET', `${path}/${id}/file`)).status).toBe(200)
    expect(await notifications.countDocuments(ready)).toBe(1)
  } finally {
    await second.stop()
  }
})

test('of every collection it is decided whether it is exported', async () => {
  const exported = Object.values(exportedFiles).flatMap((sources) => sources.map((source) => source.collection))
  const all = await fullConnection(parley.database.connection).listCollections()
  const undecided = all
    .map(({ name }) => name)
    .filter((name) => !exported.includes(name) && !/\.(?:files|chunks)$|^system\./.test(name))
  expect(undecided.filter((name) => !notExported.includes(name))).toEqual([])
})
