import { nobodyExcluded } from '@parley/contracts/campaigns/campaigns'
import type { Clock } from '@parley/service-kit/core/clock'
import { expect, test, vi } from 'vitest'
import type { CampaignRecord } from '../campaigns.model.ts'
import { createCampaignRun } from './campaign-run.ts'

const at = new Date('2026-05-04T10:00:00Z')
const hoursLater = (hours: number) => new Date(at.getTime() + hours * 3_600_000)
const campaignOf = (id: string, over: Partial<CampaignRecord>): CampaignRecord => ({
  id,
  workspaceId: 'w',
  name: id,
  searchKey: id,
  audience: { kind: 'tags', tags: ['a'] },
  audienceName: 'a',
  numberId: 'n',
  templateId: 't',
  template: { name: 't', language: 'en', category: 'marketing', body: 'Hi', buttons: [] },
  variables: {},
  status: 'paused',
  expected: { audience: 0, excluded: nobodyExcluded, reachable: 0 },
  frozen: { rows: 2500, done: true },
  position: 0,
  watch: 'campaigns',
  nextAt: at,
  version: 1,
  createdAt: at,
  updatedAt: at,
  ...over,
})
const unused = (): never => expect.fail('this is not asked for')

/** A worker that looks after these campaigns. */
function runOf(stored: Map<string, CampaignRecord>, now: Clock) {
  const hintInTurn = vi.fn<(campaign: { id: string }, turn: number) => void>()
  const check = vi.fn(async (_campaign: CampaignRecord) => undefined)
  const countAll = vi.fn(async () => ({}))
  const run = createCampaignRun({
    campaigns: {
      readMany: unused,
      page: unused,
      latestBegun: unused,
      sendingWithin: unused,
      toSend: unused,
      waitingFor: unused,
      toBeFilled: unused,
      countByStatus: unused,
      countActive: unused,
      countSending: unused,
      insert: unused,
      isStill: unused,
      due: unused,
      refusedSince: unused,
      activeOn: unused,
      scheduled: unused,
      areRowsRemoved: unused,
      endedWithRows: unused,
      read: async (_scope, id) => stored.get(id) ?? null,
      change: async (_scope, id, { update }) => {
        const before = stored.get(id) ?? unused()
        const { $set = {}, $unset = {} } = update as { $set?: object; $unset?: object }
        const after = { ...before, ...$set, ...Object.fromEntries(Object.keys($unset).map((key) => [key, undefined])) }
        stored.set(id, after)
        return after
      },
    },
    expiredFiles: { endWith: unused },
    recipientFiles: { countEnded: unused, isHeld: unused, release: unused },
    recipients: {
      endedIn: unused,
      groupsOf: unused,
      openRows: unused,
      setState: unused,
    },
    messages: { countOpen: unused, firstKeptBack: unused, readMany: unused },
    materialize: unused,
    reschedule: unused,
    queueing: { fill: unused },
    open: { hold: vi.fn(), pause: vi.fn(), release: unused, cancel: vi.fn() },
    recount: {
      noteMessages: unused,
      noteAccepted: unused,
      hintMessages: unused,
      hint: unused,
      hintPlaces: unused,
      perform: unused,
      hintStale: unused,
      countAll,
      check,
      hintInTurn,
      countFrom: unused,
      addUp: unused,
    },
    meansOf: unused,
    audiences: { problemOf: unused },
    readWait: unused,
    quota: { prepare: unused, giveBack: unused },
    notes: { note: unused, recordWait: unused },
    followHeldBack: async () => undefined,
    countPause: unused,
    transaction: unused,
    now,
  })
  return {
    perform: (id: string) => run.perform({ id, workspaceId: 'w' }, () => undefined),
    hintInTurn,
    check,
    countAll,
  }
}

test('campaigns that take turns each have all of their blocks counted', async () => {
  const over = { stoppedAt: at }
  const { perform, hintInTurn } = runOf(
    new Map(['a', 'b'].map((id) => [id, campaignOf(id, over)])),
    () => new Date(at.getTime() + 1000),
  )
  for (let round = 0; round < 3; round += 1) for (const id of ['a', 'b']) await perform(id)
  const turnsOf = (id: string) => hintInTurn.mock.calls.filter(([hinted]) => hinted.id === id).map(([, turn]) => turn)
  expect([turnsOf('a'), turnsOf('b')]).toEqual([
    [0, 1, 2],
    [0, 1, 2],
  ])
})

test('what has ended is counted again after an hour, a day and a week', async () => {
  let now = hoursLater(1)
  const stored = new Map([['a', campaignOf('a', { status: 'completed', completedAt: at, nextAt: hoursLater(1) })]])
  const { perform, check } = runOf(stored, () => now)
  await perform('a')
  expect(stored.get('a')?.nextAt).toEqual(hoursLater(24))
  await perform('a')
  expect(check).toHaveBeenCalledTimes(1)
  now = hoursLater(25)
  await perform('a')
  expect(stored.get('a')?.nextAt).toEqual(hoursLater(7 * 24))
  now = hoursLater(7 * 24)
  await perform('a')
  expect(check).toHaveBeenCalledTimes(3)
  // From then on its rows age, and nothing is done here any more.
  expect(stored.get('a')).toMatchObject({ watch: 'campaign-rows', nextAt: at })
  now = hoursLater(8 * 24)
  await perform('a')
  expect(check).toHaveBeenCalledTimes(3)
})

test('a cancelled campaign is looked after until nothing comes back, and then counted again like one that is through', async () => {
  let now = new Date(at.getTime() + 3 * 60_000)
  const stored = new Map([['a', campaignOf('a', { status: 'cancelled', stoppedAt: at })]])
  const { perform, check, countAll } = runOf(stored, () => now)
  await perform('a')
  expect([countAll.mock.calls.length, check.mock.calls.length]).toEqual([1, 0])
  expect(stored.get('a')?.nextAt).toEqual(hoursLater(1))
  now = hoursLater(2)
  await perform('a')
  expect([countAll.mock.calls.length, check.mock.calls.length]).toEqual([1, 1])
  expect(stored.get('a')?.nextAt).toEqual(hoursLater(24))
})
