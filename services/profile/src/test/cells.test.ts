import { keyContextSchema } from '@parley/contracts/account/api-keys'
import { readApiKey } from '@parley/service-kit/core/api-key'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMessagingPeer } from './start-messaging-peer.ts'
import { ok, type Person, type ProfileUnderTest, startProfile } from './start-profile.ts'

let profile: ProfileUnderTest
let messaging: Awaited<ReturnType<typeof startMessagingPeer>>
let ann: Person
beforeAll(async () => {
  messaging = await startMessagingPeer()
  const west = { messaging: messaging.url, automation: 'http://127.0.0.1:9' }
  profile = await startProfile({ CELLS: JSON.stringify({ home: { weight: 0 }, west }) })
  ann = await profile.signIn()
})
afterAll(async () => {
  await profile.stop()
  messaging.stop()
})

async function ask(by: Person, method: string, path: string, json?: unknown) {
  const { status, text } = await profile.call(method, path, { token: await by.token(), json })
  return { status, body: text === '' ? undefined : JSON.parse(text) }
}
const workspaces = () => profile.database.connection.collection('workspaces')
const cellAt = async (workspaceId: string) =>
  ok(
    await profile.call('GET', `/internal/cells/${workspaceId}`, {
      token: await profile.authority.serviceToken('profile'),
    }),
  )

test('a new workspace, and another of the same person, are placed in a cell that takes some', async () => {
  expect(ann.context.cell).toBe('west')
  const { body } = await ask(ann, 'POST', '/api/workspaces', { name: 'Second' })
  expect(await cellAt(body.id)).toEqual({ cell: 'west' })
})

test('sessions, keys and addresses learn the cell; one that is there for long names none', async () => {
  const { body } = await ask(ann, 'POST', '/api/api-keys', { name: 'Shop', scopes: ['contacts:read'] })
  const contextOfKey = async () => {
    const token = await profile.authority.serviceToken('profile')
    const json = readApiKey(body.secret)
    return keyContextSchema.parse(ok(await profile.call('POST', '/internal/key-context', { token, json })))
  }
  const { workspaceId } = ann.context
  expect([(await contextOfKey()).cell, await cellAt(workspaceId)]).toEqual(['west', { cell: 'west' }])
  await workspaces().updateOne({ _id: new Types.ObjectId(workspaceId) }, { $unset: { cell: 1 } })
  expect([(await contextOfKey()).cell, await cellAt(workspaceId)]).toEqual([undefined, {}])
  await workspaces().updateOne({ _id: new Types.ObjectId(workspaceId) }, { $set: { cell: 'west' } })
  expect(await cellAt('f'.repeat(24))).toEqual({})
})

test('messaging is asked for the plan in the cell of the workspace', async () => {
  const bob = await profile.signIn()
  messaging.state.plan = { ended: true }
  const make = () => ask(bob, 'POST', '/api/api-keys', { name: 'Shop', scopes: ['contacts:read'] })
  expect(await make()).toMatchObject({ status: 409, body: { code: 'plan_limit' } })
  // In another cell it is not reached: what it has said there does not count here.
  await workspaces().updateOne({ _id: new Types.ObjectId(bob.context.workspaceId) }, { $unset: { cell: 1 } })
  expect((await make()).status).toBe(201)
})

test('no other process is told of cells, and no browser reaches the answer', async () => {
  const path = `/internal/cells/${ann.context.workspaceId}`
  const token = await profile.authority.serviceToken('profile', { process: 'messaging' })
  expect((await profile.call('GET', path, { token })).status).toBe(403)
  expect((await profile.call('GET', path, { token: await ann.token() })).status).toBe(401)
})

test('without CELLS a workspace is stored as before', async () => {
  const plain = await startProfile()
  try {
    const { context } = await plain.signIn()
    expect(context).not.toHaveProperty('cell')
    const stored = await plain.database.connection.collection('workspaces').findOne({})
    expect(stored).not.toHaveProperty('cell')
  } finally {
    await plain.stop()
  }
})
