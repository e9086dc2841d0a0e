import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { carryOut, uploadKnown } from './import-kills.ts'
import { contactsOf, differences, entriesOf, rowsOf } from './import-results.ts'
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
beforeAll(async () => {
  parley = await startMessaging()
  await parley.worker.stop()
})
afterAll(() => parley.stop())

/** A kill takes a batch of a thousand, or none: there are some left at the last one. */
const rowCount = 12_000

test('workers are killed ten times while they import, and more while they check and undo: the end is that of one that is not', async () => {
  const { connection } = parley.database
  const [killed, left] = [await uploadKnown(parley, rowCount), await uploadKnown(parley, rowCount)]
  const scopes = [killed, left].map(({ ann }) => ({ workspaceId: new Types.ObjectId(ann.workspaceId) }))
  const isSame = async (read: typeof contactsOf) => {
    const [one = [], two = []] = await Promise.all(scopes.map((scope) => read(connection, scope)))
    expect(differences(one, two)).toEqual([])
    return one
  }
  expect(await carryOut(parley, killed, 'check', 1)).toEqual(await carryOut(parley, left, 'check', 0))
  const done = await carryOut(parley, killed, 'run', 10)
  expect(done).toEqual(await carryOut(parley, left, 'run', 0))
  const [updated, invalid] = [rowCount / 10, (rowCount / 100) * 2]
  expect(done.counts).toEqual({ created: rowCount - updated - invalid, updated, skipped: 0, invalid })
  const contacts = await isSame(contactsOf)
  expect(contacts).toHaveLength(rowCount - invalid)
  expect(new Set(contacts.map(({ phone }) => phone)).size).toBe(contacts.length)
  await isSame(rowsOf)
  await isSame(entriesOf)

  const undone = await carryOut(parley, killed, 'undo', 3)
  expect(undone).toEqual(await carryOut(parley, left, 'undo', 0))
  expect(undone.undone).toEqual({ removed: done.counts.created, restored: updated, kept: 0 })
  await isSame(contactsOf)
  await isSame(rowsOf)
  await isSame(entriesOf)
}, 900_000)
