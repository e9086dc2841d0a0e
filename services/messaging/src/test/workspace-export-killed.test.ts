import { createServer } from 'node:http'
import type { WorkspaceExport } from '@parley/contracts/account/workspace-export'
import { fullConnection } from '@parley/service-kit/data/mongo'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { unzipped } from './files.ts'
import { startMessaging } from './start-messaging.ts'

const path = '/api/workspace/exports'
/** Answers for automation once it may. */
const mayAnswer = Promise.withResolvers<void>()
const automation = createServer((_req, res) => void mayAnswer.promise.then(() => res.end('{"id":"f1"}\n')))

let parley: Awaited<ReturnType<typeof startMessaging>>
vi.setConfig({ testTimeout: 240_000 })
beforeAll(async () => {
  parley = await startMessaging()
  await new Promise<void>((resolve) => automation.listen(parley.automationPort, '127.0.0.1', resolve))
})
afterAll(async () => {
  automation.closeAllConnections()
  automation.close()
  await parley.stop()
})

test('a worker that is killed between the written file and its record leaves no second file; another one ends the export', async () => {
  const ann = parley.signIn()
  await (await parley.members()).join(ann, 'Ann Stone', 'active', 'owner')
  const connection = fullConnection(parley.database.connection)
  const workspaceId = new Types.ObjectId(ann.workspaceId)
  const { id }: WorkspaceExport = await ann.ask('POST', path)
  const found = async (): Promise<WorkspaceExport | undefined> =>
    (await ann.ask('GET', path)).items.find((one: WorkspaceExport) => one.id === id)
  // A transaction holds the notification that is written together with the record of the file.
  const session = await connection.startSession()
  session.startTransaction()
  const notification = { workspaceId, key: `workspace_export/${id}/ready` }
  await connection.collection('notifications').insertOne(notification, { session })
  mayAnswer.resolve()
  const files = () => connection.collection('workspaceExports').find({}).toArray()
  await eventually(async () => expect((await files()).map(({ sizeBytes }) => sizeBytes > 0)).toEqual([true]))
  const [left] = await files()
  expect(await found()).toMatchObject({ state: 'running', file: null })
  await parley.worker.kill()
  await session.abortTransaction()
  await session.endSession()

  await parley.startWorker()
  await eventually(async () => expect(await found()).toMatchObject({ state: 'done', problem: null }))
  const stored = await files()
  expect(stored).toHaveLength(1)
  expect(stored[0]?._id).not.toEqual(left?._id)
  expect(await connection.collection('workspaceExports.files').countDocuments({})).toBe(1)
  const file = await ann.request('GET', `${path}/${id}/file`)
  const parts = await unzipped(Buffer.from(await file.arrayBuffer()))
  expect([...parts.keys()].at(-1)).toBe('manifest.json')
})
