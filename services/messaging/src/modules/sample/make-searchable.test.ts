import { expect, test, vi } from 'vitest'
import { createMakeSearchable } from './make-searchable.ts'

const scope = { workspaceId: 'a'.repeat(24) }
const loaded = { state: 'loaded', toldAt: new Date('2026-05-04T10:00:00Z') }

/** Inserts sample data of which nothing can be found until `insert` ends. */
function unsearchable(maxWaitMs: number) {
  const insert = Promise.withResolvers<void>()
  const asked: string[] = []
  const add = () => {
    asked.push('insert')
    return insert.promise
  }
  const makeSearchable = createMakeSearchable({
    states: { read: async () => loaded, isSearchable: async () => loaded } as never,
    search: { insert: add, remove: async () => {} } as never,
    maxWaitMs,
    logger: { warn: () => asked.push('warn') } as never,
  })
  return { insert, asked, makeSearchable }
}

test('searches of the same time wait for the same work', async () => {
  const { insert, asked, makeSearchable } = unsearchable(60_000)
  const searches = [makeSearchable(scope), makeSearchable(scope)]
  insert.resolve()
  expect(await Promise.all(searches)).toEqual([true, true])
  expect(asked).toEqual(['insert'])
})

test('a search does not wait for long, and work that fails is begun anew by the next one', async () => {
  const { insert, asked, makeSearchable } = unsearchable(1)
  expect(await makeSearchable(scope)).toBe(false)
  insert.reject(new Error('the store is away'))
  await vi.waitFor(() => expect(asked).toEqual(['insert', 'warn']))
  await expect(makeSearchable(scope)).rejects.toThrow('the store is away')
  expect(asked.filter((what) => what === 'insert')).toHaveLength(2)
})
