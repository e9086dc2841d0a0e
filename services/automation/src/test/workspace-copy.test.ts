import { createLogger } from '@parley/service-kit/core/logger'
import { copyWorkspace, differences, digestWorkspace } from '@parley/service-kit/data/copy-workspace'
import { loadMigrations, runMigrations } from '@parley/service-kit/data/migrations'
import { newId } from '@parley/service-kit/data/plain'
import { createMoves } from '@parley/service-kit/data/workspace-moves'
import { everythingOf, fillEveryCollection } from '@parley/service-kit/testing/every-collection'
import { openTestDatabase } from '@parley/service-kit/testing/test-database'
import { expect, inject, onTestFinished, test } from 'vitest'

async function migrated() {
  const { connection, drop } = await openTestDatabase(inject('stack').urls.mongodb)
  onTestFinished(drop)
  const migrations = await loadMigrations(`${import.meta.dirname}/../migrations`)
  await runMigrations(connection, { migrations, logger: createLogger({ name: 'copy', level: 'silent' }) })
  if (!connection.db) throw new Error('the connection is not open')
  return { connection, db: connection.db }
}

test('every collection of a workspace is copied, and nothing of another', async () => {
  const [source, target] = [await migrated(), await migrated()]
  const [moves, stays] = [newId(), newId()]
  const filled = await fillEveryCollection(source.connection, [moves, stays], {
    others: ['migrations', 'migrationLock', 'readiness', 'cellProcesses'],
    covered: { auditEntries: [{ fresh: true }] },
  })
  const records = createMoves(target.connection)
  await records.set({ workspaceId: moves }, 1, { from: ['open'], state: 'arriving' })
  const fenced = records.fence({ workspaceId: moves }, 1)
  await copyWorkspace({ source: source.db, target: target.db, workspaceId: moves, fenced })
  expect(differences(await digestWorkspace(source.db, moves), await digestWorkspace(target.db, moves))).toEqual([])
  const [before, there] = [await everythingOf(source.connection, moves), await everythingOf(target.connection, moves)]
  const names = filled.filter((name) => name !== 'workspaceMoves')
  expect(names.length).toBeGreaterThan(15)
  for (const name of names) expect(there[name]).toEqual(before[name])
  expect(await everythingOf(target.connection, stays)).toEqual({})
})
