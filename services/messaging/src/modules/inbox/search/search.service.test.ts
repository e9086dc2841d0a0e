import { createPageCursors } from '@parley/service-kit/data/page-cursor'
import { expect, test } from 'vitest'
import { createSearchService } from './search.service.ts'

const scope = { workspaceId: 'a'.repeat(24) }
const day = 86_400_000
const timeIsUp = () => Object.assign(new Error('operation exceeded time limit'), { code: 50 })

/** A search over messages of these ages in days, which takes so long for each question. */
function searchOver(
  ages: readonly number[],
  { costMs = 0, countMs = 0, failing = () => false }: { costMs?: number; countMs?: number; failing?: () => boolean },
) {
  let now = 0
  const stored = ages.map((age, index) => ({
    id: String(index).padStart(24, '0'),
    at: new Date(Date.now() - age * day),
  }))
  const service = createSearchService({
    search: {
      replace: async () => undefined,
      rarestFirst: async (_scope, words) => {
        now += countMs
        return [...words]
      },
      find: async (_scope, _words, { behind, since, limit }) => {
        now += costMs
        if (failing()) throw timeIsUp()
        return stored
          .filter(({ at }) => at > since && (!behind || at <= behind.at))
          .slice(0, limit)
          .map((message) => ({ ...message, ...scope, conversationId: 'c', words: [] }))
      },
    },
    thread: { readMany: async () => [], walk: async () => [] },
    conversations: { read: async () => Promise.reject(new Error('not asked for')), showMany: async () => new Map() },
    cursors: createPageCursors('a secret that is long enough for it'),
    clock: () => now,
  })
  const ageOf = (searchedTo: string | null) =>
    searchedTo === null ? null : Math.round((Date.now() - Date.parse(searchedTo)) / day)
  const find = (cursor?: string, options?: { isReady: boolean }) =>
    service.find(scope, { q: 'two words', cursor, conversation: undefined }, options)
  return { find, ageOf }
}

test('several words are searched in growing stretches, to the end where there is time', async () => {
  const { find } = searchOver([1, 400, 3000], {})
  expect(await find()).toMatchObject({ nextCursor: null, searchedTo: null })
})

test('where the time is up the answer says how far back it came, and the next call goes on from there', async () => {
  const { find, ageOf } = searchOver([1, 400, 3000], { costMs: 160 })
  const first = await find()
  // Two stretches: 15 days, and the 30 before them.
  expect(ageOf(first.searchedTo)).toBe(45)
  const second = await find(first.nextCursor ?? '')
  expect(ageOf(second.searchedTo)).toBe(45 + 45)
})

test('a question that the database gives up on is where the search stops', async () => {
  let asked = 0
  const { find, ageOf } = searchOver([1], { failing: () => ++asked === 2 })
  expect(ageOf((await find()).searchedTo)).toBe(15)
  const hopeless = searchOver([1], { failing: () => true })
  const answer = await hopeless.find()
  expect([hopeless.ageOf(answer.searchedTo), answer.nextCursor]).toEqual([0, expect.any(String)])
})

test('a search whose time is up before its first question has come nowhere, and does not claim to be complete', async () => {
  const slow = searchOver([1], { countMs: 400 })
  const answer = await slow.find()
  expect([answer.items, slow.ageOf(answer.searchedTo), answer.nextCursor]).toEqual([[], 0, expect.any(String)])
})

test('while not all can be found a search goes on from where it began', async () => {
  const { find, ageOf } = searchOver([1, 400, 3000], {})
  const first = await find(undefined, { isReady: false })
  expect([ageOf(first.searchedTo), first.nextCursor]).toEqual([0, expect.any(String)])
  expect(await find(first.nextCursor ?? '')).toMatchObject({ nextCursor: null, searchedTo: null })
})
