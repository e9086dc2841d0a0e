import { Schema, Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { createTenantRepository, type ScopedRepository, type Tenant } from '../data/tenant-repository.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'

interface Note {
  readonly id: string
  readonly workspaceId: string
  readonly key: string
  readonly text: string
  readonly writes: number
}

const schema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    key: { type: String, required: true },
    text: { type: String, maxlength: 10 },
    writes: Number,
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)

let database: TestDatabase
let notes: ScopedRepository<Tenant, Note>
let ours: Tenant
let theirs: Tenant

beforeAll(async () => {
  database = await openTestDatabase(inject('stack').urls.mongodb)
  await database.connection.collection('notes').createIndex({ workspaceId: 1, key: 1 }, { unique: true })
  notes = createTenantRepository<Note>({ connection: database.connection, name: 'notes', schema })
})
afterAll(() => database.drop())
beforeEach(() => {
  ours = { workspaceId: new Types.ObjectId().toHexString() }
  theirs = { workspaceId: new Types.ObjectId().toHexString() }
})

test('a record comes out as a plain object with string ids', async () => {
  const written = await notes.upsertOne(ours, { key: 'a' }, { $set: { text: 'hello' } })
  expect(written).toEqual({ id: expect.stringMatching(/^[0-9a-f]{24}$/), ...ours, key: 'a', text: 'hello' })
  expect(await notes.findOne(ours, { key: 'a' })).toEqual(written)
})

test("another workspace's record is neither found nor changed", async () => {
  await notes.upsertOne(theirs, { key: 'a' }, { $set: { text: 'secret' } })
  expect(await notes.findOne(ours, { key: 'a' })).toBeUndefined()
  expect(await notes.updateOne(ours, { key: 'a' }, { $set: { text: 'stolen' } })).toBeUndefined()
  expect(await notes.findOne(theirs, { key: 'a' })).toMatchObject({ text: 'secret' })
})

test("a filter that names another workspace stays in the caller's own", async () => {
  await notes.upsertOne(theirs, { key: 'a' }, { $set: { text: 'secret' } })
  expect(await notes.findOne(ours, { key: 'a', workspaceId: theirs.workspaceId })).toBeUndefined()
})

test('racing upserts end in one record, and each of them is counted', async () => {
  const upsert = () => notes.upsertOne(ours, { key: 'race' }, { $inc: { writes: 1 } })
  const results = await Promise.all(Array.from({ length: 20 }, upsert))
  expect(new Set(results.map(({ id }) => id)).size).toBe(1)
  expect(await notes.findOne(ours, { key: 'race' })).toMatchObject({ writes: 20 })
})

test('what the schema does not allow is not written', async () => {
  await expect(notes.upsertOne(ours, { key: 'long' }, { $set: { text: 'x'.repeat(11) } })).rejects.toThrow(/longer/)
  expect(await notes.findOne(ours, { key: 'long' })).toBeUndefined()
})
