import { expect, test, vi } from 'vitest'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { Group } from '../recipients/tallies.ts'
import { createRecount } from './recount.ts'

const campaign = { id: 'a'.repeat(24), workspaceId: 'w', frozen: { rows: 1500, done: true } } as CampaignRecord

/** Counts blocks, given their stored tallies and their rows by now. */
async function check(blocks: readonly { before: object; now: readonly Group[] }[], changed: boolean, removed = false) {
  const countDifference = vi.fn()
  const stored = new Map<number, object>(blocks.map(({ before }, block) => [block, before]))
  const record = (block: number, tallies: object) => ({
    id: `${block}`,
    workspaceId: 'w',
    campaignId: campaign.id,
    block,
    countedAt: new Date(),
    tallies: tallies as Record<string, number>,
  })
  const recount = createRecount({
    recipients: {
      groupsOf: async (_scope, _id, { from }) => [...(blocks[from / 1000]?.now ?? [])],
      block: async (_scope, { block }) => record(block, stored.get(block) ?? {}),
      blocks: async () => [...stored].map(([block, tallies]) => record(block, tallies)),
      storeBlock: async (_scope, { block }, tallies) => {
        stored.set(block, tallies)
        return { matchedCount: 1, modifiedCount: 1, upsertedId: null }
      },
      storeTotals: async () => ({ matchedCount: 1, modifiedCount: 1, upsertedId: null }),
      staleBlocks: async () => [],
      idsIn: async () => ['m'],
      setState: async () => undefined as never,
    },
    campaignRecords: { areRowsRemoved: async () => removed },
    messageRecords: { changedSince: async () => changed },
    figures: { countDifference },
    holders: { countedAs: async () => undefined },
    quota: { settle: async () => undefined },
    transaction: async (work) => work({ session: {} as never, emit: () => undefined, send: () => undefined }),
    queues: { jobs: () => ({ add: async () => undefined }) },
  })
  await recount.check(campaign)
  return { differences: countDifference.mock.calls.length, stored: [...stored.values()] }
}
const same = { before: { sent: 1000 }, now: [{ state: 'sent' as const, count: 1000 }] }
const moved = { before: { sent: 500 }, now: [{ state: 'read' as const, count: 500 }] }

test('rows that have changed without a hint are told, and counted', async () => {
  expect(await check([same, moved], false)).toEqual({ differences: 1, stored: [{ sent: 1000 }, { read: 500 }] })
})

test('nothing is told where nothing differs, or its hint is on its way', async () => {
  expect((await check([same, same], false)).differences).toBe(0)
  expect((await check([same, moved], true)).differences).toBe(0)
  const clicked = { before: { sent: 2 }, now: [{ state: 'sent' as const, clicked: true, count: 2 }] }
  expect((await check([clicked, same], false)).differences).toBe(0)
})

test('what was counted before its rows were removed stays', async () => {
  const gone = { before: { sent: 1000 }, now: [] }
  expect(await check([gone, moved], false, true)).toEqual({ differences: 0, stored: [{ sent: 1000 }, { sent: 500 }] })
})
