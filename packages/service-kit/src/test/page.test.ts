import { Schema, Types } from 'mongoose'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { pageOf } from '../data/page.ts'
import { createPageCursors } from '../data/page-cursor.ts'
import { type ScopedCollection, workspaceCollection } from '../data/scoped-collection.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'

interface Note {
  readonly id: string
  readonly text: string
  readonly rank?: number
}
const cursors = createPageCursors('a secret of the configuration, all replicas')
const workspaceId = new Types.ObjectId().toHexString()

let database: TestDatabase
let notes: ScopedCollection<Note>
beforeAll(async () => {
  database = await openTestDatabase(inject('stack').urls.mongodb)
  const { connection } = database
  const schema = new Schema({ workspaceId: Schema.Types.ObjectId, text: String, rank: Number }, { versionKey: false })
  notes = workspaceCollection<Note>({ connection, name: 'notes', schema })({ workspaceId })
  await connection.collection('notes').createIndex({ workspaceId: 1, _id: 1 }, { name: 'newest' })
  await connection.collection('notes').createIndex({ workspaceId: 1, rank: 1, _id: 1 }, { name: 'rank' })
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

test('a list that is mostly short is counted only where it goes on', async () => {
  await notes.deleteMany({})
  await notes.insertMany([{ text: 'a' }, { text: 'b' }, { text: 'c' }])
  const sort = { index: 'newest', field: '_id', direction: 1 } as const
  const counts: number[] = []
  const page = (limit: number, cursor?: string) =>
    pageOf<Note>(notes, {
      ...{ sort, cursors, workspaceId, limit, cursor, isMostlyShort: true },
      count: async () => {
        counts.push(limit)
        return { total: 3 }
      },
    })
  expect(await page(3)).toMatchObject({ total: 3, nextCursor: null })
  expect(counts).toEqual([])
  const first = await page(2)
  expect(first.total).toBe(3)
  expect(await page(2, first.nextCursor ?? '')).toMatchObject({ items: [{ text: 'c' }], total: 3 })
  expect(counts).toEqual([2, 2])
})

test.each([1, -1] as const)(
  'a list without an index for its filter is looked through a step at a time, forwards and back: order %i',
  async (direction) => {
    await notes.deleteMany({})
    // Some have no rank, some share one, and every third is looked for.
    const all = Array.from({ length: 60 }, (_, n) => ({
      text: n % 3 === 0 ? 'wanted' : 'other',
      ...(n % 5 !== 0 && { rank: (n * 7) % 11 }),
    }))
    await notes.insertMany(all)
    const sort = { index: 'rank', field: 'rank', direction } as const
    const found = await notes.find({ text: 'wanted' }).sort({ rank: direction, _id: direction }).limit(60)
    const wanted = found.map(({ id }) => id)
    const query = { sort, cursors, workspaceId, filter: { text: 'wanted' }, limit: 4 }
    // No step but the first begins in time.
    const page = (cursor?: string | null) =>
      pageOf<Note>(notes, { ...query, ...(cursor && { cursor }), steps: { among: {}, size: 7, limitMs: -1 } })
    const forwards: string[] = []
    const places: unknown[] = []
    let last = await page()
    for (; ; last = await page(last.nextCursor)) {
      forwards.push(...last.items.map(({ id }) => id))
      if ('searchedTo' in last) places.push(last.searchedTo)
      if (last.nextCursor === null) break
    }
    expect(forwards).toEqual(wanted)
    expect(places.length).toBeGreaterThan(3)

    const backwards = last.items.map(({ id }) => id)
    while (last.previousCursor !== null) {
      last = await page(last.previousCursor)
      backwards.unshift(...last.items.map(({ id }) => id))
    }
    expect(backwards).toEqual(wanted)
    // With time enough a page is full, and says nothing of steps.
    const whole = await pageOf<Note>(notes, { ...query, steps: { among: {}, size: 7, limitMs: 60_000 } })
    expect(whole.items.map(({ id }) => id)).toEqual(wanted.slice(0, 4))
    expect(whole).not.toHaveProperty('searchedTo')
  },
)
