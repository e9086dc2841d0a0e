import { createLogger } from '@parley/service-kit/core/logger'
import { expect, test } from 'vitest'
import type { ContactCounts } from './contact-counts.repository.ts'
import { createContactCounts } from './contact-counts.service.ts'

const scope = { workspaceId: 'a'.repeat(24) }

/** A workspace of some contacts who all carry one tag, and a clock that the test moves. */
function workspace(contacts: number, { few = 3 } = {}) {
  const state = {
    contacts,
    now: new Date('2026-11-22T12:00:00Z'),
    counted: 0,
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
  expect((await counts.ofSegments(scope)).get('vip')).toBe(2)
  expect(await counts.ofAll(scope)).toBe(2)
  expect(state.kept).toBeUndefined()
})

test('a large one is counted once, and anew behind the request that finds the counts old', async () => {
  const { state, counts } = workspace(10)
  const asked = await Promise.all([counts.ofTags(scope), counts.ofTags(scope), counts.ofSegments(scope)])
  expect(asked.map((found) => found.get('vip'))).toEqual([10, 10, 10])
  // Everybody, four segments, one tag.
  expect(state.counted).toBe(6)
  state.contacts = 20
  expect(await counts.ofAll(scope)).toBe(10)
  expect(state.counted).toBe(6)
  state.now = new Date(state.now.getTime() + 31_000)
  expect(await counts.ofAll(scope)).toBe(10)
  await expect
    .poll(() => state.kept)
    .toMatchObject({ all: 20, tags: [{ name: 'vip', count: 20 }], countedAt: state.now })
  expect(await counts.ofAll(scope)).toBe(20)
  expect(state.counted).toBe(12)
})
