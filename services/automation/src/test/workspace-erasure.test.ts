import { eraseWorkspace } from '@parley/service-kit/data/erase-workspace'
import { newId } from '@parley/service-kit/data/plain'
import { everythingOf, fillEveryCollection, unindexedParts } from '@parley/service-kit/testing/every-collection'
import { expect, test } from 'vitest'
import { joinAutomation } from './start-automation.ts'

test('an erased workspace is in no collection any more, and nothing of another has changed', async () => {
  const { connection } = (await joinAutomation()).database
  const [gone, other] = [newId(), newId()]
  const filled = await fillEveryCollection(connection, [gone, other], {
    others: ['migrations', 'migrationLock', 'readiness', 'cellProcesses'],
    covered: { auditEntries: [{ fresh: true }] },
  })
  expect(filled.length).toBeGreaterThan(8)
  const before = await everythingOf(connection, other)
  expect(Object.keys(before).sort()).toEqual([...filled].sort())
  expect(await unindexedParts(connection, gone)).toEqual([])
  expect(await eraseWorkspace(connection, gone)).toMatchObject({ done: true })
  expect(await everythingOf(connection, gone)).toEqual({})
  expect(await everythingOf(connection, other)).toEqual(before)
})
