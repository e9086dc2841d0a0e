import { indexesOf } from '@parley/service-kit/testing/declared-indexes'
import { expect, test } from 'vitest'
import { createBotStore } from '../modules/bots/module.ts'
import { createSettings } from '../modules/settings/module.ts'
import { joinAutomation } from './start-automation.ts'

/** Collections whose indexes service-kit creates, and those of the migrations themselves. */
const ofTheKit = new Set(['idempotencyKeys', 'migrations', 'migrationLock'])
const ofModels = (indexes: Readonly<Record<string, string[]>>) =>
  Object.fromEntries(Object.entries(indexes).filter(([name]) => !ofTheKit.has(name)))

test('a migrated database has the indexes that the models declare, and no other', async () => {
  const { database } = await joinAutomation()
  const mongo = database.connection
  createBotStore({ mongo })
  createSettings({ mongo })
  const { declared, stored } = await indexesOf(mongo)
  expect(Object.keys(ofModels(declared)).length).toBeGreaterThan(5)
  expect(ofModels(stored)).toEqual(ofModels(declared))
})
