import { openTestDatabase, type TestDatabase } from '@parley/service-kit/testing/test-database'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { up } from '../migrations/0652-search-without-ids.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase(inject('stack').urls.mongodb)
})
afterAll(() => database.drop())

const search = () => database.connection.collection('messageSearch')
const names = async () => (await search().indexes()).map(({ name }) => name).sort()
const migrate = async () => {
  const { db } = database.connection
  if (!db) throw new Error('not open')
  await search().createIndex({ workspaceId: 1, words: 1, at: -1, _id: -1 }, { name: 'words' })
  await up(db)
}

test('where nothing is stored the old index goes with the migration', async () => {
  await migrate()
  expect(await names()).toEqual(['_id_', 'word-times'])
})

test('elsewhere it stays for the version before, also for one that comes back', async () => {
  await search().insertOne({ words: ['hello'], at: new Date() })
  await migrate()
  expect(await names()).toEqual(['_id_', 'word-times', 'words'])
})
