import { indexesOf } from '@parley/service-kit/testing/declared-indexes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

/** Collections whose indexes service-kit creates, and those of the migrations themselves. */
const ofTheKit = new Set(
  'auditEntries events eventHeads eventCursors idempotencyKeys jobs media inbox importFiles exportFiles workspaceExports migrations migrationLock cellProcesses workspaceMoves'.split(
    ' ',
  ),
)
/** Created by the driver with the first file. */
const isOfGridFs = (name: string) => /[.](files|chunks)$/.test(name)
const ofModels = (indexes: Readonly<Record<string, string[]>>) =>
  Object.fromEntries(Object.entries(indexes).filter(([name]) => !ofTheKit.has(name) && !isOfGridFs(name)))

test('a migrated database has the indexes that the models declare, and no other', async () => {
  const { declared, stored } = await indexesOf(parley.database.connection)
  expect(Object.keys(ofModels(declared)).length).toBeGreaterThan(45)
  expect(ofModels(stored)).toEqual(ofModels(declared))
})
