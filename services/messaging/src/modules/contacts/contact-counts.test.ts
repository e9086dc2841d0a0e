import { createLogger } from '@parley/service-kit/core/logger'
import { expect, test } from 'vitest'
import type { ContactCounts } from './contact-counts.repository.ts'
import { type CountedSegment, createContactCounts } from './contact-counts.service.ts'

const everybody = { match: 'all' as const, conditions: [] }
const vip = { id: 'vip', filter: everybody }
const scope = { workspaceId: 'a'.repeat(24) }

/** A workspace of some contacts who all carry one tag, and a clock that the test moves. */
function workspace(contacts: number, { few = 3 } = {}) {
  const state = {
    contacts,
    now: new Date('2026-11-22T12:00:00Z'),
    counted: 0,
    segments: [vip] as CountedSegment[],
    kept: undefined as ContactCounts | undefined,
  }
  const record = () => state.kept && { id: 'c', ...scope, ...state.kept }
  const counts = createContactCounts({
    contacts: {
      count: async (_scope, _part, { limit } = {}) => {
        if (limit === undefined) state.counted += 1
        return Math.min(state.contacts, limit ?? state.contacts)
      },
    },
    tags: { list: async () => [{ id: 't', ...scope, name: 'vip', colour: 'grey', version: 1 }] },
    segments: async () => state.segments,
    conditionParts: async () => [],
    stored: {
      read: async () => record() ?? null,
      store: async (_scope, counted) => {
        state.kept = counted
        return record() ?? null
      },
    },
    logger: createLogger({ name: 'test', level: 'silent' }),
    few,
    now: () => state.now,
  })
  return { state, counts }
}

test('a small workspace is counted at each request and nothing is stored', async () => {
  const { state, counts } = workspace(3)
  expect((await counts.ofTags(scope)).get('vip')).toBe(3)
  state.contacts = 2
  expect((await counts.ofTags(scope)).get('vip')).toBe(2)
  expect((await counts.ofSegments(scope, [vip]))(vip)).toBe(2)
  expect(await counts.ofAll(scope)).toEqual({ total: 2 })
  expect(state.kept).toBeUndefined()
})

test('a large one is counted once, and anew behind the request that finds the counts old', async () => {
  const { state, counts } = workspace(10)
  const [tags, sameTags, segments] = await Promise.all([
    counts.ofTags(scope),
    counts.ofTags(scope),
    counts.ofSegments(scope, [vip]),
  ])
  expect([tags.get('vip'), sameTags.get('vip'), segments(vip)]).toEqual([10, 10, 10])
  // Counts of all contacts, one segment and one tag.
  expect(state.counted).toBe(3)
  state.contacts = 20
  expect(await counts.ofAll(scope)).toEqual({ total: 10, approximate: true })
  expect(state.counted).toBe(3)
  state.now = new Date(state.now.getTime() + 31_000)
  expect(await counts.ofAll(scope)).toEqual({ total: 10, approximate: true })
  await expect
    .poll(() => state.kept)
    .toMatchObject({ all: 20, tags: [{ name: 'vip', count: 20 }], countedAt: state.now })
  expect(await counts.ofAll(scope)).toEqual({ total: 20, approximate: true })
  expect(state.counted).toBe(6)
})

test('a segment that is new or changed is counted at once behind the request, though the others are not old', async () => {
  const { state, counts } = workspace(10)
  await counts.ofAll(scope)
  const lapsed = { id: 'a', version: 2, filter: everybody }
  state.segments = [vip, lapsed]
  const before = await counts.ofSegments(scope, [vip, lapsed])
  expect([before(vip), before(lapsed)]).toEqual([10, null])
  await expect.poll(async () => (await counts.ofSegments(scope, [vip, lapsed]))(lapsed)).toBe(10)
  expect((await counts.ofSegments(scope, [vip, lapsed]))({ ...lapsed, version: 3 })).toBeNull()
})
