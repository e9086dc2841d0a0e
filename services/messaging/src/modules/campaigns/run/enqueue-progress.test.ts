import { expect, test } from 'vitest'
import type { EnqueuedBatch } from '../campaigns.model.ts'
import { isEnqueued, latestPlaces, progressWith } from './enqueue-progress.ts'

const groups = [{ zones: ['Asia/Tokyo'] }, { zones: [] }]
const frozen = { rows: 1000, done: true, groups }
const batch = (zone: number, from: number, below: number, rows = below - from): EnqueuedBatch => ({
  zone,
  from,
  below,
  rows,
})

test('all rows are given once the place of each group is at the end', () => {
  const campaign = { frozen, position: 0 }
  expect(isEnqueued(campaign)).toBe(false)
  expect(isEnqueued({ ...campaign, queued: { 0: 1000, 1: 400 } })).toBe(false)
  expect(isEnqueued({ ...campaign, queued: { 0: 1000, 1: 400 } }, 0)).toBe(true)
  expect(isEnqueued({ ...campaign, queued: { 0: 1000, 1: 1000 } })).toBe(true)
  // Every row was left out.
  expect(isEnqueued({ frozen: { ...frozen, groups: [] }, position: 0 })).toBe(true)
  expect([999, 1000].map((position) => isEnqueued({ frozen: { rows: 1000, done: true }, position }))).toEqual([
    false,
    true,
  ])
})

test('the place of the campaign is the least of its groups’, so that older code passes nobody over', () => {
  const campaign = { frozen, position: 0, queued: { 0: 300 } }
  expect(progressWith(campaign, batch(0, 300, 1000))).toMatchObject({ position: 0, 'queued.0': 1000 })
  expect(progressWith(campaign, batch(1, 0, 200))).toMatchObject({ position: 200, 'queued.1': 200 })
})

test('what was given last is judged, however the places of the groups lie', () => {
  let latest: readonly EnqueuedBatch[] = []
  for (const enqueuedBatch of [
    batch(0, 0, 900, 50),
    batch(1, 0, 100, 60),
    batch(1, 100, 250, 60),
    batch(0, 900, 960, 30),
  ])
    latest = progressWith({ frozen, position: 0, latest }, enqueuedBatch).latest ?? []
  const places = (most: number) => latestPlaces({ frozen, position: 0, latest }, most)
  expect(places(20)).toEqual([{ zone: 0, from: 900, below: 960 }])
  expect(places(120)).toEqual([
    { zone: 1, from: 0, below: 250 },
    { zone: 0, from: 900, below: 960 },
  ])
  expect(places(1000)).toHaveLength(3)
  expect(progressWith({ frozen, position: 0, latest }, batch(0, 960, 1000, 0))).not.toHaveProperty('latest')
  const many = Array.from({ length: 30 }, (_, index) => batch(0, index, index + 1))
  expect(progressWith({ frozen, position: 0, latest: many }, batch(1, 0, 5)).latest).toHaveLength(20)
})

test.each([
  ['the last ones', {}, [{ from: 200, below: 500 }]],
  ['none from before it was resumed', { judgedFrom: 450 }, [{ from: 450, below: 500 }]],
  ['none while there is nothing new', { judgedFrom: 500 }, []],
])('without groups rows are judged by their place: %s', (_name, over, places) =>
  expect(latestPlaces({ frozen: { rows: 1000, done: true }, position: 500, ...over }, 300)).toEqual(places),
)
