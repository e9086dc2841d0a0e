import { createMetrics } from '@parley/service-kit/core/metrics'
import { createPageCursors } from '@parley/service-kit/data/page-cursor'
import { indexesOf } from '@parley/service-kit/testing/declared-indexes'
import { expect, test } from 'vitest'
import { createAttention } from '../modules/attention/attention.service.ts'
import { createCallsRepository } from '../modules/connections/calls.repository.ts'
import { createConnectionRecords } from '../modules/connections/connections.service.ts'
import { createHostStates } from '../modules/connections/host-states.ts'
import { createFeedCursors } from '../modules/feed/feed-cursors.repository.ts'
import { createFlowStore } from '../modules/flows/flow-store.ts'
import { createHooksRepository } from '../modules/hooks/hooks.repository.ts'
import { runCountsOf } from '../modules/runs/count-runs.ts'
import { createRunInputs } from '../modules/runs/run-inputs.ts'
import { createRunsRepository } from '../modules/runs/runs.repository.ts'
import { createSettings } from '../modules/settings/module.ts'
import { createAutomationMetrics } from '../platform/metrics.ts'
import { joinAutomation } from './start-automation.ts'

/** Collections whose indexes service-kit creates, and those of the migrations themselves. */
const ofTheKit = new Set([
  'auditEntries',
  'cellProcesses',
  'idempotencyKeys',
  'jobs',
  'migrations',
  'migrationLock',
  'workspaceMoves',
])
const ofModels = (indexes: Readonly<Record<string, string[]>>) =>
  Object.fromEntries(Object.entries(indexes).filter(([name]) => !ofTheKit.has(name)))

test('a migrated database has the indexes that the models declare, and no other', async () => {
  const { database } = await joinAutomation()
  const mongo = database.connection
  createFlowStore({ mongo })
  createSettings({ mongo, publish: async () => undefined })
  createRunsRepository(mongo)
  runCountsOf(mongo)
  createRunInputs(mongo)
  createFeedCursors(mongo)
  createConnectionRecords(mongo)
  createCallsRepository(mongo)
  createHostStates(mongo)
  createHooksRepository(mongo)
  const cursors = createPageCursors('a secret of these tests, long enough')
  const figures = createAutomationMetrics(createMetrics('automation-test'))
  createAttention({ mongo, cursors, figures, namesOf: async () => new Map() })
  const { declared, stored } = await indexesOf(mongo)
  expect(Object.keys(ofModels(declared)).length).toBeGreaterThan(5)
  expect(ofModels(stored)).toEqual(ofModels(declared))
})
