import type { AuditRow } from '@parley/contracts/account/audit'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { auditEntries, createAuditIndexes, createAuditLog, oldestWaitingEntryAt } from '../data/audit-log.ts'
import { createAuditForwarder } from '../data/forward-audit.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase(inject('stack').urls.mongodb)
  const { db } = database.connection
  if (!db) throw new Error('not open')
  await createAuditIndexes(db)
})
afterAll(() => database.drop())

/** Stores an entry of each of some new workspaces. @returns their ids. */
async function happenIn(workspaces: number): Promise<string[]> {
  const ids = Array.from({ length: workspaces }, () => new Types.ObjectId().toHexString())
  const { record } = createAuditLog(database.connection)
  for (const workspaceId of ids)
    await record({
      workspaceId,
      actor: { kind: 'member', id: 'a'.repeat(24) },
      action: 'members.change',
      targets: [],
      changes: [],
      outcome: 'done',
      requestId: 'test',
      personal: {},
    })
  return ids
}
const forwardTo = (deliver: (workspaceId: string, entries: readonly AuditRow[]) => Promise<void>) =>
  createAuditForwarder(database.connection, deliver)
const waiting = async () =>
  (await auditEntries(database.connection).distinct('workspaceId')).map((id) => id.toHexString()).sort()

test('a workspace whose entries are refused holds up no other, and is told of', async () => {
  const ids = await happenIn(8)
  const [poisoned = ''] = ids
  const before = await oldestWaitingEntryAt(database.connection)
  const refuse = forwardTo(async (workspaceId) => {
    if (workspaceId === poisoned) throw new Error('refused')
  })
  await expect(refuse()).rejects.toThrow('refused')
  expect(await waiting()).toEqual([poisoned])
  const [left] = await auditEntries(database.connection).find().toArray()
  expect(await oldestWaitingEntryAt(database.connection)).toEqual(left?.at)
  expect(before?.getTime()).toBeLessThanOrEqual(Number(left?.at))
  await forwardTo(async () => undefined)()
  expect(await waiting()).toEqual([])
  expect(await oldestWaitingEntryAt(database.connection)).toBe(undefined)
})

test('a receiver that is away is not called for every workspace', async () => {
  const ids = await happenIn(30)
  let calls = 0
  const away = forwardTo(async () => {
    calls += 1
    throw new Error('away')
  })
  await expect(away()).rejects.toThrow('away')
  expect(calls).toBe(10)
  expect(await waiting()).toEqual(ids.sort())
  await forwardTo(async () => undefined)()
  expect(await waiting()).toEqual([])
})
