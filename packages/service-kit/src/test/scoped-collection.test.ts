import { Schema, Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import type { ScopedCollection, WorkspaceScope } from '../data/scoped-collection.ts'
import { scopedCollection, workspaceCollection } from '../data/scoped-collection.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'

interface Note {
  readonly id: string
  readonly workspaceId: string
  readonly key: string
  readonly text: string
  readonly writes: number
  readonly folderId: string | null
  readonly links: readonly { readonly noteId: string; readonly label: string }[]
  readonly version: number
  readonly createdAt: Date
}

const schema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    key: { type: String, required: true },
    text: { type: String, maxlength: 10 },
    writes: Number,
    folderId: { type: Schema.Types.ObjectId, default: null },
    links: [new Schema({ noteId: Schema.Types.ObjectId, label: String }, { _id: false })],
    version: Number,
  },
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)

let database: TestDatabase
let notes: (scope: WorkspaceScope) => ScopedCollection<Note>
let ours: WorkspaceScope
let theirs: WorkspaceScope

const newId = () => new Types.ObjectId().toHexString()
beforeAll(async () => {
  database = await openTestDatabase(inject('stack').urls.mongodb)
  notes = workspaceCollection<Note>({ connection: database.connection, name: 'notes', schema })
  await database.connection.collection('notes').createIndex({ workspaceId: 1, key: 1 }, { unique: true })
})
afterAll(() => database.drop())
beforeEach(async () => {
  ours = { workspaceId: newId() }
  theirs = { workspaceId: newId() }
  await notes(theirs).create({ key: 'a', text: 'secret', writes: 1 })
})

const theirsIsUntouched = async () => {
  const [note, ...others] = await notes(theirs).find()
  expect(others).toEqual([])
  expect(note).toMatchObject({ ...theirs, key: 'a', text: 'secret', writes: 1, version: 1 })
}

test('a record comes out as a plain object with string ids, nested ones too', async () => {
  const links = [{ noteId: newId(), label: 'see' }]
  const folderId = newId()
  const written = await notes(ours).create({ key: 'a', text: 'hello', folderId, links })
  expect(written).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{24}$/), ...ours, folderId, links, version: 1 })
  expect(written).not.toHaveProperty('_id')
  expect(written.createdAt).toBeInstanceOf(Date)
  expect(await notes(ours).findOne({ _id: written.id })).toEqual(written)
  const stored = await database.connection.collection('notes').findOne({ key: 'a', text: 'hello' })
  expect(stored?.['links'][0].noteId).toBeInstanceOf(Types.ObjectId)
})

test('plain records are stored as others are; those that are there already stay as they are', async () => {
  const [id, folderId] = [newId(), newId()]
  const other = { ...theirs, _id: id, key: 'a', text: 'hello', folderId }
  await notes(ours).insertPlain([other, { key: 'b' }])
  await notes(ours).insertPlain([{ _id: id, key: 'a', text: 'other' }, { key: 'b' }, { key: 'c' }])
  expect(await notes(ours).find().sort({ key: 1 })).toMatchObject([
    { id, ...ours, text: 'hello', folderId, version: 1, createdAt: expect.any(Date) },
    { key: 'b', ...ours },
    { key: 'c', ...ours },
  ])
  expect(await notes(ours).find({ folderId })).toHaveLength(1)
  await theirsIsUntouched()
})

test('plain records have ids at any depth, are given back, and are as the schema has them', async () => {
  const [noteId, key] = [newId(), 'a']
  const [added] = await notes(ours).insertPlain([{ key, links: [{ noteId, label: 'see' }] }])
  const [stored] = await notes(ours).find({ 'links.noteId': noteId })
  expect(stored).toMatchObject({ ...added, links: [{ noteId, label: 'see' }] })
  const wrong = { writes: '7' as unknown as number }
  await expect(notes(ours).insertPlain([{ key: 'b', ...wrong }])).rejects.toThrow('not as its schema has it')
  await expect(notes(ours).insertPlain([{ key: 'b', text: 'more than ten' }])).rejects.toThrow(/longer than/)
  await expect(notes(ours).insertPlain([{ key: 'b', ...{ other: 1 } }])).rejects.toThrow(/other/)
  expect(await notes(ours).find()).toHaveLength(1)
})

test('string ids find what is stored as ids, nested ones too, in filters, pipelines and distinct', async () => {
  const noteId = newId()
  const { id } = await notes(ours).create({ key: 'a', folderId: noteId, links: [{ noteId, label: 'see' }] })
  expect(await notes(ours).find({ 'links.noteId': noteId })).toMatchObject([{ id }])
  expect(await notes(ours).find({ $or: [{ folderId: { $in: [noteId] } }] })).toMatchObject([{ id }])
  expect(await notes(ours).aggregate([{ $match: { _id: id } }, { $match: { folderId: noteId } }])).toMatchObject([
    { _id: id, folderId: noteId, links: [{ noteId }] },
  ])
  expect(await notes(ours).distinct('links.noteId')).toEqual([noteId])
})

test('find sorts, limits, selects and can be iterated', async () => {
  await notes(ours).insertMany(['a', 'b', 'c'].map((key, writes) => ({ key, writes, text: key })))
  const found = await notes(ours)
    .find({ writes: { $gte: 1 } })
    .sort({ key: -1 })
    .limit(1)
    .select('key')
  expect(found).toEqual([{ id: expect.any(String), key: 'c' }])
  const keys: string[] = []
  for await (const { key } of notes(ours).find().sort({ key: 1 })) keys.push(key)
  expect(keys).toEqual(['a', 'b', 'c'])
  expect(() => notes(ours).find().limit(0)).toThrow(/limit/)
})

test('a find without a limit refuses to answer with more than 10,000 records', async () => {
  const workspaceId = new Types.ObjectId(ours.workspaceId)
  const rows = Array.from({ length: 10_001 }, (_, row) => ({ workspaceId, key: `k${row}` }))
  await database.connection.collection('notes').insertMany(rows)
  await expect(notes(ours).find().then()).rejects.toThrow(/more than 10000 records/)
  expect(await notes(ours).find().limit(10_001)).toHaveLength(10_001)
})

test.each<[string, (notes: ScopedCollection<Note>) => PromiseLike<unknown>, unknown]>([
  ['find', (collection) => collection.find({ key: 'a' }), []],
  ['findOne', (collection) => collection.findOne({ key: 'a' }), null],
  ['findOneAndUpdate', (collection) => collection.findOneAndUpdate({ key: 'a' }, { $set: { text: 'stolen' } }), null],
  ['updateOne', (collection) => collection.updateOne({ key: 'a' }, { $set: { text: 'stolen' } }), { matchedCount: 0 }],
  ['updateMany', (collection) => collection.updateMany({}, { $set: { text: 'stolen' } }), { matchedCount: 0 }],
  ['deleteOne', (collection) => collection.deleteOne({ key: 'a' }), { deletedCount: 0 }],
  ['deleteMany', (collection) => collection.deleteMany({}), { deletedCount: 0 }],
  ['countDocuments', (collection) => collection.countDocuments(), 0],
  ['distinct', (collection) => collection.distinct('text'), []],
  ['aggregate', (collection) => collection.aggregate([{ $group: { _id: '$key' } }]), []],
  ['$facet', (collection) => collection.aggregate([{ $facet: { all: [{ $match: {} }] } }]), [{ all: [] }]],
  ['$or', (collection) => collection.find({ $or: [{ key: 'a' }, { text: 'secret' }] }), []],
  [
    'bulkWrite',
    (collection) =>
      collection.bulkWrite([
        { updateOne: { filter: { key: 'a' }, update: { $set: { text: 'stolen' } } } },
        { updateMany: { filter: {}, update: { $set: { text: 'stolen' } } } },
        { deleteOne: { filter: { key: 'a' } } },
        { deleteMany: { filter: {} } },
      ]),
    { matchedCount: 0, deletedCount: 0 },
  ],
])("%s does not reach another workspace's record", async (_verb, act, answer) => {
  const result = await act(notes(ours))
  expect(result).toEqual(
    typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? expect.objectContaining(answer) : answer,
  )
  await theirsIsUntouched()
})

test('a filter that names another workspace stays in its own', async () => {
  const { workspaceId } = theirs
  expect(await notes(ours).findOne({ key: 'a', workspaceId })).toBeNull()
  expect(await notes(ours).aggregate([{ $match: { workspaceId } }])).toEqual([])
  await notes(ours).deleteMany({ workspaceId })
  await theirsIsUntouched()
})

test('joins and unions see the own workspace alone', async () => {
  await notes(ours).create({ key: 'a', text: 'own' })
  const lookup = { from: 'notes', localField: 'key', foreignField: 'key', as: 'same' }
  const joined = await notes(ours).aggregate<{ same: { text: string }[] }>([{ $lookup: lookup }])
  expect(joined.map(({ same }) => same.map(({ text }) => text))).toEqual([['own']])
  const union = await notes(ours).aggregate<{ text: string }>([{ $unionWith: 'notes' }, { $project: { text: 1 } }])
  expect(union.map(({ text }) => text)).toEqual(['own', 'own'])
  const nested = await notes(ours).aggregate<{ all: { same: unknown[] }[] }>([
    { $facet: { all: [{ $lookup: lookup }] } },
  ])
  expect(nested[0]?.all[0]?.same).toHaveLength(1)
})

test.each([
  { $out: 'stolen' },
  { $merge: { into: 'notes' } },
  { $graphLookup: { from: 'notes', startWith: '$key', connectFromField: 'key', connectToField: 'key', as: 'all' } },
  { $lookup: { from: { db: 'other', coll: 'notes' }, pipeline: [], as: 'all' } },
  { $lookup: { from: 'notes', pipeline: [{ $out: 'stolen' }], as: 'all' } },
  { $unionWith: { pipeline: [] } },
  { $facet: { all: [{ $out: 'stolen' }] } },
  { $match: {}, $out: 'stolen' },
  { $somethingNew: {} },
])('a pipeline may not use %j', async (stage) => {
  await expect(notes(ours).aggregate([stage as never])).rejects.toThrow(/pipeline/)
})

test.each([
  [{ $set: { workspaceId: 'x' } }],
  [{ $setOnInsert: { workspaceId: 'x' } }],
  [{ $unset: { workspaceId: 1 } }],
  [{ $rename: { workspaceId: 'key' } }],
  [{ $rename: { key: 'workspaceId' } }],
  [{ $set: { 'workspaceId.x': 1 } }],
  [{ $set: { _id: newId() } }],
  [{ $set: { version: 7 } }],
  [{ $inc: { version: 7 } }],
  [{ workspaceId: newId() }],
  [[{ $set: { workspaceId: newId() } }]],
  [[{ $unset: ['workspaceId'] }]],
  [[{ $replaceWith: { key: 'x' } }]],
  [[{ $project: { key: 1 } }]],
])('an update may not move a record or set its version: %j', async (update) => {
  const { id } = await notes(ours).create({ key: 'a' })
  await expect(notes(ours).updateOne({ _id: id }, update as never)).rejects.toThrow(/update/)
  await expect(notes(ours).updateMany({}, update as never)).rejects.toThrow(/update/)
  await expect(notes(ours).findOneAndUpdate({}, update as never)).rejects.toThrow(/update/)
  const write = { updateOne: { filter: {}, update: update as never } }
  await expect(notes(ours).bulkWrite([write])).rejects.toThrow(/update/)
  expect(await notes(ours).findOne({ _id: id })).toMatchObject({ key: 'a', version: 1 })
})

test('a batch takes no kind of write that is not scoped', async () => {
  const replace = { replaceOne: { filter: { key: 'a' }, replacement: { key: 'a', ...theirs } } }
  await expect(notes(ours).bulkWrite([replace as never])).rejects.toThrow(/replaceOne/)
})

test('what is inserted belongs to the own workspace, whatever it says', async () => {
  await notes(ours).insertMany([{ key: 'b', ...theirs }])
  await notes(ours).bulkWrite([
    { insertOne: { document: { key: 'c', ...theirs } } },
    { updateOne: { filter: { key: 'd', ...theirs }, update: { $set: { text: 'new' } }, upsert: true } },
  ])
  expect((await notes(ours).find().sort({ key: 1 })).map(({ key, version }) => [key, version])).toEqual([
    ['b', 1],
    ['c', 1],
    ['d', 1],
  ])
  await theirsIsUntouched()
})

test('every write raises the version, an update pipeline too', async () => {
  const { id } = await notes(ours).create({ key: 'a', writes: 1 })
  await notes(ours).updateOne({ _id: id }, { $set: { text: 'b' } })
  await notes(ours).updateMany({}, { $inc: { writes: 1 } })
  await notes(ours).bulkWrite([{ updateOne: { filter: { _id: id }, update: { $push: { links: { label: 'x' } } } } }])
  await notes(ours).bulkWrite([{ updateOne: { filter: { _id: id }, update: [{ $set: { text: 'c' } }] } }])
  const changed = await notes(ours).findOneAndUpdate({ _id: id }, [{ $set: { writes: { $add: ['$writes', 1] } } }])
  expect(changed).toMatchObject({ version: 6, writes: 3, text: 'c' })
})

test('racing upserts end in one record, and each of them is counted', async () => {
  const upsert = () => notes(ours).findOneAndUpdate({ key: 'race' }, { $inc: { writes: 1 } }, { upsert: true })
  const results = await Promise.all(Array.from({ length: 20 }, upsert))
  expect(new Set(results.map((note) => note?.id)).size).toBe(1)
  expect(await notes(ours).findOne({ key: 'race' })).toMatchObject({ writes: 20, version: 20 })
})

test('what the schema does not allow is not written', async () => {
  const text = 'x'.repeat(11)
  const upsert = notes(ours).findOneAndUpdate({ key: 'long' }, { $set: { text } }, { upsert: true })
  await expect(upsert).rejects.toThrow(/longer/)
  await expect(notes(ours).insertMany([{ key: 'b', text }], { ordered: false })).rejects.toThrow(/longer/)
  await expect(
    notes(ours)
      .find({ unknown: 1 } as never)
      .then(),
  ).rejects.toThrow(/unknown/)
  expect(await notes(ours).countDocuments()).toBe(0)
})

test('inside a transaction that is aborted nothing is left, and its reads see its writes', async () => {
  const session = await database.connection.startSession()
  session.startTransaction()
  const { id } = await notes(ours).create({ key: 'a' }, { session })
  await notes(ours).updateOne({ _id: id }, { $set: { text: 'in' } }, { session })
  await notes(ours).bulkWrite([{ insertOne: { document: { key: 'b' } } }], { session })
  expect(await notes(ours).findOne({ _id: id }, { session })).toMatchObject({ text: 'in' })
  expect(await notes(ours).find().session(session)).toHaveLength(2)
  expect(await notes(ours).countDocuments({}, { session })).toBe(2)
  expect(await notes(ours).aggregate([{ $match: {} }], { session })).toHaveLength(2)
  expect(await notes(ours).countDocuments()).toBe(0)
  await session.abortTransaction()
  await session.endSession()
  expect(await notes(ours).countDocuments()).toBe(0)
})

test.each([undefined, '', { $exists: true }])('a scope without a workspace reaches nothing: %j', (workspaceId) => {
  expect(() => notes({ workspaceId } as never)).toThrow(/scope/)
})

test('another scope than a workspace works alike', async () => {
  const folders = scopedCollection<{ folderId: string }, Note>(
    { connection: database.connection, name: 'notes', schema },
    ({ folderId }) => ({ folderId }),
  )
  const folderId = newId()
  const { id } = await notes(ours).create({ key: 'a', folderId })
  expect(await folders({ folderId }).find()).toMatchObject([{ id }])
  expect(await folders({ folderId: newId() }).find()).toEqual([])
  await expect(folders({ folderId }).updateOne({}, { $set: { folderId: newId() } })).rejects.toThrow(/update/)
})
