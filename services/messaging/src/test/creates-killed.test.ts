import { randomUUID } from 'node:crypto'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from './campaign-fixtures.ts'
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
beforeAll(async () => {
  parley = await startMessaging()
})
afterAll(() => parley.stop())

const records = (name: string) => parley.database.connection.collection(name)
const inWorkspace = () => ({ workspaceId: new Types.ObjectId(parley.scope.workspaceId) })
const filter = { match: 'all', conditions: [{ field: 'tags', comparison: 'contains', value: 'vip' }] }
const creates = [
  ['contacts', '/api/contacts', { name: 'Once', phone: '+919812346001', tags: [], attributes: {} }],
  ['segments', '/api/segments', { name: 'Once', filter }],
  ['campaigns', '/api/campaigns', { name: 'Once', variables: {} }],
  ['webhooks', '/api/webhooks', { name: 'Once', url: 'https://once.example/hook', events: ['message.read'] }],
] as const

test('a server that is killed between commit and answer: the same call again answers with the record that is there', async () => {
  const program = parley.signInProgram({
    scopes: ['contacts:write', 'segments:write', 'campaigns:write', 'webhooks:write'],
  })
  for (const [name, path, json] of creates) {
    const { key, id } = await killBetween(program, { name, path, json })
    const again = () => program.call('POST', path, json, { 'idempotency-key': key })
    // The lease of the killed call ends first.
    await eventually(async () => {
      const { status, headers, body } = await again()
      if (status !== 201) expect([status, body.code]).toEqual([409, 'request_in_progress'])
      // Carried out again, and not a kept answer.
      expect([status, body.id, headers.get('idempotent-replayed')]).toEqual([201, id, null])
    })
    const third = await again()
    expect([third.body.id, third.headers.get('idempotent-replayed')]).toEqual([id, 'true'])
    expect(await records(name).countDocuments({ ...inWorkspace(), name: 'Once' })).toBe(1)
  }
})

/**
 * Has a server of its own create a record, and kills it once that is committed. A transaction holds the row in which the answer would be
 * kept, so that no answer leaves; its other lease keeps the database from writing the answer once the server is gone.
 */
async function killBetween(
  program: ReturnType<typeof parley.signInProgram>,
  { name, path, json }: { name: string; path: string; json: object },
): Promise<{ key: string; id: string }> {
  const calls = records('idempotencyKeys')
  const victim = await parley.startServer()
  const key = randomUUID()
  const session = await parley.database.connection.startSession()
  const answer = fetch(`${victim.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await program.token()}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(json),
  }).then(({ status }) => status)
  answer.catch(() => undefined)
  const row = { workspaceId: parley.scope.workspaceId, answer: { $exists: false } }
  for (let isHeld = false; !isHeld; ) {
    session.startTransaction()
    const { modifiedCount } = await calls.updateOne(
      row,
      { $set: { lease: 'held', leaseEndsAt: new Date(Date.now() + 3000) } },
      { session },
    )
    isHeld = modifiedCount === 1
    if (!isHeld) await session.abortTransaction()
  }
  const record = await eventually(async () => {
    const found = await records(name).findOne({ ...inWorkspace(), name: 'Once' })
    expect(found).not.toBeNull()
    return found
  })
  await victim.kill()
  await session.commitTransaction()
  await session.endSession()
  await expect(answer).rejects.toThrow()
  return { key, id: String(record?._id) }
}
