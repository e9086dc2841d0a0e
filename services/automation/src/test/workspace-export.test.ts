import { automationExportFiles } from '@parley/contracts/account/workspace-export'
import { newId } from '@parley/service-kit/data/plain'
import { Types } from 'mongoose'
import { expect, test } from 'vitest'
import { exportedCollections } from '../modules/exports/exported-collections.ts'
import { joinAutomation } from './start-automation.ts'

test('the files of an export show the flows of one workspace, without tokens and paths of connections', async () => {
  const parley = await joinAutomation()
  const [own, other, flowId] = [newId(), newId(), newId()]
  const collection = (name: string) => parley.database.connection.collection(name)
  const ids = (workspaceId: string) => ({
    workspaceId: new Types.ObjectId(workspaceId),
    flowId: new Types.ObjectId(flowId),
  })
  for (const [workspaceId, tokenHash] of [
    [own, 'own-hash'],
    [other, 'other-hash'],
  ] as const) {
    await collection('hooks').insertOne({ ...ids(workspaceId), nodeId: 'call', tokenHash, last4: 'wxyz' })
    await collection('hookCalls').insertOne({ ...ids(workspaceId), nodeId: 'call', key: tokenHash, result: 'started' })
    await collection('connections').insertOne({
      ...ids(workspaceId),
      name: 'Shop',
      baseUrl: 'https://shop.example/s3cret',
    })
    await collection('flows').insertOne({ ...ids(workspaceId), number: 0, flow: '{"nodes":[]}' })
  }
  const token = await parley.authority.serviceToken('automation', { process: 'messaging-worker', workspaceId: own })
  const read = async (file: string, authorization = `Bearer ${token}`) =>
    fetch(`${parley.server.url}/internal/automation-records/${file}`, { headers: { authorization } })
  const linesOf = async (file: string) =>
    (await (await read(file)).text())
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  const everything: Record<string, unknown[]> = {}
  for (const file of automationExportFiles) everything[file] = await linesOf(file)
  expect(everything['incoming-webhooks']).toEqual([{ id: expect.any(String), flowId, nodeId: 'call' }])
  expect(everything['incoming-calls']).toEqual([{ id: expect.any(String), flowId, nodeId: 'call', result: 'started' }])
  expect(everything['connections']).toEqual([{ id: expect.any(String), name: 'Shop', baseUrl: 'https://shop.example' }])
  expect(everything['flow-contents']).toMatchObject([{ flowId, number: 0, flow: { nodes: [] } }])
  expect(everything['bots']).toEqual([])
  expect(JSON.stringify(everything)).not.toMatch(/hash|wxyz|s3cret/)

  expect((await read('hooks')).status).toBe(400)
  const ofBff = await parley.authority.serviceToken('automation', { workspaceId: own })
  expect((await read('bots', `Bearer ${ofBff}`)).status).toBe(403)
})

test('of every collection it is decided whether it is exported', async () => {
  const { connection } = (await joinAutomation()).database
  const exported = Object.values(exportedCollections).map(({ collection }) => collection)
  const names = ((await connection.db?.listCollections({}, { nameOnly: true }).toArray()) ?? []).map(({ name }) => name)
  const undecided = names.filter(
    (name) => !exported.includes(name) && !notExported.includes(name) && !/^system\./.test(name),
  )
  expect(undecided).toEqual([])
})

/** Bookkeeping, queues, counts of what is exported, references to it, and records that messaging or profile exports. */
const notExported =
  'attention auditEntries calls cellProcesses feedCursors flowDays hostStates idempotencyKeys jobs migrationLock migrations readiness routing runCounts runInputs scheduledStarts steps triggers workspaceMoves'.split(
    ' ',
  )
