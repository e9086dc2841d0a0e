import { Schema, Types } from 'mongoose'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { pageOf } from '../data/page.ts'
import { createPageCursors } from '../data/page-cursor.ts'
import { type ScopedCollection, workspaceCollection } from '../data/scoped-collection.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'

interface Note {
  readonly id: string
  readonly text: string
}
const cursors = createPageCursors('a secret of the configuration, all replicas')
const workspaceId = new Types.ObjectId().toHexString()

let database: TestDatabase
let notes: ScopedCollection<Note>
beforeAll(async () => {
  database = await openTestDatabase(inject('stack').urls.mongodb)
  const { connection } = database
  const schema = new Schema({ workspaceId: Schema.Types.ObjectId, text: String }, { versionKey: false })
  notes = workspaceCollection<Note>({ connection, name: 'notes', schema })({ workspaceId })
  await connection.collection('notes').createIndex({ workspaceId: 1, _id: 1 }, { name: 'newest' })
})
afterAll(() => database.drop())

test('a list that is one page knows its total, however long counting would take', async () => {
  await notes.insertMany([{ text: 'a' }, { text: 'b' }])
  // Each record takes longer than a count may.
  const filter = { $expr: { $function: { body: 'function() { sleep(600); return true }', args: [], lang: 'js' } } }
  const sort = { index: 'newest', field: '_id', direction: 1 } as const
  const list = (limit: number) => pageOf<Note>(notes, { sort, cursors, workspaceId, filter, limit })
  expect(await list(2)).toMatchObject({ items: [{ text: 'a' }, { text: 'b' }], total: 2 })
  expect(await list(2)).not.toHaveProperty('approximate')
  expect(await list(1)).toMatchObject({ items: [{ text: 'a' }], total: 10_000, approximate: true })
})
