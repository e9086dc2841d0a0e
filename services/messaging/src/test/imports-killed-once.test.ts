import { afterAll, beforeAll, expect, test } from 'vitest'
import { carryOut, uploadKnown } from './import-kills.ts'
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
beforeAll(async () => {
  parley = await startMessaging()
  await parley.worker.stop()
})
afterAll(() => parley.stop())

test('a worker that is killed in the middle of an import ends as one that is not: each row once', async () => {
  // Batches of a thousand: most are left when the worker is killed behind the first.
  const rowCount = 8000
  const person = await uploadKnown(parley, rowCount)
  await carryOut(parley, person, 'check', 0)
  const { counts } = await carryOut(parley, person, 'run', 1)
  const [updated, invalid] = [rowCount / 10, (rowCount / 100) * 2]
  expect(counts).toEqual({ created: rowCount - updated - invalid, updated, skipped: 0, invalid })
  const phones = await parley.database.connection.collection('contacts').distinct('phone')
  expect(phones).toHaveLength(rowCount - invalid)
}, 900_000)
